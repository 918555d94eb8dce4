"""The table of fingerprints: positions × dimensions as tones, one of them with its numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import pairwise

from manim import Line, VGroup

from scenes.kit import frame
from scenes.kit.elision import elided
from scenes.kit.fixed import dashed
from scenes.kit.flow import window
from scenes.kit.frame import Box
from scenes.kit.heat import HeatLegend, HeatMap, OpacityScale
from scenes.kit.mark import outline
from scenes.kit.matrix import NumberMatrix
from scenes.kit.reading import Reading
from scenes.kit.text import Label, Prose, Tick
from scenes.kit.theme import Theme

SCALE = OpacityScale("fingerprint", -1.0, 1.0)


class Fingerprints:
    """The heat map, the column that is read out of it, names and legend."""

    def __init__(self, reading: Reading, *, layout: str, theme: Theme, word: Callable[..., str]) -> None:
        self.of, self.theme, self.word = reading, theme, word
        self.columns = layout == "columns"
        self.heat = self._heat()
        self.lines = self.heat.lines
        self.frame = dashed(self.heat.box, theme)
        self.mark = outline(self._read_box(), theme.text, pad=0.02, width=4)
        self.matrix = self._matrix()
        self.column = VGroup(self.matrix, dashed(self.matrix.box, theme))
        self.column_name = self._column_name()
        self.legend = HeatLegend(self.heat, word("fingerprint_value"), place=(2.45, 7.2))

    @property
    def entries(self) -> list[int | None]:
        """The dimensions that are drawn."""
        return window(self.of.d_model, shown=16)

    def _heat(self) -> HeatMap:
        positions = range(self.of.shown)
        entries = [entry for entry in self.entries if entry is not None]
        grid = [[self.of.cell(position, entry) for position in positions] for entry in entries]
        if self.columns:
            box = Box(2.45, 1.75, 7.8, 5.1)
        else:
            grid = [list(row) for row in zip(*grid, strict=True)]
            box = Box(2.45, 1.75, 10.4, 4.0)
        return HeatMap(grid, box=box, scale=SCALE, theme=self.theme)

    def _read_box(self) -> Box:
        here = slice(self.of.read, self.of.read + 1)
        return self.heat.part_box(slice(None), here) if self.columns else self.heat.part_box(here, slice(None))

    def _matrix(self) -> NumberMatrix:
        cells = [None if entry is None else self.of.cell(self.of.read, entry) for entry in self.entries]
        box = self.heat.box
        if self.columns:
            place, down, across = Box(12.2, box.top, 1.3, box.height), "d_model", "position"
            grid, size = [[cell] for cell in cells], frame.NUMBER_SIZE
        else:
            place, down, across = Box(box.left, 6.3, box.width, 0.42), "position", "d_model"
            grid, size = [cells], frame.CONTEXT_SIZE * 1.08
        matrix = NumberMatrix(
            grid, box=place, role="data", theme=self.theme, down=down, across=across, size=size, brackets=False
        )
        return matrix.add(*elided(matrix))

    def _column_name(self) -> Label:
        name = Label(self.word("waves_code", p=self.of.read), size=frame.NUMBER_SIZE, color=self.theme.text)
        box = self.matrix.box
        if self.columns:
            return name.place(box.centre[0], box.top - 0.34)
        return name.place(box.left - 0.2, box.centre[1], "right")

    @cached_property
    def position_names(self) -> VGroup:
        """The positions along their side, and what they are."""
        group, box = VGroup(), self.heat.box
        for position in range(self.of.shown):
            cell = self.heat.cell_box(0, position) if self.columns else self.heat.cell_box(position, 0)
            strong = position == self.of.read
            colour = self.theme.text if strong else self.theme.note
            tick = Tick(str(position), size=frame.LABEL_SIZE if strong else frame.NOTE_SIZE, color=colour)
            if self.columns:
                tick.place(cell.centre[0], box.top - 0.26)
            else:
                tick.place(box.left - 0.2, cell.centre[1], "right")
            group.add(tick)
        name = Prose(self.word("waves_position"), size=frame.NOTE_SIZE, color=self.theme.note)
        if self.columns:
            return group.add(name.place(box.left - 0.2, box.top - 0.26, "right"))
        return group.add(name.place(box.left - 0.2, box.top - 0.28, "right"))

    @cached_property
    def ends(self) -> VGroup:
        """The side of the dimensions: fast waves at one end, slow ones at the other."""
        box, size = self.heat.box, frame.NOTE_SIZE
        fast = Prose(self.word("fingerprint_fast"), size=size, color=self.theme.note)
        slow = Prose(self.word("fingerprint_slow"), size=size, color=self.theme.note)
        if self.columns:
            x = box.left - 0.2
            fast.place(x, box.top + 0.2, "right")
            slow.place(x, box.bottom - 0.2, "right")
            shaft = (x - 0.45, box.top + 0.5), (x - 0.45, box.bottom - 0.5)
            tips = ((-0.08, -0.14), (0.08, -0.14))
        else:
            y = box.top - 0.28
            fast.place(box.left, y, "left")
            slow.place(box.right, y, "right")
            shaft = (box.left + fast.advance + 0.3, y), (box.right - slow.advance - 0.3, y)
            tips = ((-0.14, -0.08), (-0.14, 0.08))
        start, end = shaft
        arrow = VGroup(Line(frame.at(*start), frame.at(*end)))
        for dx, dy in tips:
            arrow.add(Line(frame.at(*end), frame.at(end[0] + dx, end[1] + dy)))
        return VGroup(fast, slow, arrow.set_stroke(self.theme.guide, width=2.5))

    @cached_property
    def link(self) -> VGroup:
        """From the marked line of the table to its numbers."""
        here, there = self._read_box(), self.matrix.box
        if self.columns:
            y = here.bottom + 0.16
            places = [(here.centre[0], here.bottom + 0.04), (here.centre[0], y), (11.2, y), (11.2, there.centre[1])]
            places.append((there.left - 0.16, there.centre[1]))
        else:
            x = here.right + 0.3
            places = [(here.right + 0.06, here.centre[1]), (x, here.centre[1]), (x, there.centre[1])]
            places.append((there.right + 0.16, there.centre[1]))
        group = VGroup()
        for (ax, ay), (bx, by) in pairwise(places):
            group.add(Line(frame.at(ax, ay), frame.at(bx, by)))
        return group.set_stroke(self.theme.text, width=3)
