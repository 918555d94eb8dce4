"""The table of fingerprints as a scene reads it: one position, a range of them, a step; and the panel of waves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from manim import Line, Mobject, VGroup

from scenes.kit import frame
from scenes.kit.axis import tick_text
from scenes.kit.elision import elided
from scenes.kit.fixed import dashed
from scenes.kit.flow import DIGIT_HEIGHT, window
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import Constant, Label, Prose, line
from scenes.kit.theme import Theme
from scenes.kit.waves import WaveLanes, wavelength
from transformer_core import derive
from transformer_core.trace import Cell, Trace

Word = Callable[..., str]
READ, STEP, TABLE, OFFSETS, LANES, LAST, FAR = 5, 3, 12, 48, 4, 20, 10_000
"""The position that is read, a step, how many positions a table shows, the largest offset, how many lanes
of waves, and where these end, near and far."""


class Reading:
    """What a scene says about the fingerprints of a trace; positions count from 0, as in the paper."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.context = trace.spec.config.context_length
        self.d_model = trace.spec.config.d_model
        self.shown = min(TABLE, self.context)
        self.read = min(READ, self.shown - 1)
        self.step = min(STEP, self.shown - 1)
        self.farthest = min(OFFSETS, self.context - 1)

    def cell(self, position: int, entry: int) -> Cell:
        """One number."""
        return self.trace.cell("embed.PE", position=position, d_model=entry)

    def column(self, position: int) -> list[Cell]:
        """The whole fingerprint of a position."""
        return [self.cell(position, entry) for entry in range(self.d_model)]

    def apart(self, one: int, other: int) -> Cell:
        """The distance of two fingerprints."""
        return derive.distance(self.column(one), self.column(other))

    def apart_alone(self, one: int, other: int) -> Cell:
        """The same by the first pair of waves alone."""
        return derive.distance(self.column(one)[:2], self.column(other)[:2])

    def product(self, one: int, other: int) -> Cell:
        """PE(p) · PE(q)."""
        return derive.dot(self.column(one), self.column(other))

    @cached_property
    def least_pair(self) -> tuple[int, int]:
        """The two positions of the table whose fingerprints are nearest."""
        pairs = [(p, q) for p in range(self.shown) for q in range(p + 1, self.shown)]
        return min(pairs, key=lambda pair: round(self.apart(*pair).value, 9), default=(0, 0))

    @property
    def least(self) -> Cell:
        """The smallest distance of two different positions of the table."""
        return self.apart(*self.least_pair)

    @cached_property
    def twin(self) -> int:
        """The position that the first pair of waves can hardly tell from position 0."""
        return min(range(1, self.farthest + 1), key=lambda offset: self.apart_alone(0, offset).value, default=0)

    def panel(self, layout: str, theme: Theme, word: Word) -> WavePanel:
        """The waves with the column that they are read into."""
        return WavePanel(self, layout, theme, word)


class WavePanel:
    """Lanes of waves, one reading line, and the fingerprint it reads."""

    def __init__(self, reading: Reading, layout: str, theme: Theme, word: Word) -> None:
        self.of, self.theme, self.word = reading, theme, word
        self.columns = layout == "columns"
        box = Box(3.2, 1.35, 7.75, 5.45) if self.columns else Box(3.2, 1.25, 11.6, 4.25)
        pairs, last = min(LANES, reading.d_model // 2), min(LAST, reading.context - 1)
        self.lanes = WaveLanes(reading.trace, pairs=range(pairs), last=last, box=box, theme=theme)
        self.names = self._names(self.lanes)
        self.axis_name = self.lanes.axis_name(word("waves_position"))
        self.column = self._column()
        self.links = self._links()
        self.key = self.lanes.key(word("waves_sine"), word("waves_cosine"))

    def _names(self, lanes: WaveLanes) -> list[VGroup]:
        names = []
        for row, pair in enumerate(lanes.pairs):
            y = lanes.box.top + (row + 0.5) * lanes.pitch
            wave = tick_text(round(wavelength(self.of.trace, pair), 0 if pair else 1))
            first = Label(self.word("waves_pair", i=pair + 1), size=frame.LABEL_SIZE, color=self.theme.text)
            pieces = [
                Prose(self.word("waves_length") + " ", size=frame.CONTEXT_SIZE, color=self.theme.note),
                Constant(f"≈ {wave}", size=frame.CONTEXT_SIZE, color=self.theme.note),
            ]
            first.place(frame.MARGIN_X, y - 0.16, "left")
            line(*pieces, x=frame.MARGIN_X, y=y + 0.18)
            names.append(VGroup(first, *pieces))
        return names

    def zoomed_out(self) -> list[Mobject] | None:
        """The slowest waves over thousands of positions, in the place of the first; None where all are shown."""
        first = len(self.lanes.pairs)
        slow = range(max(first, self.of.d_model // 2 - LANES), self.of.d_model // 2)
        if not slow:
            return None
        lanes = WaveLanes(self.of.trace, pairs=slow, last=FAR, box=self.lanes.box, theme=self.theme, step=FAR // LAST)
        return [lanes, *self._names(lanes)]

    def reading(self, position: int) -> list[Mobject]:
        """The line at a position and what it reads there."""
        name = Label(self.word("waves_read", p=position), size=frame.LABEL_SIZE, color=self.theme.text)
        x = min(max(self.lanes.x(position), self.lanes.box.left + 0.5), self.lanes.box.right - 0.5)
        y = self.lanes.box.bottom + 0.58
        column = self.column if position == self.of.read else self._column(position)
        return [self.lanes.reading(position), name.place(x, y), column]

    def _column(self, position: int | None = None) -> VGroup:
        place = self.of.read if position is None else position
        shown = window(self.of.d_model, shown=16)
        cells = [None if entry is None else self.of.cell(place, entry) for entry in shown]
        if self.columns:
            box = Box(12.55, 1.75, 0.95, len(cells) * 0.29)
            grid, down, across = [[cell] for cell in cells], "d_model", "position"
        else:
            box = Box(3.0, 6.48, len(cells) * 0.66, DIGIT_HEIGHT * 1.3)
            grid, down, across = [cells], "position", "d_model"
        size = frame.LABEL_SIZE * 0.82 if self.columns else frame.CONTEXT_SIZE
        matrix = NumberMatrix(
            grid, box=box, role="data", theme=self.theme, down=down, across=across, size=size, brackets=False
        )
        matrix.add(*elided(matrix))
        name = Label(self.word("waves_code", p=place), size=frame.LABEL_SIZE, color=self.theme.text)
        if self.columns:
            name.place(box.centre[0], box.top - 0.3)
        else:
            name.place(box.left - 0.2, box.centre[1], "right")
        group = VGroup(matrix, dashed(box, self.theme), name)
        group.matrix = matrix
        return group

    def _links(self) -> VGroup:
        """From each lane to its two numbers, and a word for the numbers of the slower waves."""
        group, theme, matrix = VGroup(), self.theme, self.column.matrix
        pairs = len(self.lanes.lanes)
        if not self.columns:
            return VGroup(*self._under_pairs(matrix, pairs))
        for pair in range(pairs):
            y = self.lanes.box.top + (pair + 0.5) * self.lanes.pitch
            first, last = matrix.cell_box(2 * pair, 0), matrix.cell_box(2 * pair + 1, 0)
            target = (first.top + last.bottom) / 2
            left, right = first.left - 0.28, first.left - 0.2
            bar = Line(frame.at(right, first.top + 0.04), frame.at(right, last.bottom - 0.04))
            lead = Line(frame.at(self.lanes.box.right + 0.12, y), frame.at(left, target))
            hook = Line(frame.at(left, target), frame.at(right, target))
            group.add(VGroup(bar, lead, hook).set_stroke(theme.role("data"), width=2.5))
        rest = self.of.d_model // 2 - pairs
        if rest > 0:
            first, last = matrix.cell_box(2 * pairs, 0), matrix.cell_box(matrix.rows - 1, 0)
            x = first.right + 0.2
            bar = Line(frame.at(x, first.top + 0.05), frame.at(x, last.bottom - 0.05))
            group.add(bar.set_stroke(theme.guide, width=2.5))
            for number, text in enumerate((self.word("waves_rest", n=rest), self.word("waves_slower"))):
                label = Label(text, size=frame.NOTE_SIZE, color=theme.note)
                group.add(label.place(x + 0.14, (first.top + last.bottom) / 2 + (number - 0.5) * 0.3, "left"))
        return group

    def _under_pairs(self, matrix: NumberMatrix, pairs: int) -> list[VGroup]:
        found = []
        for pair in range(pairs + 1):
            first = matrix.cell_box(0, 2 * pair)
            last = matrix.cell_box(0, 2 * pair + 1 if pair < pairs else matrix.columns - 1)
            if pair == pairs and self.of.d_model // 2 <= pairs:
                continue
            y = first.bottom + 0.14
            bar = Line(frame.at(first.left + 0.06, y), frame.at(last.right - 0.06, y))
            rest = self.of.d_model // 2 - pairs
            text = self.word("waves_pair", i=pair + 1) if pair < pairs else self.word("waves_rest_slower", n=rest)
            label = Label(text, size=frame.CONTEXT_SIZE, color=self.theme.note)
            label.place((first.left + last.right) / 2, y + 0.17)
            found.append(VGroup(bar.set_stroke(self.theme.role("data"), width=2.5), label))
        return found
