"""Loss against the number of heads: a dot for every seed, a line at every mean, a dashed one at the grammar's own."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from manim import DashedLine, Line, VGroup

from scenes.kit import frame
from scenes.kit.axis import AxisScale, nice_step, nice_ticks, tick_text
from scenes.kit.dots import disc
from scenes.kit.encoding import Encoding
from scenes.kit.frame import Box
from scenes.kit.text import BoundNumber, Prose, Tick, line
from scenes.kit.theme import Theme
from scenes.kit.trained_heads import TrainedHeads

DOT, MEAN = 0.17, 1.1
"""The diameter of a seed's dot; the length of the line at the mean."""


class LossPlot(VGroup):
    """The axes, and for every number of heads its ``dots`` and the line at its mean (``means``).

    The loss axis need not begin at 0: it spans the losses and the floor, and its ticks say what.
    """

    def __init__(
        self, trained: Sequence[TrainedHeads], *, best: TrainedHeads, box: Box, theme: Theme, floor_name: str
    ) -> None:
        super().__init__()
        self.trained, self.best, self.box, self.theme = trained, best, box, theme
        self.floor_cell = next((each.floor for each in trained if each.floor is not None), None)
        values = [cell.value for each in trained for cell in (*each.losses, each.mean)]
        if self.floor_cell is not None:
            values.append(self.floor_cell.value)
        low, high = self.low, self.high = _bounds(values)
        unit = box.height / (high - low)
        bottom = float(frame.at(0, box.bottom)[1])
        self.scale_of_loss = AxisScale("loss", bottom - unit * low, unit, "height")
        self.axes = self._axes()
        self.dots = [self._dots(place, each) for place, each in enumerate(trained)]
        self.means = [self._mean(place, each) for place, each in enumerate(trained)]
        self.floor = self._floor(floor_name)
        self.add(self.axes, self.floor, *self.dots, *self.means)

    def x(self, place: int) -> float:
        """The middle of a number of heads, from the frame's left edge."""
        return self.box.left + self.box.width * (place + 0.5) / len(self.trained)

    def y(self, value: float) -> float:
        """Where a loss lies, from the frame's top edge."""
        return self.box.bottom - self.scale_of_loss.unit * (value - self.low)

    def _dots(self, place: int, trained: TrainedHeads) -> VGroup:
        """The seeds side by side, so that equal losses do not hide one another."""
        room = min(MEAN / max(1, len(trained.losses) - 1), DOT * 1.25)
        group = VGroup()
        for number, cell in enumerate(trained.losses):
            x = self.x(place) + (number - (len(trained.losses) - 1) / 2) * room
            dot = disc(DOT, (x, self.y(cell.value)), self.theme.role("data"))
            dot.encodings = (Encoding(cell, self.scale_of_loss),)
            group.add(dot)
        return group

    def _mean(self, place: int, trained: TrainedHeads) -> Line:
        x, y = self.x(place), self.y(trained.mean.value)
        mark = Line(frame.at(x - MEAN / 2, y), frame.at(x + MEAN / 2, y))
        mark.set_stroke(self.theme.text, width=6 if trained is self.best else 3)
        mark.encodings = (Encoding(trained.mean, self.scale_of_loss),)
        return mark

    def _floor(self, name: str) -> VGroup:
        cell = self.floor_cell
        if cell is None:
            return VGroup()
        y = self.y(cell.value)
        rule = DashedLine(frame.at(self.box.left, y), frame.at(self.box.right, y), dash_length=0.12)
        rule.set_stroke(self.theme.note, width=2.5)
        rule.encodings = (Encoding(cell, self.scale_of_loss),)
        text = Prose(f"{name} ", size=frame.NOTE_SIZE, color=self.theme.note)
        number = BoundNumber(cell, size=frame.NOTE_SIZE, color=self.theme.text, decimals=3)
        line(text, number, x=self.box.right, y=y + 0.24, anchor="right")
        return VGroup(rule, text, number)

    def _axes(self) -> VGroup:
        box, guide = self.box, self.theme.guide
        foot = box.bottom
        group = VGroup(
            Line(frame.at(box.left, foot), frame.at(box.right, foot)),
            Line(frame.at(box.left, foot), frame.at(box.left, box.top)),
        ).set_stroke(guide, width=2)
        ticks = nice_ticks(self.low, self.high, count=5)
        decimals = max(len(tick_text(value).partition(".")[2]) for value in ticks)
        for value in ticks:
            y = self.y(value)
            group.add(Line(frame.at(box.left - 0.08, y), frame.at(box.left, y)).set_stroke(guide, width=2))
            tick = Tick(f"{value:.{decimals}f}", size=frame.LABEL_SIZE, color=self.theme.note)
            group.add(tick.place(box.left - 0.18, y, "right"))
        for place, trained in enumerate(self.trained):
            tick = Tick(str(trained.heads), size=frame.NUMBER_SIZE, color=self.theme.text)
            group.add(tick.place(self.x(place), foot + 0.3))
        return group

    def names(self, across: str, up: str) -> VGroup:
        """What the two axes measure."""
        size, colour = frame.LABEL_SIZE, self.theme.note
        return VGroup(
            Prose(across, size=size, color=colour).place(self.box.right, self.box.bottom + 0.68, "right"),
            Prose(up, size=size, color=colour).place(frame.MARGIN_X, self.box.top - 0.36, "left"),
        )


def _bounds(values: Sequence[float]) -> tuple[float, float]:
    """The ends of the axis: round numbers, with room for the floor's name under it."""
    low, high = min(values), max(values)
    step = nice_step(max(high - low, 1e-3), count=5)
    return step * floor((low - 0.6 * step) / step), step * ceil((high + 0.1 * step) / step)
