"""What stands on a scene's screen, as outlines in the frame."""

import numpy as np
import pytest
from manim import BLUE, RED, UP, Camera, Circle, Dot, ImageMobject, Line, ManimColor, MovingCamera, Scene, Square
from manim.constants import CapStyleType
from manim.renderer.cairo_renderer import CairoRenderer

from pipeline.publish.formats._paths import STEP, on_grid
from pipeline.render.drawing import Drawing, Paint, Subpath
from pipeline.render.vectors import drawing_of
from transformer_core.errors import CheckFailed


def drawing(*mobjects, camera_class=Camera, prepare=lambda camera: None) -> Drawing:
    scene = Scene(renderer=CairoRenderer(camera_class=camera_class))
    scene.camera.frame_width, scene.camera.frame_height = 16.0, 9.0
    prepare(scene.camera)
    scene.add(*mobjects)
    return drawing_of(scene)


def test_places_count_from_the_top_left_corner():
    [shape] = drawing(Square(2.0, fill_color=BLUE, fill_opacity=1, stroke_width=0).move_to([-7, 3.5, 0])).shapes
    [subpath] = shape.subpaths
    assert subpath.curves.reshape(-1, 2).min(axis=0) == pytest.approx([0, 0])
    assert subpath.curves.reshape(-1, 2).max(axis=0) == pytest.approx([2, 2])
    assert (shape.fill, shape.stroke, subpath.closed) == (Paint(ManimColor(BLUE).to_hex(), 1.0), None, True)


def test_what_is_painted_later_comes_later_and_what_is_unseen_not_at_all():
    below, above, unseen = Square(), Circle(color=RED).set_z_index(1), Dot(fill_opacity=0, stroke_width=0)
    shapes = drawing(above, unseen, below).shapes
    assert [len(shape.subpaths[0].curves) for shape in shapes] == [4, 8]


def test_lines_keep_their_width_caps_and_a_stroke_behind():
    line = Line(color=RED, stroke_width=8).set_stroke(BLUE, width=20, background=True)
    line.cap_style = CapStyleType.ROUND
    behind, over = (shape.stroke for shape in drawing(line).shapes)
    assert (behind.width, over.width) == pytest.approx((0.2, 0.08))
    assert (behind.paint.colour, over.paint.colour) == (ManimColor(BLUE).to_hex(), ManimColor(RED).to_hex())
    assert over.cap == "round"


def test_a_camera_that_has_gone_closer():
    def closer(camera):
        camera.frame.set(width=8.0).move_to(2 * UP)

    [shape] = drawing(Square(1.0).move_to(2 * UP), camera_class=MovingCamera, prepare=closer).shapes
    assert np.ptp(shape.subpaths[0].curves.reshape(-1, 2), axis=0) == pytest.approx([2, 2])
    assert shape.subpaths[0].curves.reshape(-1, 2).mean(axis=0) == pytest.approx([8, 4.5])
    assert shape.stroke.width == pytest.approx(0.08)


@pytest.mark.parametrize(
    ("mobject", "why"),
    [
        (lambda: Square(fill_opacity=1).set_fill([RED, BLUE]), "figure with a Square: its colour is a gradient"),
        (
            lambda: ImageMobject(np.zeros((2, 2, 4), dtype=np.uint8)),
            "figure with a ImageMobject: that is made of pixels",
        ),
    ],
    ids=["gradient", "pixels"],
)
def test_what_has_no_outlines_is_refused(mobject, why):
    with pytest.raises(CheckFailed, match=why):
        drawing(mobject())


def curve(*points) -> Subpath:
    return Subpath(np.array([points], dtype=float), closed=False)


def test_straight_pieces_are_told_from_curved_ones():
    assert on_grid(curve((0, 0), (1, 1), (2, 2), (3, 3))) == ((0, 0), [(30000, 30000)])
    assert on_grid(curve((0, 0), (1, 1.001), (2, 2), (3, 3)))[1] == [(10000, 10010, 20000, 20000, 30000, 30000)]
    assert len(on_grid(curve((0, 0), (-1, 0), (2, 0), (1, 0)))[1][0]) == 6  # it goes beyond its end and comes back
    assert on_grid(curve((1, 1), (1, 1), (1, 1), (1, 1)))[1] == []
    assert len(on_grid(curve((1, 1), (2, 0), (2, 2), (1, 1)))[1][0]) == 6  # a loop


def test_the_grid_is_finer_than_any_pixel():
    assert STEP * 2160 / 9 < 1 / 40
