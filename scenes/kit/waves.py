"""Sine and cosine at several frequencies, dots at whole positions, and one line that reads them off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import atan2, cos, pi, sin

import numpy as np
from manim import Circle, DashedVMobject, Line, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.axis import AxisScale
from scenes.kit.dots import disc
from scenes.kit.encoding import Encoding
from scenes.kit.frame import Box
from scenes.kit.text import Prose, Tick
from scenes.kit.theme import Theme
from transformer_core import derive
from transformer_core.trace import Cell, Trace

SAMPLES = 24
"""Points of a curve from one dot to the next."""
DOT, LIT = 0.09, 0.17


def frequency(trace: Trace, pair: int) -> float:
    """ω of a pair, by which it turns in one position: 1 for the first, the slowest last."""
    sine, cosine = (trace.cell("embed.PE", position=1, d_model=2 * pair + part) for part in (0, 1))
    return atan2(sine.value, cosine.value)


def wavelength(trace: Trace, pair: int) -> float:
    """After how many positions a pair comes round."""
    return 2.0 * pi / frequency(trace, pair)


class WaveLanes(VGroup):
    """Pairs of waves under each other over one axis of positions, a dot at every ``step``-th.

    Sine is a solid curve with full dots, cosine a dashed one with rings; every dot is a number of the code.
    """

    def __init__(self, trace: Trace, *, pairs: Sequence[int], last: int, box: Box, theme: Theme, step: int = 1) -> None:
        super().__init__()
        self.trace, self.theme, self.box, self.last, self.step = trace, theme, box, last, step
        self.pairs = tuple(pairs)
        self.pitch = box.height / len(self.pairs)
        self.lanes = [self._lane(pair) for pair in self.pairs]
        self.axis = self._axis()
        self.add(*self.lanes, self.axis)

    def x(self, position: float) -> float:
        """Where a position lies, from the frame's left edge."""
        return self.box.left + self.box.width * position / self.last

    def lane_scale(self, pair: int) -> AxisScale:
        """The scale of one lane, from −1 to 1."""
        middle = self.box.top + (self.pairs.index(pair) + 0.5) * self.pitch
        return AxisScale("wave", float(frame.at(0, middle)[1]), self.pitch * 0.4, "height")

    def cell(self, position: int, entry: int) -> Cell:
        """One number of the code: of the table, or, beyond its end, by the formula."""
        if position < self.trace.spec.config.context_length:
            return self.trace.cell("embed.PE", position=position, d_model=entry)
        return derive.sinusoid(self.trace, position=position, entry=entry)

    def _lane(self, pair: int) -> VGroup:
        scale, omega = self.lane_scale(pair), frequency(self.trace, pair)
        middle = self.box.top + (self.pairs.index(pair) + 0.5) * self.pitch
        base = Line(frame.at(self.box.left, middle), frame.at(self.box.right, middle))
        base.set_stroke(self.theme.guide, width=1)
        sine = self._curve(lambda p: sin(omega * p), scale, self.theme.role("data"))
        cosine = DashedVMobject(
            self._curve(lambda p: cos(omega * p), scale, self.theme.faint("data", 0.75)), num_dashes=120
        )
        lane = VGroup(base, cosine, sine)
        for position in range(0, self.last + 1, self.step):
            lane.add(self._dot(position, 2 * pair, scale), self._dot(position, 2 * pair + 1, scale))
        return lane

    def _curve(self, wave: Callable[[float], float], scale: AxisScale, colour: str) -> VMobject:
        places = np.linspace(0, self.last, self.last // self.step * SAMPLES + 1)
        points = [[self.x(place) - frame.WIDTH / 2, scale.drawn(wave(place)), 0] for place in places]
        return VMobject(stroke_color=colour, stroke_width=1.8, fill_opacity=0).set_points_as_corners(points)

    def _dot(self, position: int, entry: int, scale: AxisScale, *, lit: bool = False) -> Circle:
        encoding = Encoding(self.cell(position, entry), scale)
        place = (self.x(position), frame.place_of(np.array([0.0, encoding.drawn, 0.0]))[1])
        size = LIT if lit else DOT
        colour = self.theme.text if lit else self.theme.role("data")
        dot = disc(size, place, colour)
        if entry % 2:
            dot.set_fill(self.theme.ground, 1).set_stroke(colour, width=3 if lit else 2)
        dot.encodings = (encoding,)
        return dot

    def _axis(self) -> VGroup:
        y = self.box.bottom + 0.02
        group = VGroup(Line(frame.at(self.box.left, y), frame.at(self.box.right, y)).set_stroke(self.theme.guide, 2))
        for position in range(0, self.last + 1, self.step):
            x = self.x(position)
            group.add(Line(frame.at(x, y), frame.at(x, y + 0.06)).set_stroke(self.theme.guide, 2))
            if position % (5 * self.step) == 0:
                group.add(Tick(str(position), size=frame.NOTE_SIZE, color=self.theme.note).place(x, y + 0.22))
        return group

    def axis_name(self, text: str) -> Prose:
        """What the axis counts, at its right end."""
        return Prose(text, size=frame.NOTE_SIZE, color=self.theme.note).place(
            self.box.right, self.box.bottom + 0.58, "right"
        )

    def key(self, sine: str, cosine: str) -> VGroup:
        """Which dots are which, under the axis's left end."""
        group, y, pen = VGroup(), self.box.bottom + 0.58, frame.MARGIN_X + 0.06
        for text, hollow in ((sine, False), (cosine, True)):
            sample = disc(0.12, (pen, y), self.theme.role("data"))
            if hollow:
                sample.set_fill(self.theme.ground, 1).set_stroke(self.theme.role("data"), width=2)
            label = Prose(text, size=frame.NOTE_SIZE, color=self.theme.note).place(pen + 0.14, y, "left")
            group.add(sample, label)
            pen += 0.14 + label.advance + 0.34
        return group

    def heights(self, place: float) -> list[float]:
        """The y of every dot of a reading at any place, between positions too."""
        found = []
        for pair in self.pairs:
            scale, turned = self.lane_scale(pair), frequency(self.trace, pair) * place
            found += [scale.drawn(sin(turned)), scale.drawn(cos(turned))]
        return found

    def reading(self, position: int) -> VGroup:
        """The vertical line at a position, and every dot that it passes, lit."""
        x = self.x(position)
        line = Line(frame.at(x, self.box.top - 0.02), frame.at(x, self.box.bottom + 0.02))
        group = VGroup(line.set_stroke(self.theme.text, width=3))
        for pair in self.pairs:
            scale = self.lane_scale(pair)
            for entry in (2 * pair, 2 * pair + 1):
                group.add(self._dot(position, entry, scale, lit=True))
        return group
