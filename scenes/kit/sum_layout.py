"""Where the parts of a weighted sum lie: terms side by side (columns) or one under the other (rows)."""

from __future__ import annotations

from dataclasses import dataclass

from scenes.kit import frame
from scenes.kit.flow import Flow
from scenes.kit.frame import Box

Place = tuple[float, float]
LARGE, SMALL = (0.88, 0.37), (0.60, 0.25)
"""The cell of a vector of up to four entries, and of a longer one."""
OUTPUT_RIGHT = 15.05


@dataclass(frozen=True)
class SumLayout:
    """Places for ``terms`` terms of vectors with ``length`` drawn entries, z, and W_O z = ΔE.

    ``features`` counts the drawn entries of ΔE.
    """

    flow: Flow
    terms: int
    length: int
    features: int

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of one number of the sum."""
        return LARGE if self.length <= 4 else SMALL

    @property
    def number_size(self) -> float:
        """The em size of the sum's numbers."""
        return frame.NUMBER_SIZE if self.length <= 4 else frame.HEIGHT / 40

    @property
    def pitch(self) -> float:
        """From one term to the next."""
        if not self.flow.columns:
            return min(0.52, 2.58 / self.terms)
        room = self.matrix().left - 0.45 - 2.15
        return min(1.45, (room + self._gap) / (self.terms + 1))

    @property
    def _gap(self) -> float:
        return (0.3 if self.terms < 5 else 0.36) if self.length <= 4 else 0.28

    def label(self, term: int) -> Box:
        """The token's name."""
        if self.flow.columns:
            middle = self._across(term)
            width = min(1.2, self.pitch - 0.08)
            return Box(middle - width / 2, 2.1, width, 0.38)
        return Box(2.3, self._down(term) - 0.16, 1.2, 0.32)

    def weight(self, term: int) -> Place:
        """The middle of the weight's number; the place after the last term is that of their sum."""
        return (self._across(term), 2.78) if self.flow.columns else (3.95, self._down(term))

    def value(self, term: int) -> Box:
        """The value vector."""
        if self.flow.columns:
            return self._standing(self._across(term), 3.16)
        return self._lying(4.78, term)

    def weighted(self, term: int) -> Box:
        """The weighted value; the place after the last term is that of z."""
        if self.flow.columns:
            return self._standing(self._across(term), 5.2 if self.length <= 4 else 5.36)
        return self._lying(self.value(0).right + 0.47, term)

    def headings(self) -> tuple[Place, Place, Place]:
        """Where weight, value and weighted value are named: left ends in columns, middles in rows."""
        value, weighted = self.value(0), self.weighted(0)
        if self.flow.columns:
            return (0.8, 2.78), (0.8, value.centre[1]), (0.8, weighted.centre[1])
        return (3.95, 1.34), (value.centre[0], 1.34), (weighted.centre[0], 1.34)

    def masked(self) -> Place:
        """The left end of the note about keys that are not seen."""
        if self.flow.columns:
            return 0.8, 7.3 if self.length <= 4 else 7.55
        return 2.3, 7.5

    def matrix(self) -> Box:
        """W_O."""
        wide = min(self.length, 8)
        if self.flow.columns:
            cell = 0.7 if self.length <= 4 else 0.56
            left = OUTPUT_RIGHT - self.output_width - self.input_width - 2 * self._apart - wide * cell
            return Box(left, 2.36, wide * cell, self.features * self._row)
        top = 4.86 if self.length <= 4 else 4.78
        return Box(OUTPUT_RIGHT - self.features * 0.68, top, self.features * 0.68, wide * self._thick)

    @property
    def output_width(self) -> float:
        """The width of ΔE where it stands."""
        return 0.9 if self.length <= 4 else 0.72

    @property
    def input_width(self) -> float:
        """The width of z where W_O multiplies it."""
        return 0.7 if self.length <= 4 else 0.62

    @property
    def _row(self) -> float:
        return min(0.36, 5.0 / self.features)

    @property
    def _apart(self) -> float:
        return 0.46 if self.length <= 4 else 0.4

    @property
    def _thick(self) -> float:
        return 0.3 if self.length <= 4 else 0.235

    def matrix_input(self) -> Box:
        """z beside W_O; in rows it stays where the sum put it."""
        if not self.flow.columns:
            return self.weighted(self.terms)
        matrix = self.matrix()
        return Box(matrix.right + self._apart, matrix.top, self.input_width, self.length * self._row)

    def output(self) -> Box:
        """ΔE."""
        matrix = self.matrix()
        if self.flow.columns:
            left = self.matrix_input().right + self._apart
            return Box(left, matrix.top, self.output_width, matrix.height)
        return Box(matrix.left, matrix.bottom + (0.34 if self.length <= 4 else 0.26), matrix.width, 0.33)

    def _across(self, term: int) -> float:
        return 2.15 + (self.pitch - self._gap) / 2 + term * self.pitch

    def _down(self, term: int) -> float:
        extra = 0.1 if term == self.terms else 0.0
        return 1.74 + term * self.pitch + extra

    def _standing(self, middle: float, top: float) -> Box:
        width, height = self.cell
        width = min(width, self.pitch - self._gap)
        return Box(middle - width / 2, top, width, self.length * height)

    def _lying(self, left: float, term: int) -> Box:
        height = min(0.34, self.pitch - 0.13)
        return Box(left, self._down(term) - height / 2, self.length * self.cell[0], height)
