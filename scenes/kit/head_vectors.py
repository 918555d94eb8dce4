"""Vectors and blocks of several heads on one stage: every one a matrix that may be of any head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from manim import VGroup

from scenes.kit import frame
from scenes.kit.concat_layout import ConcatLayout, Place
from scenes.kit.elision import elided
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.head_sum import HeadSum
from scenes.kit.matrix import Grid, NumberMatrix
from scenes.kit.numbered import Numbered
from scenes.kit.text import Prose
from scenes.kit.theme import Theme
from transformer_core.trace import Cell

LETTER = frame.LABEL_SIZE * 1.1


@dataclass(frozen=True)
class HeadVectors:
    """Draws what a ``HeadSum`` holds: standing vectors in columns, lying ones in rows."""

    numbers: HeadSum
    layout: ConcatLayout
    theme: Theme

    def block(self, head: int, box: Box, **settings: Any) -> NumberMatrix:
        """W_O of one head."""
        grid: Grid = self.numbers.block(head)
        down, across = "d_model", "d_head"
        if not self.layout.flow.columns:
            grid, down, across = [list(row) for row in zip(*grid, strict=True)], across, down
        return self.matrix(grid, box, "weight", down, across, **settings)

    def result(self, head: int, box: Box, **settings: Any) -> NumberMatrix:
        """z of one head."""
        return self._vector(self.numbers.result(head), box, "data", "query", "d_head", accent="value", **settings)

    def change(self, cells: Sequence[Cell | None], box: Box, **settings: Any) -> NumberMatrix:
        """ΔE of one head, or of all."""
        return self._vector(cells, box, "delta", "position", "d_model", accent="delta", **settings)

    def product(self, box: Box, **settings: Any) -> NumberMatrix:
        """ΔE as one product, entry by entry a dot product with the asking token's z where heads are several."""
        if len(self.numbers.heads) == 1:
            return self.change(self.numbers.product, box, **settings)
        return self._vector(self.numbers.product, box, "delta", "query", "d_model", accent="delta", **settings)

    def bias(self, box: Box) -> NumberMatrix:
        """b_O."""
        return self._vector(self.numbers.bias or (), box, "weight", "none", "d_model", accent="weight")

    def _vector(self, cells, box, role, token_axis, feature_axis, *, accent, **settings: Any) -> NumberMatrix:
        down, across = self.layout.flow.vector_axes(token_axis, feature_axis)
        matrix = self.matrix(self.layout.flow.lay(cells), box, role, down, across, **settings)
        matrix.brackets.set_stroke(self.theme.role(accent))
        return matrix

    def matrix(self, grid: Grid, box: Box, role: str, down: str, across: str, **settings: Any) -> NumberMatrix:
        """A matrix that may be of another head than the scene's own."""
        matrix = NumberMatrix(grid, box=box, role=role, theme=self.theme, down=down, across=across, **settings)
        matrix.all_heads = True
        return matrix.add(elided(matrix))

    def dots(self, box: Box, *, upright: bool) -> Prose:
        """What stands for the heads that are not drawn."""
        return Prose("⋮" if upright else "⋯", size=frame.LABEL_SIZE, color=self.theme.note).place(*box.centre)

    def sign(self, text: str, place: Place) -> Prose:
        """A sign between two things."""
        return Prose(text, size=frame.NUMBER_SIZE, color=self.theme.note).place(*place)

    def letter(self, source: str, place: Place) -> Formula:
        """The letter of a thing."""
        return Formula(source, size=LETTER, theme=self.theme).move_to(frame.at(*place))

    def numbered(self, source: str, head: int, place: Place, role: str) -> VGroup:
        """The letter of a head's thing with the head's number."""
        return Numbered(source, head + 1, place=place, size=LETTER, theme=self.theme, role=role)
