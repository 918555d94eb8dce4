"""Colours are held by computation: contrast against the ground, distance between roles, greyscale in print."""

import itertools
from functools import cache

import pytest

from scenes.kit.brief import SceneBrief
from scenes.kit.colour import contrast, distance, lab, least_contrast, simulate
from scenes.kit.frame import Box
from scenes.kit.legend import WORDS, Legend
from scenes.kit.matrix import FLAT, NumberMatrix
from scenes.kit.text import Prose
from scenes.kit.theme import ROLES, SHADES, THEMES
from transformer_core.capture import capture
from transformer_core.sources import load_model

TEXT_CONTRAST, GRAPHIC_CONTRAST, ROLE_DISTANCE = 4.5, 3.0, 15.0
"""WCAG 2.2: 1.4.3 for text, 1.4.11 for graphics; ΔE*ab 1976 at which two colours on screen are told apart."""

TOLD_APART_BY_SHAPE = {
    frozenset({"pattern", "data"}),  # pattern is dots and lines, data is digits and brackets
    frozenset({"probability", "query"}),  # probability is bars
    frozenset({"probability", "key"}),
    frozenset({"probability", "delta"}),
}
GREY_DISTANCE = 8.0
"""L* by which two greys side by side are told apart on paper; the steps of the shade scale keep it too."""

NAMED_IN_GREYSCALE = {
    frozenset({"query", "weight"}),  # query is outlines around words
    frozenset({"query", "data"}),
    frozenset({"value", "weight"}),  # value is brackets and words
    frozenset({"key", "value"}),  # key and value stand in matrices that are named K and V
    frozenset({"delta", "data"}),  # ΔE is an outline, an arrow or a column under its name
    frozenset({"delta", "query"}),
    frozenset({"delta", "weight"}),
    frozenset({"probability", "key"}),  # probability is bars
    frozenset({"probability", "value"}),
}
pairs = [(a, b) for a, b in itertools.combinations(ROLES, 2) if frozenset({a, b}) not in TOLD_APART_BY_SHAPE]
themes = pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))


@themes
@pytest.mark.parametrize("role", ROLES)
def test_digits_of_a_role_can_be_read_on_every_shade_by_everyone(theme, role):
    for level in range(len(SHADES)):
        assert least_contrast(theme.ink(role), theme.shade(role, level)) >= TEXT_CONTRAST


@themes
def test_words_can_be_read(theme):
    assert contrast(theme.text, theme.ground) >= 7
    assert contrast(theme.note, theme.ground) >= TEXT_CONTRAST


@themes
@pytest.mark.parametrize("seen_as", ["as is", "deuteranopia"])
@pytest.mark.parametrize(("first", "second"), pairs)
def test_roles_are_told_apart(theme, seen_as, first, second):
    colours = [theme.role(role) for role in (first, second)]
    if seen_as != "as is":
        colours = [simulate(colour, seen_as) for colour in colours]
    assert distance(*colours) >= ROLE_DISTANCE


@themes
def test_steps_of_the_shade_scale_differ(theme):
    steps = [theme.shade("data", level, bare=True) for level in range(len(SHADES))]
    for lower, higher in itertools.pairwise(steps):
        assert distance(lower, higher) >= 8


@themes
def test_the_darkest_shade_still_shows_on_the_ground(theme):
    assert contrast(theme.shade("data", len(SHADES) - 1, bare=True), theme.ground) >= GRAPHIC_CONTRAST


def lightness(theme, role):
    return lab(simulate(theme.role(role), "greyscale"))[0]


@pytest.mark.parametrize("seen_as", ["greyscale", "deuteranopia"])
@pytest.mark.parametrize("role", ROLES)
def test_words_of_any_role_can_be_read_in_print(role, seen_as):
    theme = THEMES["print"]
    assert contrast(*(simulate(each, seen_as) for each in (theme.role(role), theme.ground))) >= TEXT_CONTRAST
    for level in range(len(SHADES)):
        seen = [simulate(each, seen_as) for each in (theme.ink(role), theme.shade(role, level))]
        assert contrast(*seen) >= TEXT_CONTRAST


@pytest.mark.parametrize(
    ("first", "second"),
    # The fields, whose meaning is their tone: learned, learned and negative, flowing through, and who looks at whom.
    # The accents are outlines, brackets and words, which name what they are; in greyscale the name remains.
    list(itertools.combinations(("weight", "weight_negative", "data", "pattern"), 2)),
)
def test_print_tells_fields_apart_in_greyscale(first, second):
    assert abs(lightness(THEMES["print"], first) - lightness(THEMES["print"], second)) >= GREY_DISTANCE


def test_which_roles_have_one_tone_in_print():
    """A list to keep short: each is told apart by what it is drawn as, or named."""
    theme = THEMES["print"]
    alike = {
        frozenset(pair)
        for pair in itertools.combinations(ROLES, 2)
        if abs(lightness(theme, pair[0]) - lightness(theme, pair[1])) < GREY_DISTANCE
    }
    assert alike == NAMED_IN_GREYSCALE


@cache
def one_word():
    return capture(load_model("glass"), "a")


def one_row(theme, *, digits=False):
    """Two learned cells, the most negative and the largest of a word."""
    cells = sorted(one_word().cells("embed.W_E", vocab=one_word().spec.ids[0]), key=lambda cell: cell.value)
    return NumberMatrix(
        [[cells[0], cells[-1]]],
        box=Box(1, 1, 2, 1),
        role="weight",
        theme=theme,
        down="vocab",
        across="d_model",
        digits=digits,
    )


def test_in_print_a_negative_weight_without_digits_is_told_by_its_shape():
    """In greyscale a small positive and a large negative one have one tone: the hue is all that tells them apart."""
    negative, positive = (
        lab(simulate(THEMES["print"].shade(role, level, bare=True), "greyscale"))[0]
        for role, level in (("weight_negative", 3), ("weight", 4))
    )
    assert abs(negative - positive) < GREY_DISTANCE
    heights = sorted(part.height for part in one_row(THEMES["print"]).shades)
    assert heights[0] / heights[1] == pytest.approx(1 - 2 * FLAT, abs=0.02)


def test_elsewhere_and_with_digits_the_shape_is_that_of_the_cell():
    for matrix in (one_row(THEMES["dark"]), one_row(THEMES["light"]), one_row(THEMES["print"], digits=True)):
        heights = [part.height for part in matrix.shades]
        assert len(heights) == 2
        assert heights[0] == pytest.approx(heights[1])


def test_the_legend_of_print_says_what_a_flat_cell_is():
    words = [
        [
            part.text
            for part in Legend(THEMES[theme], "en", SceneBrief(one_word())).get_family()
            if isinstance(part, Prose)
        ]
        for theme in ("dark", "print")
    ]
    assert set(words[1]) - set(words[0]) == {WORDS["flat"]["en"]}


def test_the_steps_of_the_shade_scale_differ_in_greyscale():
    theme = THEMES["print"]
    steps = [simulate(theme.shade("data", level, bare=True), "greyscale") for level in range(len(SHADES))]
    assert all(distance(*pair) >= GREY_DISTANCE for pair in itertools.pairwise(steps))
