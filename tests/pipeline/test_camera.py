"""The array-path camera draws the very pixels of Manim's own."""

import numpy as np
import pytest
from manim import (
    BLUE,
    DOWN,
    GREEN,
    LEFT,
    RED,
    RIGHT,
    UP,
    WHITE,
    YELLOW,
    Annulus,
    Arc,
    Camera,
    Circle,
    CubicBezier,
    DashedLine,
    Line,
    MovingCamera,
    Square,
    Star,
    VGroup,
    VMobject,
)

import pipeline.render.camera as fast
from pipeline.render.camera import fast_camera

SIZE = {"pixel_width": 320, "pixel_height": 180, "frame_width": 16.0, "frame_height": 9.0}


def many_outlines() -> VMobject:
    """600 small closed and open outlines as one mobject, some of a single curve, one not finite."""
    rng = np.random.default_rng(5)
    pieces = [
        shape.copy().scale(0.1).shift([rng.uniform(-7, 7), rng.uniform(-4, 4), 0]).points
        for _ in range(200)
        for shape in (Square(), Circle(), Arc(angle=1.2))
    ]
    pieces.append(Line(LEFT, RIGHT).points)
    return VMobject().set_points(np.concatenate(pieces))


def gradient() -> VMobject:
    return many_outlines().set_fill([RED, BLUE], opacity=0.8).set_stroke([GREEN, YELLOW], width=3)


CASES = {
    "fill": lambda: many_outlines().set_fill(BLUE, 0.7).set_stroke(width=0),
    "stroke": lambda: many_outlines().set_fill(opacity=0).set_stroke(RED, 2, 0.5),
    "gradient": gradient,
    "background stroke": lambda: many_outlines().set_fill(WHITE, 1).set_stroke(RED, 8, background=True),
    "holes": lambda: Annulus(0.5, 2, fill_opacity=0.5, color=GREEN),
    "transparent": lambda: many_outlines().set_fill(opacity=0).set_stroke(opacity=0),
    "shapes": lambda: VGroup(Star(), DashedLine(LEFT * 3, UP), CubicBezier(LEFT, UP, DOWN, RIGHT)).set_z_index(2),
    "empty": VMobject,
    "no full curve": lambda: VMobject().set_points(np.zeros((3, 3))),
}


def draw(camera_class, mobject) -> np.ndarray:
    camera = camera_class(**SIZE)
    camera.reset()
    camera.capture_mobjects([mobject])
    return camera.pixel_array


@pytest.mark.parametrize("case", CASES)
def test_identical_pixels(case):
    mobject = CASES[case]()
    np.testing.assert_array_equal(draw(fast_camera(), mobject), draw(Camera, mobject))


def test_something_is_drawn_and_by_arrays(monkeypatch):
    assert fast._append_path() is not None
    calls = []
    whole = fast.path_elements
    monkeypatch.setattr(fast, "path_elements", lambda *given: calls.append(1) or whole(*given))
    assert draw(fast_camera(), CASES["fill"]()).max() > 200
    assert calls == [1]


def test_coordinates_that_are_not_finite_are_split_as_manim_does():
    points = many_outlines().points.copy()
    points[40] = np.nan
    points[80] = np.inf
    mobject = VMobject().set_fill(BLUE, 1)
    mobject.points = points
    np.testing.assert_array_equal(draw(fast_camera(), mobject), draw(Camera, mobject))


def test_a_moving_camera_stays_one():
    camera_class = fast_camera(MovingCamera)
    assert issubclass(camera_class, MovingCamera)
    size = {"pixel_width": 320, "pixel_height": 180}

    def zoomed(kind):
        camera = kind(**size)
        camera.frame.scale(0.5).shift(RIGHT)
        camera.capture_mobjects([CASES["gradient"]()])
        return camera.pixel_array

    np.testing.assert_array_equal(zoomed(camera_class), zoomed(MovingCamera))


def test_manims_own_loop_where_cairo_is_hidden(monkeypatch):
    monkeypatch.setattr(fast, "_append_path", lambda: None)
    mobject = CASES["fill"]()
    np.testing.assert_array_equal(draw(fast_camera(), mobject), draw(Camera, mobject))


@pytest.mark.parametrize("count", [0, 3, 4, 7, 8, 40, 41])
def test_subpaths_are_those_that_manim_finds(count):
    """Curves that follow one another exactly, nearly, hardly and not at all."""
    rng = np.random.default_rng(count)
    points = rng.uniform(-7, 7, (count, 3))
    gaps = np.resize([0.0, 5e-7, 8e-5, 1.0], count // 4)
    for place, gap in zip(range(4, count, 4), gaps, strict=False):
        points[place] = points[place - 1] + [gap, -gap, 0]
    mobject = VMobject()
    expected = mobject.get_subpath_split_indices_from_points(points, n_dims=2)
    expected = expected[expected[:, 1] - expected[:, 0] >= 4]
    found = fast.subpaths(points[:, :2], mobject.tolerance_for_point_equality)
    np.testing.assert_array_equal(found, expected)
