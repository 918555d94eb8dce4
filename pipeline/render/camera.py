"""A camera that hands whole outlines to cairo as arrays instead of curve by curve.

Only the way a path reaches cairo differs from Manim's camera: the same points in the same order go
through `cairo_append_path`, which makes the same calls in C. Filling, stroking and colours stay Manim's,
so the pixels are identical (held by a test). Where cairo's C functions cannot be reached, Manim's own
loop is used.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

import cairo
import numpy as np
from manim import Camera, Mobject, VMobject
from manim.camera.camera import CAP_STYLE_MAP, LINE_JOIN_MAP

from pipeline.render.family import family_with_points

MOVE_TO, CURVE_TO, CLOSE_PATH = 0, 2, 3
POINTS_PER_CURVE = 4
RELATIVE = 1.0e-5
"""Points meet that are no further apart than this share of their place, beside the tolerance; as np.isclose has it."""
ARRANGEMENTS = 256


class _CairoPath(ctypes.Structure):
    """cairo_path_t: a status, the elements, their count."""

    _fields_ = [("status", ctypes.c_int), ("data", ctypes.c_void_p), ("num_data", ctypes.c_int)]


@cache
def _append_path() -> Any | None:
    """`cairo_append_path` of the very library that pycairo is linked with; None where it is hidden."""
    try:
        function = ctypes.CDLL(cairo._cairo.__file__).cairo_append_path
    except (AttributeError, OSError):
        return None
    function.argtypes = [ctypes.c_void_p, ctypes.POINTER(_CairoPath)]
    function.restype = None
    probe = cairo.Context(cairo.ImageSurface(cairo.FORMAT_A8, 1, 1))
    return function if _pointer_is_where_expected(probe) else None


def _pointer_of(context: cairo.Context) -> int:
    """The cairo_t* of a pycairo context: the first field after the object header."""
    return ctypes.c_void_p.from_address(id(context) + object.__basicsize__).value or 0


def _pointer_is_where_expected(context: cairo.Context) -> bool:
    """Whether cairo knows the pointer as a context with one owner, so that no guess is ever drawn with."""
    reader = ctypes.CDLL(cairo._cairo.__file__).cairo_get_reference_count
    reader.argtypes, reader.restype = [ctypes.c_void_p], ctypes.c_uint
    return type(context).__basicsize__ >= object.__basicsize__ + 8 and reader(_pointer_of(context)) == 1


def _header(kind: int, length: int) -> float:
    """The first 8 bytes of a cairo_path_data_t header, as the double that sits in the same place."""
    return float(np.array([kind, length], dtype=np.int32).view(np.float64)[0])


_MOVE, _CURVE, _CLOSE = _header(MOVE_TO, 2), _header(CURVE_TO, 4), _header(CLOSE_PATH, 1)


def subpaths(points: np.ndarray, tolerance: float) -> np.ndarray:
    """First and last (exclusive) point of each subpath [subpath, 2] of finite points [point, 2].

    As VMobject.get_subpath_split_indices_from_points finds them, those without a whole curve left out.
    """
    starts, ends = points[POINTS_PER_CURVE::POINTS_PER_CURVE], points[POINTS_PER_CURVE - 1 : -1 : POINTS_PER_CURVE]
    apart = np.abs(ends - starts) > tolerance + RELATIVE * np.abs(starts)
    return _splits(len(points), (apart[:, 0] | apart[:, 1]).tobytes())


@lru_cache(maxsize=ARRANGEMENTS)
def _splits(count: int, apart: bytes) -> np.ndarray:
    """What `subpaths` returns for so many points, given for each curve but the first whether a subpath begins."""
    begins = 1 + np.flatnonzero(np.frombuffer(apart, dtype=bool))
    edges = np.concatenate([[0], POINTS_PER_CURVE * begins, [count]])
    splits = np.stack([edges[:-1], edges[1:]], axis=1)
    return splits[splits[:, 1] - splits[:, 0] >= POINTS_PER_CURVE]


def path_elements(points: np.ndarray, splits: np.ndarray, closed: np.ndarray) -> np.ndarray:
    """The cairo_path_data_t array of a mobject's outline.

    points: [4 * curve, 2] cubic Bézier points. splits: [subpath, 2] first and last (exclusive) point of each
    subpath. closed: [subpath] whether it ends where it begins.
    Returns [element, 2] doubles; a header is the bit pattern of its two integers.
    """
    source, headers, kinds = _arrangement(splits.tobytes(), closed.tobytes())
    elements = points[source]
    elements[headers, 0] = kinds
    return elements


@lru_cache(maxsize=ARRANGEMENTS)
def _arrangement(splits: bytes, closed: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which point stands in which element, which elements are headers, and what these are: for many outlines one."""
    starts, ends = np.frombuffer(splits, dtype=int).reshape(-1, 2).T
    is_closed = np.frombuffer(closed, dtype=bool)
    curve_count = (ends - starts) // POINTS_PER_CURVE
    sizes = 2 + 4 * curve_count + is_closed
    first = np.cumsum(sizes) - sizes
    subpath_of_curve = np.repeat(np.arange(len(starts)), curve_count)
    order = np.arange(len(subpath_of_curve)) - np.repeat(np.cumsum(curve_count) - curve_count, curve_count)
    at = first[subpath_of_curve] + 2 + 4 * order
    source = np.zeros(int(sizes.sum()), dtype=int)
    source[first + 1] = starts
    for offset in (1, 2, 3):
        source[at + offset] = starts[subpath_of_curve] + POINTS_PER_CURVE * order + offset
    last = (first + sizes - 1)[is_closed]
    kinds = np.repeat([_MOVE, _CURVE, _CLOSE], [len(first), len(at), len(last)])
    return source, np.concatenate([first, at, last]), kinds


def _ends_meet(points: np.ndarray, splits: np.ndarray, tolerance: float) -> np.ndarray:
    """Whether each subpath ends where it begins: VMobject.consider_points_equals_2d, for all at once."""
    first, last = points[splits[:, 0]], points[splits[:, 1] - 1]
    near = np.abs(first - last) <= tolerance + RELATIVE * np.abs(last)
    return near[:, 0] & near[:, 1]


class ArrayPaths:
    """Mixin for any of Manim's cairo cameras."""

    def get_mobjects_to_display(
        self,
        mobjects: Iterable[Mobject],
        include_submobjects: bool = True,
        excluded_mobjects: list | None = None,
    ) -> list[Mobject]:
        """The mobjects to draw, in their order."""
        if not include_submobjects or excluded_mobjects:
            return super().get_mobjects_to_display(mobjects, include_submobjects, excluded_mobjects)  # type: ignore[misc]
        return family_with_points(mobjects, use_z_index=self.use_z_index)  # type: ignore[attr-defined]

    def display_vectorized(self, vmobject: VMobject, ctx: cairo.Context) -> Any:
        """Draw one mobject, unless nothing of it can leave a mark."""
        if _draws_nothing(vmobject):
            return self
        return super().display_vectorized(vmobject, ctx)  # type: ignore[misc]

    def display_outline(self, vmobject: VMobject, ctx: cairo.Context, path: CairoPath | None) -> None:
        """Draw one mobject that leaves a mark; its path as made before, or None where Manim is to make it."""
        if path is None:
            super().set_cairo_context_path(ctx, vmobject)  # type: ignore[misc]
        else:
            path.become_current(ctx)
        self.apply_stroke(ctx, vmobject, background=True)  # type: ignore[attr-defined]
        self.apply_fill(ctx, vmobject)  # type: ignore[attr-defined]
        self.apply_stroke(ctx, vmobject)  # type: ignore[attr-defined]

    def set_colour(self, ctx: cairo.Context, rgba: Sequence[float]) -> None:
        """Paint with one colour, as `set_cairo_context_color` does."""
        red, green, blue, alpha = rgba
        ctx.set_source_rgba(blue, green, red, alpha)

    def stroke(self, ctx: cairo.Context, rgba: Sequence[float], width: float, vmobject: VMobject) -> None:
        """Stroke the current path in one colour, as `apply_stroke` does."""
        if width == 0:
            return
        self.set_colour(ctx, rgba)
        ctx.set_line_width(width * self.cairo_line_width_multiple)  # type: ignore[attr-defined]
        ctx.set_line_join(LINE_JOIN_MAP[vmobject.joint_type])
        ctx.set_line_cap(CAP_STYLE_MAP[vmobject.cap_style])
        ctx.stroke_preserve()

    def set_cairo_context_path(self, ctx: cairo.Context, vmobject: VMobject) -> Any:
        """Give the context the mobject's outline as its current path."""
        points = self.transform_points_pre_display(vmobject, vmobject.points)  # type: ignore[attr-defined]
        if not len(points) or not arrays_reach_cairo() or vmobject.n_points_per_cubic_curve != POINTS_PER_CURVE:
            return super().set_cairo_context_path(ctx, vmobject)  # type: ignore[misc]
        CairoPath(points, tolerance=vmobject.tolerance_for_point_equality).become_current(ctx)
        return self


class CairoPath:
    """An outline as cairo takes it, to be used any number of times. Only where `arrays_reach_cairo`."""

    def __init__(self, points: np.ndarray, *, tolerance: float, splits: np.ndarray | None = None) -> None:
        """points: finite ones [point, 3 or 2]. tolerance: how near ends meet. splits: those `subpaths` to draw."""
        flat = np.ascontiguousarray(points[:, :2], dtype=np.float64)
        splits = subpaths(flat, tolerance) if splits is None else splits
        # The structure points into the array, so both are kept.
        self._elements = path_elements(flat, splits, _ends_meet(flat, splits, tolerance))
        self._path = _CairoPath(0, self._elements.ctypes.data, len(self._elements))

    def become_current(self, ctx: cairo.Context) -> None:
        """Replace the context's current path by this one."""
        append_path = _append_path()
        assert append_path is not None
        ctx.new_path()
        append_path(_pointer_of(ctx), ctypes.byref(self._path))


def arrays_reach_cairo() -> bool:
    """Whether cairo's C functions can be reached here."""
    return _append_path() is not None


def _draws_nothing(vmobject: VMobject) -> bool:
    """Fully transparent fill, and no stroke that is both visible and wide."""
    return (
        not vmobject.get_fill_rgbas()[:, 3].any()
        and (vmobject.get_stroke_width() == 0 or not vmobject.get_stroke_rgbas()[:, 3].any())
        and (vmobject.get_stroke_width(True) == 0 or not vmobject.get_stroke_rgbas(True)[:, 3].any())
    )


@cache
def fast_camera(base: type[Camera] = Camera) -> type[Camera]:
    """The array-path version of a camera class, so that a scene keeps the kind of camera it asked for."""
    return type(f"ArrayPaths{base.__name__}", (ArrayPaths, base), {})
