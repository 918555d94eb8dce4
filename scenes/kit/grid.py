"""The grid of scores: one query per column (or row), one key per row (or column), every cell with its address."""

from __future__ import annotations

from collections.abc import Callable

from manim import VGroup

from scenes.kit import frame
from scenes.kit.flow import Flow
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.theme import Theme
from transformer_core.trace import Cell


class ScoreGrid(VGroup):
    """An n × n grid as one matrix per query, so that one query's scores can be lit, moved or replaced.

    Its lines are ``labelled``: they keep to the labels of their tokens, which the audit checks.
    With ``only`` the digits of that query alone are shown, the others are shades.
    """

    def __init__(
        self,
        cell: Callable[[int, int], Cell | None],
        *,
        flow: Flow,
        theme: Theme,
        box: Box | None = None,
        size: float = frame.LABEL_SIZE,
        decimals: int = 2,
        only: int | None = None,
    ) -> None:
        super().__init__()
        self.flow = flow
        box = box or flow.grid()
        down, across = flow.axes
        whole = flow.grid_cells(cell)
        self.lines: list[NumberMatrix] = []
        for query in range(flow.tokens):
            cells, place = _line(whole, query, box, flow)
            self.lines.append(
                NumberMatrix(
                    cells,
                    box=place,
                    role="data",
                    theme=theme,
                    down=down,
                    across=across,
                    size=min(size, place.height / len(cells) * 0.8),
                    decimals=decimals,
                    digits=only in (None, query),
                    brackets=False,
                )
            )
        for each in self.lines:
            each.labelled = True
        self.add(*self.lines)

    @property
    def box(self) -> Box:
        """Where the grid is now."""
        first, last = self.lines[0].box, self.lines[-1].box
        return Box(first.left, first.top, last.right - first.left, last.bottom - first.top)

    def cell_box(self, query: int, key: int) -> Box:
        """Where one score is now."""
        line = self.lines[query]
        return line.cell_box(key, 0) if self.flow.columns else line.cell_box(0, key)

    def parts_where(self, chosen: Callable[[Cell], bool], other: ScoreGrid) -> list[NumberMatrix]:
        """The parts of this grid, each on its place, that lie where ``other`` has a cell that is chosen."""
        return [
            mine.part(rows=slice(row, row + 1), columns=slice(column, column + 1), brackets=False)
            for mine, theirs in zip(self.lines, other.lines, strict=True)
            for row, cells in enumerate(theirs.grid)
            for column, cell in enumerate(cells)
            if cell is not None and chosen(cell)
        ]


def _line(whole: list, query: int, box: Box, flow: Flow) -> tuple[list, Box]:
    if flow.columns:
        width = box.width / flow.tokens
        return [[row[query]] for row in whole], Box(box.left + query * width, box.top, width, box.height)
    height = box.height / flow.tokens
    return [whole[query]], Box(box.left, box.top + query * height, box.width, height)
