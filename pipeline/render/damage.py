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
    """The cells that damaged places touch, as bands one below the other; nothing outside of `size` (width, height)."""
    width, height = size
    cells = np.zeros((-(-height // CELL), -(-width // CELL)), dtype=bool)
    for each in damaged:
        if each.right > 0 and each.bottom > 0:
            rows = slice(max(0, each.top) // CELL, -(-each.bottom // CELL))
            cells[rows, max(0, each.left) // CELL : -(-each.right // CELL)] = True
    return tuple(
        Band(
            top * CELL,
            min(bottom * CELL, height),
            tuple(
                Rectangle(left * CELL, top * CELL, min(right * CELL, width), min(bottom * CELL, height))
                for left, right in _runs(cells[top:bottom].any(axis=0))
            ),
        )
        for top, bottom in _runs(cells.any(axis=1))
    )


def _runs(marks: np.ndarray) -> list[tuple[int, int]]:
    """First and last (exclusive) place of each stretch of marks."""
    edges = np.flatnonzero(np.diff(marks, prepend=False, append=False)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
