"""Colours are held by computation: contrast against the ground, distance between roles, greyscale in print."""

import itertools

import pytest

from scenes.kit.colour import contrast, distance, lab, least_contrast, simulate
from scenes.kit.theme import ROLES, SHADES, THEMES

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


def test_the_steps_of_the_shade_scale_differ_in_greyscale():
    theme = THEMES["print"]
    steps = [simulate(theme.shade("data", level, bare=True), "greyscale") for level in range(len(SHADES))]
    assert all(distance(*pair) >= GREY_DISTANCE for pair in itertools.pairwise(steps))
