"""The text alternative of one picture, with the numbers that its own words leave out."""

import pytest

from pipeline.publish.described import described
from tests.pipeline.small_ledger import PATTERN, cell, number, small_ledger

VALUES = ("0.06", "0.53", "0.39", "0.02")
LAST = 70.0


def data(*more, alt=None, out=LAST):
    weights = [number(text, cell(PATTERN, head=0, query=3, key=key), time_out=out) for key, text in enumerate(VALUES)]
    made = small_ledger(*weights, *more, words={7: "snape"})
    made["beats"][0]["alt"] = alt or made["beats"][0]["alt"]
    return made


def alternative(made, language="en"):
    return described(made, made["beats"][0], language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            "A grid. Head 1: “creature” gives 0.53 of its attention to “fluffy”, 0.39 to “blue”, 0.06 to “a” "
            "and less to 1 more.",
        ),
        ("zh", "一个网格。头 1：“creature”把注意力的 0.53 给“fluffy”，0.39 给“blue”，0.06 给“a”，其余 1 个更小。"),
    ],
)
def test_the_largest_weights_are_told(language, text):
    assert alternative(data(), language) == text


def test_probabilities_are_told_and_what_is_masked_is_not():
    row = number("0.77", cell("probabilities", position=4, vocab=7), time_out=LAST)
    shut = number("0", cell(PATTERN, head=0, query=3, key=4), time_out=LAST) | {"kind": "masked"}
    assert alternative(data(row, shut)).endswith("less to 1 more. After “roamed” the model gives “snape” 0.77.")


def test_what_the_words_say_already_is_not_said_again():
    alt = "Weights 0.53, 0.39, 0.06."
    assert alternative(data(alt={"en": alt, "zh": alt})) == alt


def test_what_is_gone_before_the_last_picture_is_not_told():
    assert alternative(data(out=LAST - 0.5)) == "A grid."
