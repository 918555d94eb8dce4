"""Colours are held by computation: contrast against the ground, distance between roles, greyscale in print."""

import itertools

import pytest

from scenes.kit.colour import contrast, distance, lab, simulate
from scenes.kit.theme import ROLES, SHADES, THEMES

TEXT_CONTRAST, GRAPHIC_CONTRAST, ROLE_DISTANCE = 4.5, 3.0, 15.0
"""WCAG 2.2: 1.4.3 for text, 1.4.11 for graphics; ΔE*ab 1976 at which two colours on screen are told apart."""

TOLD_APART_BY_SHAPE = {
    frozenset({"pattern", "data"}),  # pattern is dots and lines, data is digits and brackets
    frozenset({"probability", "query"}),  # probability is bars
    frozenset({"probability", "key"}),
    frozenset({"probability", "delta"}),
}
pairs = [(a, b) for a, b in itertools.combinations(ROLES, 2) if frozenset({a, b}) not in TOLD_APART_BY_SHAPE]
themes = pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))


@themes
@pytest.mark.parametrize("role", ROLES)
def test_digits_of_a_role_can_be_read_on_every_shade(theme, role):
    for level in range(len(SHADES)):
        assert contrast(theme.ink(role), theme.shade(role, level)) >= TEXT_CONTRAST


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


def test_print_tells_weight_from_data_in_greyscale():
    theme = THEMES["print"]
    weight, data = (lab(simulate(theme.role(role), "greyscale"))[0] for role in ("weight", "data"))
    assert abs(weight - data) >= 8
