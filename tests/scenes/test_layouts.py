"""A selection of what `python -m tests.every_layout` runs through: each of these once had a finding."""

import pytest

from pipeline.catalogue import find_scenes
from scenes.kit import frame
from tests.every_layout import findings

ENGLISH = "a fluffy blue creature roamed the verdant forest"
CHINESE = "一位快乐的农夫带着一只小小的白色的兔子"
CASES = {
    "the last token asks": ("en", ENGLISH, 7, "columns", "dark"),
    "many words, little room": ("en", ENGLISH, 2, "rows", "light"),
    "the last of nine tokens asks": ("zh", CHINESE, 7, "columns", "print"),
    "one token": ("en", "creature", 0, "rows", "dark"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_audit_has_nothing_to_say(case):
    (qkv,) = find_scenes(("qkv",))
    assert findings(qkv, *CASES[case]) == []


def test_a_score_read_off_near_the_top_is_clear_of_the_legend():
    (embedding,) = find_scenes(("embedding",))
    assert findings(embedding, "en", "a fluffy blue creature roamed the forest", 3, "columns", "print") == []


def test_what_follows_a_token_stays_inside_the_margins():
    assert frame.within(14.3, 2.0) == 14.2
    assert frame.within(1.0, 2.0) == 1.8
    assert frame.within(8.0, 2.0) == 8.0
