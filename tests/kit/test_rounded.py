"""Rounded rectangles are Manim's own, to the last bit, and no two share their points."""

from __future__ import annotations

import numpy as np
import pytest
from manim import RoundedRectangle

from scenes.kit import frame
from scenes.kit.rounded import Rounded

STYLE = {"stroke_width": 2.5, "stroke_color": "#123456", "fill_color": "#ABCDEF", "fill_opacity": 0.7}


@pytest.mark.parametrize(("width", "height", "radius"), [(1.3, 0.4, 0.06), (0.1, 0.7, 0.05), (9.1, 2.2, 0.0)])
@pytest.mark.parametrize("centre", [(8.0, 4.5), (0.31, 7.77)])
def test_it_is_manims_rounded_rectangle(width: float, height: float, radius: float, centre: tuple[float, float]):
    ours = Rounded(width=width, height=height, radius=radius, centre=centre, **STYLE)
    shape = RoundedRectangle(width=width, height=height, corner_radius=radius, **STYLE)
    theirs = shape.move_to(frame.at(*centre))
    assert ours.points.tobytes() == theirs.points.tobytes()
    for colours in ("fill_rgbas", "stroke_rgbas", "background_stroke_rgbas"):
        assert (getattr(ours, colours) == getattr(theirs, colours)).all()
    assert ours.get_stroke_width() == theirs.get_stroke_width()


def test_two_of_one_size_do_not_share_their_points():
    place = {"width": 1.0, "height": 0.5, "radius": 0.1, "centre": (3.0, 3.0)}
    one, other = Rounded(**place), Rounded(**place)
    before = other.points.copy()
    one.points += 1.0
    one.scale(2)
    assert np.array_equal(other.points, before)
    assert np.array_equal(Rounded(**place).points, before)
