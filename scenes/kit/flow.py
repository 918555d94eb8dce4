"""Which way the tokens run: across the top (columns: W·x) or down the side (rows: x·W).

The two layouts are transposes of each other, the whole algebra and not the grid alone. A panel asks the flow where
a token's label, its vector or a cell of the grid lies, and draws the same Cells either way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scenes.kit import frame
from scenes.kit.frame import Box
from scenes.kit.matrix import Grid
from transformer_core.trace import Cell

DIGIT_WIDTH, DIGIT_HEIGHT = 0.62, 0.25
"""The cell of a two-decimal number at context size."""

ONE_LINE = 9
"""So many labels stand side by side; more take turns on two lines."""

SHOWN, HEAD, TAIL = 16, 11, 4
"""An axis longer than ``SHOWN`` shows its first ``HEAD`` and last ``TAIL`` places and says what it leaves out."""


def window(length: int, *, shown: int = SHOWN) -> list[int | None]:
    """The places of an axis that are drawn; ``None`` stands for the elided ones."""
    if length <= shown:
        return list(range(length))
    tail = max(1, shown * TAIL // SHOWN)
    head = shown - tail - 1
    return [*range(head), None, *range(length - tail, length)]


@dataclass(frozen=True)
class Flow:
    """The geometry of one sentence in one layout."""

    layout: str
    tokens: int

    @property
    def columns(self) -> bool:
        """Whether tokens run across and vectors stand upright."""
        return self.layout == "columns"

    @property
    def pitch(self) -> float:
        """The distance between neighbouring tokens."""
        return min(1.3, 10.4 / self.tokens) if self.columns else min(0.5, 4.0 / self.tokens)

    @property
    def staggered(self) -> bool:
        """Whether labels stand in two lines, because one line has no room for them."""
        return self.columns and self.tokens > ONE_LINE

    @property
    def crowded(self) -> bool:
        """Whether vectors stand so close that a bracket around each would be noise."""
        return self.columns and self.pitch < 0.9

    @property
    def full_grid(self) -> bool:
        """Whether all cells of an n × n grid can show their digits without becoming a spreadsheet."""
        return self.tokens <= 10

    def label(self, token: int) -> Box:
        """Where a token's label is."""
        if not self.columns:
            return Box(0.8, 3.1 + token * self.pitch + self.pitch * 0.05, 1.12, self.pitch * 0.9)
        left = 4.5 + token * self.pitch
        if self.staggered:
            return Box(left - self.pitch * 0.42, 1.24 + 0.3 * (token % 2), self.pitch * 1.84, 0.27)
        return Box(left + 0.05, 1.3, self.pitch - 0.1, 0.45)

    def middle(self, token: int) -> float:
        """The coordinate along the sentence of a token's middle: x in columns, y in rows."""
        start = 4.5 if self.columns else 3.1
        return start + (token + 0.5) * self.pitch

    def vector(self, token: int, length: int, *, start: float, cell: tuple[float, float]) -> Box:
        """A token's vector: standing under its label from y = ``start``, or lying beside it from x = ``start``."""
        if self.columns:
            width = min(cell[0], self.pitch - 0.06)
            return Box(self.middle(token) - width / 2, start, width, length * cell[1])
        height = min(cell[1], self.pitch - 0.04)
        return Box(start, self.middle(token) - height / 2, length * cell[0], height)

    def key_label(self, token: int) -> Box:
        """Where a key's label is: beside its row of the grid, or above its column."""
        if self.columns:
            height = self.grid().height / self.tokens
            return Box(0.8, 3.1 + token * height + height * 0.05, 1.12, height * 0.9)
        width = self.grid().width / self.tokens
        left = 4.5 + token * width
        if self.tokens > ONE_LINE:
            return Box(left - width * 0.42, 1.24 + 0.3 * (token % 2), width * 1.84, 0.27)
        return Box(left + 0.04, 1.3, width - 0.08, 0.4)

    def key_vector(self, token: int, length: int) -> Box:
        """A key beside its row of the grid, lying (columns), or above its column, standing (rows)."""
        label = self.key_label(token)
        if self.columns:
            height = min(DIGIT_HEIGHT, self.grid().height / self.tokens - 0.03)
            return Box(1.98, label.centre[1] - height / 2, min(2.44, length * DIGIT_WIDTH), height)
        width = min(DIGIT_WIDTH, self.grid().width / self.tokens - 0.05)
        top = 1.9 if self.tokens > ONE_LINE else 1.84
        return Box(label.centre[0] - width / 2, top, width, min(1.16, length * DIGIT_HEIGHT))

    def grid(self) -> Box:
        """The n × n grid of scores."""
        if self.columns:
            return Box(4.5, 3.1, self.tokens * self.pitch, self.tokens * min(0.5, 4.0 / self.tokens))
        return Box(4.5, 3.1, self.tokens * min(1.3, 10.4 / self.tokens), self.tokens * self.pitch)

    def lay(self, cells: Sequence[Cell | None], *, along_features: bool = True) -> Grid:
        """A vector as a grid: standing in columns, lying in rows (or the other way for ``along_features=False``)."""
        if self.columns == along_features:
            return [[cell] for cell in cells]
        return [list(cells)]

    def grid_cells(self, cell: Callable[[int, int], Cell | None]) -> Grid:
        """The whole grid from ``cell(query, key)``: queries across in columns, down in rows."""
        places = range(self.tokens)
        if self.columns:
            return [[cell(query, key) for query in places] for key in places]
        return [[cell(query, key) for key in places] for query in places]

    @property
    def axes(self) -> tuple[str, str]:
        """The axis names (down, across) of the grid."""
        return ("key", "query") if self.columns else ("query", "key")

    def vector_axes(self, token_axis: str, feature_axis: str) -> tuple[str, str]:
        """The axis names (down, across) of a matrix with one vector per token."""
        return (feature_axis, token_axis) if self.columns else (token_axis, feature_axis)


FORMULA_PLACE = (frame.FORMULA.right, frame.FORMULA.centre[1])
