"""The grid as dots: area = weight, absolute (1 fills the cell), so that dots compare as their weights do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import Circle, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.flow import Flow
from scenes.kit.frame import Box
from scenes.kit.text import Prose, Tick, TokenText
from scenes.kit.theme import Theme
from transformer_core.display import show
from transformer_core.trace import Cell

PIN = 0.028
"""Diameter of the pin-prick that stands for a weight shown as "≈0"."""

QUIET = 0.6
"""The tone of the dots of other queries and of the legend's samples."""

LEGEND = (1.0, 0.5, 0.1)
"""The weights that a legend of weights shows."""


class DotGrid(VGroup):
    """One dot a cell, one group a query (``lines``); a masked place is a faint dash, "≈0" a pin-prick."""

    def __init__(
        self,
        cell: Callable[[int, int], Cell],
        *,
        flow: Flow,
        theme: Theme,
        box: Box,
        asking: int | None = None,
    ) -> None:
        super().__init__()
        self.flow, self.theme, self.box = flow, theme, box
        side = min(box.width, box.height) / flow.tokens
        self.scale_of_area = LinearScale("weight dot", "area", full=side * 0.94)
        self.lines = VGroup(
            *(self._line([cell(query, key) for key in range(flow.tokens)], asking) for query in range(flow.tokens))
        )
        self.add(self.lines)

    def cell_box(self, query: int, key: int) -> Box:
        """The place of one weight."""
        column, row = (query, key) if self.flow.columns else (key, query)
        width, height = self.box.width / self.flow.tokens, self.box.height / self.flow.tokens
        return Box(self.box.left + column * width, self.box.top + row * height, width, height)

    def line_box(self, query: int) -> Box:
        """The place of all weights of one query."""
        first, last = self.cell_box(query, 0), self.cell_box(query, self.flow.tokens - 1)
        return Box(first.left, first.top, last.right - first.left, last.bottom - first.top)

    def heading(self, query: int, token: str) -> TokenText:
        """The token above its column, kept within the grid and the frame."""
        text = TokenText(token, size=frame.LABEL_SIZE * 0.92, color=self.theme.role("query"))
        half, column = text.advance / 2, self.line_box(query)
        x = min(max(column.centre[0], self.box.left + half), frame.WIDTH - frame.MARGIN_X - half)
        return text.place(x, self.box.top - 0.22)

    def _line(self, cells: Sequence[Cell], asking: int | None) -> VGroup:
        query = cells[0].at("query")
        lit = asking is None or query == asking
        colour = self.theme.role("pattern") if lit else self.theme.faint("pattern", QUIET)
        line, dashes = VGroup(), []
        for cell in cells:
            place = self.cell_box(query, cell.at("key"))
            if cell.masked:
                dashes.append(place)
                continue
            line.add(self._dot(cell, place, colour))
        if dashes:
            line.add(_dashes(dashes, self.scale_of_area.full * 0.22, self.theme.guide))
        return line

    def _dot(self, cell: Cell, place: Box, colour: str) -> Circle:
        encoding = Encoding(cell, self.scale_of_area)
        tiny = show(cell).kind == "tiny"
        dot = disc(PIN if tiny else encoding.drawn, place.centre, colour)
        if not tiny:
            dot.encodings = (encoding,)
        return dot


def disc(diameter: float, place: tuple[float, float], colour: str) -> Circle:
    """A filled circle with no outline: its width is its diameter."""
    circle = Circle(radius=diameter / 2, stroke_width=0, fill_color=colour, fill_opacity=1)
    return circle.move_to(frame.at(*place))


def _dashes(places: Sequence[Box], length: float, colour: str) -> VMobject:
    """All dashes of one line as a single mobject."""
    dashes = VMobject(stroke_color=colour, stroke_width=2, fill_opacity=0)
    points = []
    for place in places:
        x, y = place.centre
        points.append(np.linspace(frame.at(x - length / 2, y), frame.at(x + length / 2, y), 4))
    dashes.points = np.concatenate(points)
    return dashes


class DotLegend(VGroup):
    """What area stands for: dots for 1, 0.5 and 0.1 on the grid's own scale, under the grid or at ``place``."""

    def __init__(
        self,
        grid: DotGrid,
        text: str,
        *,
        place: tuple[float, float] | None = None,
        size: float = frame.CONTEXT_SIZE,
    ) -> None:
        super().__init__()
        theme, scale = grid.theme, grid.scale_of_area
        x, y = place or (grid.box.left + 0.02, grid.box.bottom + 0.08 + max(scale.full, 0.2) / 2)
        for value in LEGEND:
            across = scale.drawn(value)
            self.add(disc(across, (x + across / 2, y), theme.faint("pattern", QUIET)))
            tick = Tick(f"{value:g}", size=size, color=theme.note)
            self.add(tick.place(x + across + 0.06, y, "left"))
            x += across + 0.06 + tick.advance + 0.16
        self.add(Prose(text, size=max(size, frame.CONTEXT_SIZE * 1.1), color=theme.note).place(x + 0.08, y, "left"))
