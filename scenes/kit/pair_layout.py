"""Where two sentences of the same words stand, mirrored, so that lines between equal words can cross.

Columns: the first above, the second below, vectors upright, the machine between input and output runs from
left to right. Rows: the transpose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scenes.kit.frame import Box

Side = Literal["in", "out"]
STARTS = {"columns": (1.42, {"in": 0.9, "out": 6.6}), "rows": (0.85, {"in": 1.62, "out": 5.42})}
"""Where the mirrored direction begins, and where the blocks begin along the sentence."""
ROOM = {"columns": 3.3, "rows": 2.05}
"""The room of one block along the sentence."""
MACHINE = {"columns": (4.75, 1.35), "rows": (4.06, 0.98)}
WIDE = 0.95
"""The width of a label that may reach over its neighbours' columns."""
NEAR = 0.13
"""From a label to its vector."""


@dataclass(frozen=True)
class PairLayout:
    """The geometry of two sentences of ``tokens`` tokens through one machine."""

    layout: str
    tokens: int

    @property
    def columns(self) -> bool:
        """Whether tokens run across."""
        return self.layout == "columns"

    @property
    def pitch(self) -> float:
        """From one token to the next."""
        return min(1.0 if self.columns else 0.62, ROOM[self.layout] / self.tokens)

    @property
    def staggered(self) -> bool:
        """Whether labels stand in two lines, because one has no room for them."""
        return self.pitch < (0.8 if self.columns else 0.33)

    @property
    def label_depth(self) -> float:
        """The room of the labels at a right angle to the sentence."""
        if self.columns:
            return 0.46 if self.staggered else 0.38
        return 1.72 if self.staggered else 1.05

    @property
    def vector_length(self) -> float:
        """How long a vector is."""
        return 1.5 if self.staggered and not self.columns else 2.16

    @property
    def gap(self) -> float:
        """The room that the crossing lines have between the sentences."""
        return 0.62 if self.staggered else 0.78

    @property
    def crowded(self) -> bool:
        """Whether vectors stand so close that a bracket around each would be noise."""
        return self.pitch < (0.5 if self.columns else 0.3)

    def _along(self, side: Side, token: int) -> float:
        start = STARTS[self.layout][1][side]
        used = self.pitch * self.tokens
        return start + (ROOM[self.layout] - used) / 2 + token * self.pitch

    def _across(self, sentence: int) -> tuple[float, float, float]:
        """Start of the label, start of the vector, end of the vector: the second sentence is mirrored."""
        base, label = STARTS[self.layout][0], self.label_depth
        vector, length = base + label + NEAR, self.vector_length
        if sentence == 0:
            return base, vector, vector + length
        second = vector + length + self.gap
        return second + length + NEAR, second, second + length

    def _box(self, along: float, length: float, across: float, depth: float) -> Box:
        return Box(along, across, length, depth) if self.columns else Box(across, along, depth, length)

    def label(self, sentence: int, side: Side, token: int) -> Box:
        """A token's label, at the outer end of its vector."""
        across, _, _ = self._across(sentence)
        along = self._along(side, token)
        if self.staggered:
            half, wide = self.label_depth / 2, self.pitch * (1.84 if self.columns else 1.9)
            return self._box(along + (self.pitch - wide) / 2, wide, across + half * (token % 2), half - 0.01)
        pad = 0.04 if self.columns else 0.05
        return self._box(along + pad, self.pitch - 2 * pad, across, self.label_depth)

    @property
    def narrow(self) -> bool:
        """Whether labels of all tokens would be too narrow to be read."""
        return self.columns and self.pitch < 0.4

    def wide_label(self, sentence: int, side: Side, token: int, *, row: int) -> Box:
        """A label wider than its token's column, within the block, in one of two lines."""
        across, _, _ = self._across(sentence)
        start = STARTS[self.layout][1][side]
        along = self._along(side, token) + (self.pitch - WIDE) / 2
        along = min(max(along, start), start + ROOM[self.layout] - WIDE)
        half = self.label_depth / 2
        return self._box(along, WIDE, across + half * (row % 2), half - 0.01)

    def vector(self, sentence: int, side: Side, token: int) -> Box:
        """A token's vector."""
        _, start, _ = self._across(sentence)
        thick = min(0.62 if self.columns else 0.4, self.pitch * 0.82)
        return self._box(self._along(side, token) + (self.pitch - thick) / 2, thick, start, self.vector_length)

    def inner_end(self, sentence: int, side: Side, token: int) -> tuple[float, float]:
        """The end of a vector that faces the other sentence."""
        _, start, end = self._across(sentence)
        middle, inner = self._along(side, token) + self.pitch / 2, (end if sentence == 0 else start)
        inner += 0.08 if sentence == 0 else -0.08
        return (middle, inner) if self.columns else (inner, middle)

    def block(self, sentence: int, side: Side) -> Box:
        """All vectors of one sentence at the machine's one end."""
        _, start, _ = self._across(sentence)
        first = self._along(side, 0)
        return self._box(first, self.pitch * self.tokens, start, self.vector_length)

    def machine(self) -> Box:
        """The box of attention that both sentences pass through."""
        _, start, _ = self._across(0)
        _, _, end = self._across(1)
        along, length = MACHINE[self.layout]
        return self._box(along, length, start, end - start)

    def flow(self, sentence: int) -> tuple[tuple[float, float], ...]:
        """Where one sentence enters the machine and where it leaves: four points, two arrows."""
        block, machine = self.block(sentence, "in"), self.machine()
        out = self.block(sentence, "out")
        if self.columns:
            y = block.centre[1]
            return (block.right + 0.08, y), (machine.left - 0.06, y), (machine.right + 0.06, y), (out.left - 0.08, y)
        x = block.centre[0]
        return (x, block.bottom + 0.06), (x, machine.top - 0.05), (x, machine.bottom + 0.05), (x, out.top - 0.06)
