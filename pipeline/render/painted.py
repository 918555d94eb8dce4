"""What a camera would paint for one mobject, kept, so that a change is noticed and its place is known.

Manim's mobjects change in any way at any time, and nothing tells of it. So everything that the camera reads of a
mobject is compared with what it was in the picture before.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, NamedTuple

import cairo
import numpy as np
from manim import LineJointType, Mobject, VMobject

from pipeline.render.camera import POINTS_PER_CURVE, CairoPath, arrays_reach_cairo, subpaths
from pipeline.render.coverage import SEEN_THROUGH, Coverage
from pipeline.render.damage import Rectangle

MITER_LIMIT = 10.0
"""cairo's: a mitred corner reaches at most this times half the line's width."""
SQUARE_CAP = math.sqrt(2.0)
CAIRO_GRID = 256
TREMBLING = 1e-12
"""Frame units; SAFE times as far nothing may lie from where rounding turns."""
SAFE = 4
COVERED_FROM = 128
"""Points from which on an outline costs more to fill than its coverage to look at."""
CUT_FROM = 2048
"""Points from which on it pays to look for the subpaths that are needed."""
ANTIALIASING = 2
"""Pixels around an outline that are certainly untouched beyond."""


def is_outline(mobject: Mobject) -> bool:
    """Whether the mobject is painted from its points and colours alone."""
    return (
        isinstance(mobject, VMobject)
        and not mobject.get_background_image()
        and mobject.n_points_per_cubic_curve == POINTS_PER_CURVE
    )


class Outline:
    """The points of a mobject, and what follows from them alone. `view` starts with cairo's matrix."""

    def __init__(self, mobject: VMobject, view: tuple[float, ...]) -> None:
        self.points, self.view = np.array(mobject.points), view
        # Bytes are compared several times as fast as short arrays.
        self._bytes = self.points.tobytes()
        self._tolerance = mobject.tolerance_for_point_equality
        self._was_filled = False
        self._coverage: Coverage | None = None

    def is_for(self, points: np.ndarray, view: tuple[float, ...]) -> bool:
        """Whether cairo would see the same outline in these points.

        Manim's animations let the points of what only fades tremble in their last bits; cairo rounds them to 1/256
        of a pixel.
        """
        if view != self.view or points.shape != self.points.shape:
            return False
        if not len(points) or points.tobytes() == self._bytes:
            return True
        # Most of what moves is told by its first point.
        if not abs(points[0, 0] - self.points[0, 0]) <= TREMBLING:
            return False
        apart = points - self.points
        return np.abs(apart, out=apart).max() <= TREMBLING and self._is_rounded_safely

    @cached_property
    def _is_rounded_safely(self) -> bool:
        """Whether no point lies so near the middle between two of cairo's places that trembling could decide."""
        places = self.points[:, :2] @ np.array(self.view[:4]).reshape(2, 2) + self.view[4:6]
        beyond = np.abs(places * CAIRO_GRID % 1 - 0.5)
        return bool((beyond > SAFE * TREMBLING * CAIRO_GRID * max(map(abs, self.view[:4]))).all())

    @cached_property
    def box(self) -> tuple[float, float, float, float] | None:
        """Left, top, right and bottom of the points in pixels; None where nothing can be drawn."""
        if len(self.points) < POINTS_PER_CURVE:
            return None
        # Along a row NumPy is several times as fast as along a column.
        rows = self.points.T.copy()
        (left, top, near), (right, bottom, far) = rows.min(axis=1).tolist(), rows.max(axis=1).tolist()
        if not all(map(math.isfinite, (left, top, near, right, bottom, far))):
            return None
        across, down, x, y = self.view[0], self.view[3], self.view[4], self.view[5]
        low, high = sorted((top * down + y, bottom * down + y))
        return left * across + x, low, right * across + x, high

    @cached_property
    def subpaths(self) -> np.ndarray:
        """First and last (exclusive) point of each subpath [subpath, 2], those without a whole curve left out."""
        return subpaths(self.points[:, :2], self._tolerance)

    @cached_property
    def _rows(self) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and the highest row of each subpath's points."""
        rows = self.points[:, 1] * self.view[3] + self.view[5]
        # A subpath may end after the last point, which would be beyond the array.
        rows, ends = np.append(rows, rows[-1]), self.subpaths.ravel()
        # Every second stretch is what lies between two subpaths.
        return np.minimum.reduceat(rows, ends)[::2], np.maximum.reduceat(rows, ends)[::2]

    @cached_property
    def _path(self) -> CairoPath:
        return CairoPath(self.points, tolerance=self._tolerance, splits=self.subpaths)

    def path(self) -> CairoPath | None:
        """All of it for cairo; None where Manim has to make it."""
        return self._path if arrays_reach_cairo() else None

    def coverage(self, place: Rectangle, camera: Any) -> Coverage | None:
        """Of the pixels in `place`, where it is filled again and again and cairo takes long for it."""
        again, self._was_filled = self._was_filled, True
        if self._coverage is None and again and len(self.points) >= COVERED_FROM and arrays_reach_cairo():
            self._coverage = Coverage(self._path, self.view, place, (camera.pixel_width, camera.pixel_height))
        return self._coverage

    def path_between(self, top: float, bottom: float) -> CairoPath | None:
        """Enough of it to draw the pixel rows from `top` to `bottom`: all if it is short, else the subpaths there."""
        if len(self.points) < CUT_FROM or not arrays_reach_cairo():
            return self.path()
        low, high = self._rows
        kept = self.subpaths[(low < bottom) & (high > top)]
        return CairoPath(self.points, tolerance=self._tolerance, splits=kept)


class Paint(NamedTuple):
    """Everything but the points that decides how a camera paints a mobject.

    Colours are RGBA from 0 to 1, more than one for a gradient, whose ends are told; `behind` is the stroke that
    lies under the fill; `line` is the width of both strokes, joint and cap.
    """

    fill: list[list[float]]
    stroke: list[list[float]]
    behind: list[list[float]]
    gradient: bytes
    line: tuple[float, float, Any, Any]
    tolerance: float

    @property
    def leaves_a_mark(self) -> bool:
        """Whether it has a fill that is not fully transparent, or a stroke that is neither that nor without width."""
        width, width_behind, *_ = self.line
        return (
            _can_be_seen(self.fill)
            or (width > 0 and _can_be_seen(self.stroke))
            or (width_behind > 0 and _can_be_seen(self.behind))
        )


def _can_be_seen(colours: list[list[float]]) -> bool:
    return any(rgba[3] for rgba in colours)


class Painted:
    """One mobject as it was painted once: its outline, and all else that the camera reads of it."""

    def __init__(
        self, mobject: VMobject, camera: Any, outline: Outline, paint: Paint, before: Painted | None = None
    ) -> None:
        """`before`: how it was painted last, of which what depends on outline and line alone is taken over."""
        self.mobject, self.outline, self.paint = mobject, outline, paint
        self.is_graded = bool(paint.gradient)
        if before is not None and before.outline is outline and before.paint.line == paint.line:
            self._reach, self._place = before._reach, before._place
        else:
            self._reach = _reach(paint, camera, outline.view) + ANTIALIASING
            self._place = self._bounds()
        self.bounds = self._place if paint.leaves_a_mark else None
        """The pixels that it may have touched; None where there are none."""

    def draw(self, context: cairo.Context, camera: Any, top: int, bottom: int) -> None:
        """Draw as much of it as the pixel rows from `top` up to but without `bottom` need; not for a gradient."""
        [fill], [stroke], [behind], _, (width, width_behind, *_), _ = self.paint
        lined = (width and stroke[3]) or (width_behind and behind[3])
        if not lined and fill[3] < SEEN_THROUGH and self.bounds is not None:
            coverage = self.outline.coverage(self.bounds, camera)
            if coverage is not None:
                camera.set_colour(context, fill)
                coverage.fill(context)
                return
        path = self.path_between(top, bottom)
        if path is None:
            camera.set_cairo_context_path(context, self.mobject)
        else:
            path.become_current(context)
        camera.stroke(context, behind, width_behind, self.mobject)
        camera.set_colour(context, fill)
        context.fill_preserve()
        camera.stroke(context, stroke, width, self.mobject)

    def path_between(self, top: int, bottom: int) -> CairoPath | None:
        """What is to be drawn of it for the pixel rows from `top` up to but without `bottom`, as for a camera."""
        if self.bounds is None or (top <= self.bounds.top and self.bounds.bottom <= bottom):
            return self.outline.path()
        return self.outline.path_between(top - self._reach, bottom + self._reach)

    def _bounds(self) -> Rectangle | None:
        box = self.outline.box
        if box is None:
            return None
        left, top, right, bottom = box
        return Rectangle(
            math.floor(left - self._reach),
            math.floor(top - self._reach),
            math.ceil(right + self._reach),
            math.ceil(bottom + self._reach),
        )


def painted_now(mobject: VMobject, camera: Any, view: tuple[float, ...], before: Painted | None) -> Painted:
    """The mobject as the camera would paint it: `before` itself where nothing has changed since."""
    paint = _paint(mobject, camera)
    outline = before.outline if before is not None else None
    if outline is None or not outline.is_for(mobject.points, view):
        outline = Outline(mobject, view)
    if before is not None and outline is before.outline and paint == before.paint:
        return before
    return Painted(mobject, camera, outline, paint, before)


def _paint(mobject: VMobject, camera: Any) -> Paint:
    fill, stroke, behind = (
        np.asarray(camera.get_fill_rgbas(mobject)).tolist(),
        np.asarray(camera.get_stroke_rgbas(mobject)).tolist(),
        np.asarray(camera.get_stroke_rgbas(mobject, background=True)).tolist(),
    )
    gradient = b""
    if len(fill) > 1 or len(stroke) > 1 or len(behind) > 1:
        gradient = np.asarray(mobject.get_gradient_start_and_end_points()).tobytes()
    line = mobject.get_stroke_width(), mobject.get_stroke_width(True), mobject.joint_type, mobject.cap_style
    return Paint(fill, stroke, behind, gradient, line, mobject.tolerance_for_point_equality)


def _reach(paint: Paint, camera: Any, view: tuple[float, ...]) -> float:
    """How far, in pixels, a stroke may go beyond the points."""
    stroke, behind, joint, _ = paint.line
    width = max(stroke, behind) * camera.cairo_line_width_multiple
    corner = SQUARE_CAP if joint in (LineJointType.ROUND, LineJointType.BEVEL) else MITER_LIMIT
    return width / 2 * corner * max(abs(view[0]), abs(view[3]))
