"""What is drawn by a pen, turns or reads along waves is right all the way, and ends exactly where it belongs."""

from math import cos, sin

import numpy as np
import pytest
from manim import Dot, Line, VGroup, VMobject, linear

from scenes.kit.dots import disc
from scenes.kit.frame import Box
from scenes.kit.pen import Pen, Reach
from scenes.kit.read_off import ReadOff
from scenes.kit.theme import THEMES
from scenes.kit.turning import Turn
from scenes.kit.waves import WaveLanes, frequency
from tests.kit.test_positional_pieces import trace_of


def lanes():
    return WaveLanes(trace_of(), pairs=(0, 1), last=10, box=Box(2, 2, 10, 4), theme=THEMES["dark"])


def at(animation, alpha):
    animation.begin()
    animation.interpolate(alpha)
    return animation.mobject


def test_half_way_the_pen_has_drawn_the_left_half():
    line, left, right = Line([0, 0, 0], [4, 0, 0]), disc(0.2, (9, 4), "#ffffff"), disc(0.2, (11, 4), "#ffffff")
    at(Pen(VGroup(line, left, right), rate_func=linear), 0.5)
    assert line.get_end()[0] == pytest.approx(2.0, abs=0.1)
    assert left.get_fill_opacity() == 1.0
    assert right.get_fill_opacity() == 0.0


def test_what_the_pen_has_drawn_is_the_whole():
    wanted = lanes()
    whole = lanes()
    at(Pen(VGroup(*whole.lanes), rate_func=linear), 1.0)
    for one, other in zip(VGroup(*whole.lanes).get_family(), VGroup(*wanted.lanes).get_family(), strict=True):
        assert np.array_equal(one.points, other.points)
        if len(one.points):
            assert np.array_equal(one.fill_rgbas, other.fill_rgbas)
            assert np.array_equal(one.stroke_rgbas, other.stroke_rgbas)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_every_line_reaches_from_its_own_start(share):
    lines = VMobject()
    lines.points = np.concatenate([np.linspace([0, y, 0], [3, 5, 0], 4) for y in (0.0, 2.0)])
    at(Reach(lines, rate_func=linear), share)
    assert lines.points[[0, 4]].tolist() == [[0, 0, 0], [0, 2, 0]]
    assert lines.points[[3, 7]] == pytest.approx(np.array([[3, 5, 0], [3, 3, 0]]) * share + [[0, 0, 0], [0, 2, 0]])


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_turn_keeps_the_distance_and_ends_in_its_place(share):
    about, place = np.array([1.0, 1.0, 0.0]), np.array([1.0, 3.0, 0.0])
    dot = at(Turn(Dot(place), 1.2, about=about), share)
    way = dot.get_center() - about
    assert np.linalg.norm(way) == pytest.approx(2.0)
    assert np.arctan2(way[1], way[0]) == pytest.approx(np.pi / 2 - 1.2 * (1 - share))


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_dots_ride_on_the_curves(share):
    waves = lanes()
    reading = at(ReadOff(waves, waves.reading(6), start=0, end=6), share)
    for pair in (0, 1):
        scale, turned = waves.lane_scale(pair), frequency(waves.trace, pair) * 6 * share
        for dot, wave in zip(reading[1 + 2 * pair : 3 + 2 * pair], (sin, cos), strict=True):
            assert dot.get_center()[1] == pytest.approx(scale.drawn(wave(turned)))
            assert dot.get_center()[0] == pytest.approx(waves.x(6 * share) - 8)
