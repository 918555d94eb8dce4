"""Probabilities as horizontal bars on one scale from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import Line, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.frame import Box
from scenes.kit.text import BoundNumber, Glyphs, Tick, line
from scenes.kit.theme import Theme
from transformer_core.trace import Cell


class Bar(VMobject):
    """A bar from left to right; its length stands for a Cell."""

    def __init__(self, left: float, y: float, *, height: float, colour: str, encoding: Encoding) -> None:
        super().__init__(stroke_width=0, fill_color=colour, fill_opacity=1)
        self.encodings = (encoding,)
        top, bottom = frame.at(left, y - height / 2), frame.at(left, y + height / 2)
        reach = np.array([encoding.drawn, 0.0, 0.0])
        self.set_points_as_corners([bottom, bottom + reach, top + reach, top, bottom])

    @property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The middles of the left and right edge, read from the outline as it is drawn now."""
        return (self.points[0] + self.points[11]) / 2, (self.points[3] + self.points[7]) / 2


@dataclass(frozen=True)
class Reading:
    """One bar: what it is called, its Cell, and whether it is the one that is lit."""

    name: Sequence[Glyphs]
    cell: Cell
    strong: bool = True


class Bars(VGroup):
    """Probabilities as bars under each other, each in its track from 0 to 1, the number at the right.

    The name stands above its bar, or, where ``names`` gives a width, in a column of that width before it.
    """

    def __init__(
        self,
        readings: Sequence[Reading],
        *,
        box: Box,
        theme: Theme,
        pitch: float,
        height: float,
        names: float = 0.0,
        size: float = frame.NUMBER_SIZE * 1.1,
        decimals: int = 2,
    ) -> None:
        super().__init__()
        left = box.left + names
        scale = LinearScale("probability", "length", full=box.right - left - size * 2.6)
        self.scale_of_probability = scale
        self.lines: list[VGroup] = []
        for place, reading in enumerate(readings):
            y = box.top + place * pitch + (pitch / 2 if names else pitch - height / 2 - 0.06)
            line(*reading.name, x=box.left, y=y if names else y - height / 2 - 0.2)
            colour = theme.role("probability") if reading.strong else theme.faint("probability", 0.55)
            bar = Bar(left, y, height=height, colour=colour, encoding=Encoding(reading.cell, scale))
            number = BoundNumber(reading.cell, size=size, color=theme.text, weight="strong", decimals=decimals)
            number.place(left + scale.full + 0.14, y, "left")
            self.lines.append(VGroup(*reading.name, _track(left, y, scale.full, height, theme), bar, number))
        self.ticks = self._ticks(left, scale, box.top + len(readings) * pitch, theme)
        self.add(*self.lines, self.ticks)

    def _ticks(self, left: float, scale: LinearScale, y: float, theme: Theme) -> VGroup:
        ticks = VGroup()
        for value in (0, 1):
            tick = Tick(str(value), size=frame.CONTEXT_SIZE, color=theme.note)
            ticks.add(tick.place(left + scale.drawn(value), y + 0.12))
        return ticks


def _track(left: float, y: float, width: float, height: float, theme: Theme) -> VGroup:
    lines = VGroup()
    for edge in (-height / 2, height / 2):
        lines.add(Line(frame.at(left, y + edge), frame.at(left + width, y + edge)))
    lines.add(Line(frame.at(left, y - height / 2), frame.at(left, y + height / 2)))
    lines.add(Line(frame.at(left + width, y - height / 2), frame.at(left + width, y + height / 2)))
    return lines.set_stroke(theme.guide, width=1.5)
