"""A value against a whole-numbered offset, as dots: two series on one pair of axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import Circle, DashedLine, DashedVMobject, Line, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.axis import AxisScale, nice_ticks, tick_text
from scenes.kit.dots import disc
from scenes.kit.encoding import Encoding
from scenes.kit.frame import Box
from scenes.kit.text import BoundNumber, Label, Prose, Tick
from scenes.kit.theme import Theme
from transformer_core.trace import Cell

SAMPLES = 12
"""Points of a curve from one offset to the next."""


class OffsetPlot(VGroup):
    """Dots from offset 0 on; ``rings`` are drawn hollow. The value axis runs from 0 to ``high``.

    ``curves`` give both values between the offsets, for a faint line.
    """

    def __init__(
        self,
        full: Sequence[Cell],
        rings: Sequence[Cell],
        *,
        curves: tuple[Callable[[float], float], Callable[[float], float]],
        high: float,
        box: Box,
        theme: Theme,
    ) -> None:
        super().__init__()
        self.box, self.theme, self.last = box, theme, len(full) - 1
        bottom = float(frame.at(0, box.bottom)[1])
        self.scale_of_height = AxisScale("distance", bottom, box.height / high, "height")
        self.axes = self._axes(high)
        self.rings = VGroup(
            self._curve(curves[1], broken=True),
            *(self._dot(offset, cell, hollow=True) for offset, cell in enumerate(rings)),
        )
        self.dots = VGroup(
            self._curve(curves[0], broken=False), *(self._dot(offset, cell) for offset, cell in enumerate(full))
        )
        self.add(self.axes, self.rings, self.dots)

    def x(self, offset: float) -> float:
        """Where an offset lies, from the frame's left edge."""
        return self.box.left + self.box.width * offset / self.last

    def y(self, cell: Cell) -> float:
        """Where a value lies, from the frame's top edge."""
        return self.box.bottom - self.scale_of_height.unit * cell.value

    def _dot(self, offset: int, cell: Cell, *, hollow: bool = False) -> Circle:
        dot = disc(0.1, (self.x(offset), self.y(cell)), self.theme.role("data"))
        if hollow:
            dot.set_fill(self.theme.ground, 1).set_stroke(self.theme.role("data"), width=2)
        dot.encodings = (Encoding(cell, self.scale_of_height),)
        return dot

    def _axes(self, high: float) -> VGroup:
        box, guide = self.box, self.theme.guide
        group = VGroup(
            Line(frame.at(box.left, box.bottom), frame.at(box.right, box.bottom)),
            Line(frame.at(box.left, box.bottom), frame.at(box.left, box.top)),
        ).set_stroke(guide, width=2)
        for value in nice_ticks(0.0, high, count=4):
            y = box.bottom - self.scale_of_height.unit * value
            group.add(Line(frame.at(box.left - 0.07, y), frame.at(box.left, y)).set_stroke(guide, width=2))
            tick = Tick(tick_text(value), size=frame.NOTE_SIZE, color=self.theme.note)
            group.add(tick.place(box.left - 0.14, y, "right"))
        for offset in range(0, self.last + 1, 10):
            x = self.x(offset)
            group.add(Line(frame.at(x, box.bottom), frame.at(x, box.bottom + 0.07)).set_stroke(guide, width=2))
            tick = Tick(str(offset), size=frame.NOTE_SIZE, color=self.theme.note)
            group.add(tick.place(x, box.bottom + 0.24))
        return group

    def _curve(self, value: Callable[[float], float], *, broken: bool) -> VMobject:
        """Between whole offsets there is nothing; a faint line leads the eye from one to the next."""
        places = np.linspace(0, self.last, self.last * SAMPLES + 1)
        heights = [self.scale_of_height.drawn(value(place)) for place in places]
        points = [[self.x(place) - frame.WIDTH / 2, y, 0] for place, y in zip(places, heights, strict=True)]
        curve = VMobject(stroke_color=self.theme.faint("data", 0.45), stroke_width=1.5, fill_opacity=0)
        curve.set_points_as_corners(points)
        return DashedVMobject(curve, num_dashes=160) if broken else curve

    def names(self, across: str, up: str) -> VGroup:
        """What the two axes measure."""
        size, colour = frame.NOTE_SIZE, self.theme.note
        return VGroup(
            Prose(across, size=size, color=colour).place(self.box.right, self.box.bottom + 0.54, "right"),
            Prose(up, size=size, color=colour).place(self.box.left - 0.3, self.box.top - 0.26, "left"),
        )

    def key(self, full: str, rings: str, *, place: tuple[float, float]) -> VGroup:
        """Which dots mean what."""
        x, y = place
        group = VGroup()
        for row, (text, hollow) in enumerate(((full, False), (rings, True))):
            sample = disc(0.14, (x, y + row * 0.4), self.theme.role("data"))
            if hollow:
                sample.set_fill(self.theme.ground, 1).set_stroke(self.theme.role("data"), width=2)
            label = Prose(text, size=frame.LABEL_SIZE, color=self.theme.text)
            group.add(sample, label.place(x + 0.2, y + row * 0.4, "left"))
        return group

    def mark(self, offset: int, full: Cell, ring: Cell, *, place: tuple[float, float], text: str) -> VGroup:
        """A line at one offset; both values there as numbers, under each other beside the key."""
        x = self.x(offset)
        line = DashedLine(frame.at(x, self.box.top), frame.at(x, self.box.bottom), dash_length=0.09)
        group = VGroup(line.set_stroke(self.theme.text, width=2))
        name = Label(text, size=frame.LABEL_SIZE, color=self.theme.text)
        group.add(name.place(min(x, self.box.right - name.advance / 2 + 0.3), self.box.top - 0.26))
        for row, (cell, hollow) in enumerate(((full, False), (ring, True))):
            dot = disc(0.2, (x, self.y(cell)), self.theme.text)
            if hollow:
                dot.set_fill(self.theme.ground, 1).set_stroke(self.theme.text, width=3)
            dot.encodings = (Encoding(cell, self.scale_of_height),)
            number = BoundNumber(cell, size=frame.NUMBER_SIZE, color=self.theme.text, weight="strong")
            group.add(dot, number.place(place[0], place[1] + row * 0.4, "right"))
        return group
