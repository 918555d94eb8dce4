"""Which parts of a picture have to be drawn again: damaged places on a grid of cells, read off as rectangles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

CELL = 16
"""Pixels along a cell's side; even, as the encoder's chroma needs it."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Whole pixels, from left and top up to but without right and bottom."""

    left: int
    top: int
    right: int
    bottom: int

    def meets(self, other: Rectangle) -> bool:
        """Whether the two share a pixel."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def holds(self, other: Rectangle) -> bool:
        """Whether the other lies within."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )

    @property
    def slices(self) -> tuple[slice, slice]:
        """Its rows and columns of an array."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


@dataclass(frozen=True, slots=True)
class Band:
    """Rectangles side by side, all from row `top` to row `bottom`."""

    top: int
    bottom: int
    rectangles: tuple[Rectangle, ...]


def bands(damaged: Iterable[Rectangle], size: tuple[int, int]) -> tuple[Band, ...]:
    """The cells that damaged places touch, as bands one below the other; nothing outside of `size` (width, height).

    The last row and column of cells reach to the picture's edge, so that no rectangle is smaller than a cell.
    """
    width, height = size
    rows, columns = max(1, height // CELL), max(1, width // CELL)
    cells = np.zeros((rows, columns), dtype=bool)
    for each in damaged:
        if each.right > 0 and each.bottom > 0 and each.left < width and each.top < height:
            top, left = min(max(0, each.top) // CELL, rows - 1), min(max(0, each.left) // CELL, columns - 1)
            cells[top : -(-each.bottom // CELL), left : -(-each.right // CELL)] = True
    across = [*range(0, columns * CELL, CELL), width]
    down = [*range(0, rows * CELL, CELL), height]
    return tuple(
        Band(
            down[top],
            down[bottom],
            tuple(
                Rectangle(across[left], down[top], across[right], down[bottom])
                for left, right in _runs(cells[top:bottom].any(axis=0))
            ),
        )
        for top, bottom in _runs(cells.any(axis=1))
    )


def _runs(marks: np.ndarray) -> list[tuple[int, int]]:
    """First and last (exclusive) place of each stretch of marks."""
    edges = np.flatnonzero(np.diff(marks, prepend=False, append=False)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
