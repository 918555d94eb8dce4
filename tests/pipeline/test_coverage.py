"""A colour laid on through the coverage of an outline gives the bytes that filling the outline gives."""

from __future__ import annotations

from itertools import pairwise

import cairo
import numpy as np
import pytest
from manim import Circle, VMobject

from pipeline.render.camera import fast_camera
from pipeline.render.canvas import Canvas
from pipeline.render.coverage import SEEN_THROUGH, Coverage
from pipeline.render.damage import Rectangle
from pipeline.render.painted import Outline
from scenes.kit.text import Prose

SIZE = 320, 180
VIEW = 20.0, 0.0, 0.0, -20.0, 160.0, 90.0


def _filled(mobject: VMobject, rgba: tuple[float, ...], *, by_coverage: bool) -> np.ndarray:
    """The mobject on a ground of many colours, cut to some rows."""
    pixels = np.random.default_rng(3).integers(0, 256, (SIZE[1], SIZE[0], 4), dtype=np.uint8)
    pixels[..., 3] = 255
    context = cairo.Context(cairo.ImageSurface.create_for_data(pixels.data, cairo.FORMAT_ARGB32, *SIZE))
    context.rectangle(0, 40, SIZE[0], 100)
    context.clip()
    context.set_matrix(cairo.Matrix(*VIEW))
    context.set_source_rgba(*rgba)
    outline = Outline(mobject, VIEW)
    outline.path()
    path = outline.path()
    assert path is not None
    assert outline.box is not None
    left, top, right, bottom = outline.box
    if by_coverage:
        place = Rectangle(int(left) - 3, int(top) - 3, int(right) + 3, int(bottom) + 3)
        Coverage(path, VIEW, place, SIZE).fill(context)
    else:
        path.become_current(context)
        context.fill()
    return pixels


@pytest.mark.parametrize("opacity", [0.004, 0.31, 0.5, SEEN_THROUGH - 1e-6])
@pytest.mark.parametrize("place", [(0.013, 0.4), (-8.2, 2.11), (6.9, -2.2)])
@pytest.mark.parametrize("shape", ["text", "disc"])
def test_the_bytes_are_those_of_a_fill(shape: str, place: tuple[float, float], opacity: float):
    mobject: VMobject = Circle(radius=1.7) if shape == "disc" else Prose("seen through", size=0.9, color="#FFFFFF")
    mobject.shift([*place, 0.0])
    given = mobject, (0.2, 0.7, 0.4, opacity)
    once = _filled(*given, by_coverage=True)
    assert np.array_equal(once, _filled(*given, by_coverage=False))
    assert not np.array_equal(once, _filled(mobject, (0.2, 0.7, 0.4, 0.0), by_coverage=False))


def test_a_fade_works_its_coverage_out_once(monkeypatch: pytest.MonkeyPatch):
    made: list[Coverage] = []
    whole = Coverage.__init__
    monkeypatch.setattr(Coverage, "__init__", lambda self, *given: made.append(self) or whole(self, *given))
    camera = fast_camera()(pixel_width=SIZE[0], pixel_height=SIZE[1])
    canvas, text = Canvas(camera), Prose("seen through", size=0.9, color="#FFFFFF")
    pictures = []
    for opacity in (0.2, 0.4, 0.6, 0.8):
        text.set_fill(opacity=opacity)
        assert canvas.show([text])
        pictures.append(canvas.pixels.copy())
    assert len(made) == 1
    assert all(not np.array_equal(*pair) for pair in pairwise(pictures))
