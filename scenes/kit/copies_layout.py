"""Where a token's vector, the heads that read it and the table of their costs lie, in both layouts."""

from __future__ import annotations

from dataclasses import dataclass

from scenes.kit.flow import Flow
from scenes.kit.frame import Box

ROW, COLUMN = 1.2, 3.1
"""From one head to the next: downwards (columns), across (rows)."""


@dataclass(frozen=True)
class CopiesLayout:
    """Places for ``heads`` heads under each other (columns) or side by side (rows)."""

    flow: Flow
    heads: int

    def vector(self) -> Box:
        """The vector that every head reads."""
        return Box(0.98, 2.4, 0.66, 4.8) if self.flow.columns else Box(2.35, 1.5, 12.4, 0.3)

    def _middle(self, place: int) -> float:
        centre = self.vector().centre[1] if self.flow.columns else self.vector().centre[0]
        return centre + (place - (self.heads - 1) / 2) * (ROW if self.flow.columns else COLUMN)

    def head(self, place: int) -> Box:
        """The frame around one head."""
        middle = self._middle(place)
        return Box(2.55, middle - 0.48, 6.75, 0.96) if self.flow.columns else Box(middle - 1.4, 2.72, 2.8, 2.12)

    def label(self, place: int) -> tuple[float, float]:
        """The middle of the head's name."""
        box = self.head(place)
        return (box.left + 0.5, box.centre[1]) if self.flow.columns else (box.centre[0], box.bottom + 0.2)

    def weight(self, place: int, order: int) -> Box:
        """W_Q, W_K or W_V (order 0, 1, 2) of one head."""
        box = self.head(place)
        if self.flow.columns:
            return Box(box.left + 1.06 + order * 1.92, box.centre[1] - 0.3, 1.28, 0.6)
        return Box(box.centre[0] - 1.1 + order * 0.84, box.top + 0.5, 0.52, 1.14)

    def result(self, place: int, order: int) -> Box:
        """q, k or v beside (columns) or under (rows) its matrix."""
        box = self.weight(place, order)
        return (
            Box(box.right + 0.2, box.top, 0.14, box.height)
            if self.flow.columns
            else Box(box.left, box.bottom + 0.19, box.width, 0.14)
        )

    def symbol(self, place: int, order: int) -> tuple[float, float]:
        """The middle of a matrix's letter: over the uppermost head (columns), over every matrix (rows)."""
        box = self.weight(place, order)
        return box.centre[0], self.head(place).top - 0.22 if self.flow.columns else box.top - 0.24

    def joint(self, place: int) -> tuple[float, float]:
        """Where the lines from the vector's entries meet."""
        box = self.head(place)
        return (box.left, box.centre[1]) if self.flow.columns else (box.centre[0], box.top)

    def table(self) -> Box:
        """The table of costs."""
        return Box(9.9, 2.4, 5.25, 3.3) if self.flow.columns else Box(2.35, 5.3, 8.6, 1.92)

    def grid(self, place: int, below: float) -> Box:
        """A head's small n × n grid: in a line under what ends at ``below`` (columns), two and two (rows)."""
        if self.flow.columns:
            pitch = (15.15 - 9.9 + 0.3) / self.heads if self.heads > 3 else 1.55
            side = min(pitch - 0.3, 7.2 - below)
            return Box(9.9 + place * pitch, below, side, side)
        return Box(12.0 + place % 2 * 1.4, 5.38 + place // 2 * 1.12, 1.0, 1.0)

    def note(self) -> tuple[float, float]:
        """The left end of what is said about a head's input and output."""
        return (2.55, 7.4) if self.flow.columns else (2.35, 7.48)
