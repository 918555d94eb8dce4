"""A table of values as one tone, its opacity linear in the value: many numbers at a glance, with a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from manim import Rectangle, VGroup

from scenes.kit import frame
from scenes.kit.axis import tick_text
from scenes.kit.encoding import Encoding
from scenes.kit.frame import Box
from scenes.kit.text import Prose, Tick
from scenes.kit.theme import Theme
from transformer_core.trace import Cell

FAINTEST = 0.06
"""The opacity of the scale's lowest value: a cell is there, whatever it holds."""


@dataclass(frozen=True)
class OpacityScale:
    """From ``low`` (almost the ground) to ``high`` (the full tone)."""

    name: str
    low: float
    high: float
    channel: Literal["opacity"] = "opacity"

    def drawn(self, value: float) -> float:
        """The opacity of a value."""
        return FAINTEST + (1.0 - FAINTEST) * (value - self.low) / (self.high - self.low)


class HeatMap(VGroup):
    """Cells as rectangles of one tone, its opacity linear in the value; ``lines`` are the columns, each a group."""

    def __init__(
        self, grid: Sequence[Sequence[Cell]], *, box: Box, scale: OpacityScale, theme: Theme, role: str = "data"
    ) -> None:
        super().__init__()
        self.box, self.scale_of_tone, self.theme, self.role = box, scale, theme, role
        self.rows, self.columns = len(grid), len(grid[0])
        self.lines = [VGroup() for _ in range(self.columns)]
        for row, cells in enumerate(grid):
            for column, cell in enumerate(cells):
                self.lines[column].add(self._tile(cell, self.cell_box(row, column)))
        self.add(*self.lines)

    def cell_box(self, row: int, column: int) -> Box:
        """The place of one cell."""
        wide, tall = self.box.width / self.columns, self.box.height / self.rows
        return Box(self.box.left + column * wide, self.box.top + row * tall, wide, tall)

    def part_box(self, rows: slice, columns: slice) -> Box:
        """The place of a block of cells."""
        down, across = range(self.rows)[rows], range(self.columns)[columns]
        first, last = self.cell_box(down[0], across[0]), self.cell_box(down[-1], across[-1])
        return Box(first.left, first.top, last.right - first.left, last.bottom - first.top)

    def _tile(self, cell: Cell, box: Box) -> Rectangle:
        encoding = Encoding(cell, self.scale_of_tone)
        tile = Rectangle(
            width=box.width - 0.03,
            height=box.height - 0.03,
            stroke_width=0,
            fill_color=self.theme.role(self.role),
            fill_opacity=encoding.drawn,
        ).move_to(frame.at(*box.centre))
        tile.encodings = (encoding,)
        return tile


class HeatLegend(VGroup):
    """Swatches of the scale from low to high, their values, and what they measure."""

    def __init__(
        self, heat: HeatMap, text: str, *, place: tuple[float, float], steps: int = 5, width: float = 0.42
    ) -> None:
        super().__init__()
        (x, y), scale, theme = place, heat.scale_of_tone, heat.theme
        for step in range(steps):
            value = scale.low + (scale.high - scale.low) * step / (steps - 1)
            swatch = Rectangle(
                width=width,
                height=0.2,
                stroke_width=1,
                stroke_color=theme.guide,
                fill_color=theme.role(heat.role),
                fill_opacity=scale.drawn(value),
            )
            left = x + step * (width + 0.1)
            self.add(swatch.move_to(frame.at(left + width / 2, y)))
            tick = Tick(tick_text(value), size=frame.CONTEXT_SIZE, color=theme.note)
            self.add(tick.place(left + width / 2, y + 0.24))
        right = x + steps * (width + 0.1)
        self.add(Prose(text, size=frame.NOTE_SIZE, color=theme.note).place(right + 0.06, y, "left"))
