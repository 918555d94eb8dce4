"""Outlines on a fine grid of whole numbers, with straight pieces told from curved ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.render.drawing import Subpath

STEP = 1e-4
"""Frame units for one step of the grid: a fortieth of a pixel in a 4k frame."""

Piece = tuple[int, ...]
"""Where a straight piece ends (x, y), or the three further points of a curve (x1, y1, x2, y2, x, y)."""


def on_grid(subpath: Subpath) -> tuple[tuple[int, int], list[Piece]]:
    """Where a subpath starts, and its pieces; those without length are left out."""
    grid = np.rint(subpath.curves / STEP).astype(int)
    start = (int(grid[0, 0, 0]), int(grid[0, 0, 1]))
    return start, list(_pieces(grid, start))


def _pieces(grid: np.ndarray, start: tuple[int, int]) -> Iterator[Piece]:
    straight = _straight(grid)
    here = start
    for points, is_line in zip(grid[:, 1:].reshape(len(grid), 6).tolist(), straight, strict=True):
        end = (points[4], points[5])
        if is_line and end != here:
            yield end
        elif not is_line:
            yield tuple(points)
        here = end


def _straight(grid: np.ndarray) -> np.ndarray:
    """Whether both handles of a curve [curve, 4, 2] lie on the line between its ends, to a step of the grid."""
    start, end = grid[:, 0].astype(float), grid[:, 3].astype(float)
    along = end - start
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    straight = np.ones(len(grid), dtype=bool)
    for handle in (grid[:, 1], grid[:, 2]):
        offset = handle - start
        aside = np.abs(along[:, 0] * offset[:, 1] - along[:, 1] * offset[:, 0]) / length
        forward = (along * offset).sum(axis=1) / length
        straight &= (aside <= 1) & (forward >= -1) & (forward <= length + 1)
        straight &= (np.hypot(offset[:, 0], offset[:, 1]) <= 1) | (length >= 1)
    return straight
