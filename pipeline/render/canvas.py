"""The picture on screen, kept from frame to frame, of which only what has changed is drawn again.

Two layers: what stands still during a play, drawn on the background, and what moves, drawn on the first. Each layer
knows the looks that it was drawn from; where a frame's looks differ, the places of the old and the new ones are
drawn again from below, with everything that reaches into them.

The pixels are those of a whole drawing, byte for byte. Cutting a drawing at a row takes nothing away from cairo's sums,
which it makes row by row, except in the first two. At a column it would: an edge is rounded where it crosses the
cut, and how finely a row is summed depends on every edge in it. So a drawing is cut to whole rows, of each mobject
everything in these rows is drawn, on a sheet of its own, and the damaged rectangles are taken from there. A gradient
depends on how much of it is drawn, so that a mobject with one is drawn whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import cairo
import numpy as np
from manim import Mobject

from pipeline.render.damage import Band, Rectangle, bands
from pipeline.render.painted import Painted, is_outline, painted_now

ROWS_BEFORE = 4
"""Rows drawn above those that are taken: where a cut begins, edges begin that do not begin there, and a row in which
one begins and the row after it are summed more finely (one row fewer than two was seen to differ)."""
ROWS_AT_ONCE = 32
"""Rows that are compared at a time."""


class _Layer:
    """Pixels, and what they were drawn from: looks, None where that is not known, as the camera saw them then."""

    def __init__(self, pixels: np.ndarray) -> None:
        self.pixels = pixels
        self.looks: Sequence[Painted] | None = None
        self.view: tuple[float, ...] = ()


class Canvas:
    """The picture of a camera, `camera.pixel_array`, brought up to date frame by frame."""

    def __init__(self, camera: Any) -> None:
        self._camera = camera
        self._size = (camera.pixel_width, camera.pixel_height)
        self._whole = Rectangle(0, 0, *self._size)
        self._above = _Layer(camera.pixel_array)
        self._below = _Layer(np.empty_like(camera.pixel_array))
        self._sheet = np.empty_like(camera.pixel_array)
        self._context = cairo.Context(
            cairo.ImageSurface.create_for_data(self._sheet.data, cairo.FORMAT_ARGB32, *self._size)
        )
        self._background: np.ndarray | None = None
        self._uncovered: tuple[Rectangle, ...] = ()
        self._is_bare = True
        self._known: dict[int, Painted] = {}

    @property
    def pixels(self) -> np.ndarray:
        """The picture, RGBA [height, width, 4]."""
        return self._above.pixels

    def forget(self) -> None:
        """The camera's pixels were changed by someone else: the next picture is drawn as a whole."""
        self._above.looks = None

    def stand(self, mobjects: Iterable[Mobject]) -> None:
        """From now on these are below whatever moves."""
        looks = (*(self._below.looks or ()), *(self._above.looks or ()))
        self._known = {id(look.mobject): look for look in looks}
        if self._camera.background is not self._background:
            self._background, self._below.looks = self._camera.background, None
        assert self._background is not None
        standing = list(mobjects)
        self._is_bare = not standing
        changed = self._draw(self._below, self._background, standing)
        self._uncovered = (*self._uncovered, *changed)

    def show(self, mobjects: Iterable[Mobject]) -> tuple[Rectangle, ...]:
        """Bring the picture up to date, with these above what stands; returns where it is another than before."""
        if self._is_bare and self._camera.background is not self._background:
            self.stand(())
        changed = self._draw(self._above, self._below.pixels, mobjects, uncovered=self._uncovered)
        self._uncovered = ()
        return changed

    def _draw(
        self,
        layer: _Layer,
        below: np.ndarray,
        mobjects: Iterable[Mobject],
        *,
        uncovered: tuple[Rectangle, ...] = (),
    ) -> tuple[Rectangle, ...]:
        mobjects = list(mobjects)
        shown = self._camera.get_mobjects_to_display(mobjects)
        if not all(map(is_outline, shown)):
            self._draw_by_camera(layer, below, mobjects)
            return (self._whole,)
        view = _view(self._camera)
        looks = [painted_now(each, self._camera, view, self._known.get(id(each))) for each in shown]
        self._known |= {id(look.mobject): look for look in looks}
        known = layer.looks is not None and layer.view == view
        places = [*uncovered, *_differences(layer.looks or (), looks)] if known else [self._whole]
        layer.looks, layer.view = looks, view
        drawn = [
            each for band in bands(places, self._size) for each in self._draw_band(layer, below, band, known=known)
        ]
        return tuple(drawn)

    def _draw_by_camera(self, layer: _Layer, below: np.ndarray, mobjects: list[Mobject]) -> None:
        """Draw the whole layer as Manim does: among these is something else than outlines."""
        self._camera.set_pixel_array(below)
        self._camera.capture_mobjects(mobjects)
        layer.looks = None
        if layer is self._below:
            layer.pixels[...] = self._camera.pixel_array
            self._above.looks = None

    def _draw_band(self, layer: _Layer, below: np.ndarray, band: Band, *, known: bool) -> list[Rectangle]:
        """Draw a band of the layer again; returns its rectangles that are not known to be as before."""
        for each in band.rectangles:
            self._sheet[each.slices] = below[each.slices]
        with self._cut_to(band, layer.view):
            for look in layer.looks or ():
                bounds = look.bounds
                if bounds is None or not any(each.meets(bounds) for each in band.rectangles):
                    continue
                if look.is_graded:
                    self._context.reset_clip()
                    self._camera.display_outline(look.mobject, self._context, look.outline.path())
                    self._cut(band, layer.view)
                else:
                    look.draw(self._context, self._camera, band.top - ROWS_BEFORE, band.bottom)
        changed = [
            each
            for each in band.rectangles
            if not (known and _same(self._sheet[each.slices], layer.pixels[each.slices]))
        ]
        for each in changed:
            layer.pixels[each.slices] = self._sheet[each.slices]
        return changed

    @contextmanager
    def _cut_to(self, band: Band, view: tuple[float, ...]) -> Iterator[None]:
        """Draw on the rows of a band only, and put the context back in order."""
        self._context.save()
        try:
            self._cut(band, view)
            yield
        finally:
            self._context.restore()

    def _cut(self, band: Band, view: tuple[float, ...]) -> None:
        context = self._context
        context.identity_matrix()
        context.new_path()
        context.rectangle(0, band.top - ROWS_BEFORE, self._size[0], band.bottom - band.top + ROWS_BEFORE)
        context.clip()
        context.set_matrix(cairo.Matrix(*view[:6]))


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two pictures [row, column, 4] have the same bytes; told by the first rows that differ."""
    ours, theirs = one.view(np.uint32), other.view(np.uint32)
    parts = (slice(top, top + ROWS_AT_ONCE) for top in range(0, len(ours), ROWS_AT_ONCE))
    return all((ours[rows] == theirs[rows]).all() for rows in parts)


def _view(camera: Any) -> tuple[float, ...]:
    """Where a point of the scene is in the picture, as cairo's matrix has it, and how wide a line is.

    A camera keeps its context, and with it the matrix of its first picture, unless it is one that may move.
    """
    matrix = camera.get_cairo_context(camera.pixel_array).get_matrix()
    return (*matrix, camera.cairo_line_width_multiple)


def _differences(before: Sequence[Painted], after: Sequence[Painted]) -> set[Rectangle]:
    """Where a picture of the one differs from a picture of the other."""
    stay = {id(look) for look in before} & {id(look) for look in after}
    order_before = [look for look in before if id(look) in stay]
    order_after = [look for look in after if id(look) in stay]
    others = [look for look in (*before, *after) if id(look) not in stay]
    for pair in zip(order_before, order_after, strict=True):
        if pair[0] is not pair[1]:
            others += pair
    return {look.bounds for look in others if look.bounds is not None}
