"""The filled surfaces of a picture in drawing order: what lies behind a text, and what was put over it.

Rectangles, rounded ones too, count as their box; other shapes are asked point by point (winding number).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import ManimColor

from pipeline.publish.outlines import contours

INVISIBLE_PAINT = 0.01
"""A fill of less opacity changes no colour by more than two levels."""

COVERING = 0.2
"""A fill of at least this opacity over a text hides it."""

SAMPLES = 8
"""Points along each curve of a shape that is no rectangle."""


@dataclass(frozen=True)
class Paint:
    """Filled boxes (box, draw order, colour, opacity) and, for those that are no rectangle, their outline."""

    boxes: np.ndarray
    orders: np.ndarray
    colours: np.ndarray
    opacities: np.ndarray
    outlines: dict[int, np.ndarray]
    ground: np.ndarray

    @classmethod
    def of(cls, parts: Sequence[Any], placed: Callable[[np.ndarray], np.ndarray], camera: Any) -> Paint:
        """The surfaces of some parts. ``placed`` puts points of Manim's coordinates into the frame."""
        parts = [part for part in parts if part.filled > INVISIBLE_PAINT]
        found = contours([part.mobject.points for part in parts])
        sizes = (found.boxes[:, 2] - found.boxes[:, 0]) * (found.boxes[:, 3] - found.boxes[:, 1])
        area = found.moments[:, 0]
        square = np.abs(area) > 0.9 * sizes
        boxes: list[np.ndarray] = []
        owners: list[int] = []
        outlines: dict[int, np.ndarray] = {}
        for owner, part in enumerate(parts):
            own = found.owners == owner
            if square[own].all() and len(set(np.sign(area[own]))) == 1:
                corners = placed(found.boxes[own].reshape(-1, 2)).reshape(-1, 4)
                boxes += list(corners[:, [0, 3, 2, 1]])
                owners += [owner] * len(corners)
            elif own.any():
                # The whole of a mobject fills together, so that a ring keeps its hole.
                outlines[len(boxes)] = placed(_segments(part.mobject.points).reshape(-1, 2)).reshape(-1, 2, 2)
                boxes.append(np.array(part.box))
                owners.append(owner)
        return cls(
            boxes=np.array(boxes).reshape(-1, 4),
            orders=np.array([parts[owner].order for owner in owners], dtype=int),
            colours=np.array([parts[owner].ink for owner in owners]).reshape(-1, 3),
            opacities=np.array([parts[owner].filled for owner in owners]),
            outlines=outlines,
            ground=np.asarray(ManimColor(camera.background_color).to_rgb()),
        )

    def behind(self, points: np.ndarray, order: int) -> np.ndarray:
        """The colour at each point (x, y) before the part with this draw order is drawn."""
        colours = np.repeat(self.ground[None], len(points), axis=0)
        inside = self._inside(points) & (self.orders < order)[None]
        for point, surface in zip(*np.nonzero(inside), strict=True):
            share = self.opacities[surface]
            colours[point] = colours[point] * (1 - share) + self.colours[surface] * share
        return colours

    def covering(self, box: tuple[float, float, float, float], order: int) -> int | None:
        """The draw order of a surface put over more than a sliver of a box after it was drawn."""
        if not len(self.boxes):
            return None
        left, top, right, bottom = box
        wide = np.minimum(self.boxes[:, 2], right) - np.maximum(self.boxes[:, 0], left)
        tall = np.minimum(self.boxes[:, 3], bottom) - np.maximum(self.boxes[:, 1], top)
        over = (wide > 0.02) & (tall > 0.02) & (self.orders > order) & (self.opacities >= COVERING)
        if not over.any():
            return None
        xs, ys = np.linspace(left, right, 7)[1:-1], np.linspace(top, bottom, 5)[1:-1]
        points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        for surface in np.flatnonzero(over):
            outline = self.outlines.get(int(surface))
            if outline is None or _winding(outline, points).any():
                return int(self.orders[surface])
        return None

    def _inside(self, points: np.ndarray) -> np.ndarray:
        x, y = points[:, :1], points[:, 1:]
        left, top, right, bottom = self.boxes.T.reshape(4, -1)
        inside = (x > left) & (x < right) & (y > top) & (y < bottom)
        for surface, outline in self.outlines.items():
            near = np.flatnonzero(inside[:, surface])
            if near.size:
                inside[near, surface] = _winding(outline, points[near])
        return inside


def _segments(points: np.ndarray) -> np.ndarray:
    """Line segments (segment, end, 2) along a mobject's curves, in Manim's coordinates."""
    curves = points[: len(points) // 4 * 4, :2].reshape(-1, 4, 2)
    t = np.linspace(0, 1, SAMPLES + 1)[:, None]
    basis = np.concatenate([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3], axis=1)
    along = np.einsum("sk,ckd->csd", basis, curves)
    segments = np.stack([along[:, :-1], along[:, 1:]], axis=2).reshape(-1, 2, 2)
    gaps = np.abs(curves[1:, 0] - curves[:-1, 3]).max(axis=1) > 1e-6
    first = np.flatnonzero(np.concatenate([[True], gaps]))
    last = np.append(first[1:], len(curves)) - 1
    closing = np.stack([curves[last, 3], curves[first, 0]], axis=1)
    return np.concatenate([segments, closing])


def _winding(segments: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether each point lies inside, by the non-zero winding rule."""
    (x0, y0), (x1, y1) = segments[:, 0].T, segments[:, 1].T
    x, y = points[:, :1], points[:, 1:]
    side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)
    up = (y0 <= y) & (y1 > y) & (side > 0)
    down = (y0 > y) & (y1 <= y) & (side < 0)
    return (up.sum(axis=1) - down.sum(axis=1)) != 0
