"""Arrows whose lengths are sizes of vectors, in the plane that two vectors span."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import DashedLine, Line, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.axis import AxisScale, axis_line, nice_step, nice_ticks
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.text import BoundNumber, Prose
from scenes.kit.theme import Theme
from transformer_core import derive
from transformer_core.trace import Cell

UNITS = (
    *(4.0, 3.0, 2.5, 2.0, 1.6, 1.3, 1.1, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2),
    *(0.15, 0.12, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001, 0.00005),
)
"""Screen units for a length of 1: the largest that fits is taken."""
LEAST_AXIS = 3.5
"""In screen units: five ticks stand apart on it. A steep sum has an axis of fewer."""
SHAFT, HEAD_LENGTH, HEAD_WIDTH = 0.075, 0.30, 0.28


class Arrow(VMobject):
    """A filled arrow from one Manim point to another; its length stands for a Cell."""

    def __init__(self, start: np.ndarray, end: np.ndarray, *, colour: str, encoding: Encoding) -> None:
        super().__init__(stroke_width=0, fill_color=colour, fill_opacity=1)
        self.encodings = (encoding,)
        start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
        length = float(np.linalg.norm(end - start))
        along = (end - start) / length if length else np.array([1.0, 0.0, 0.0])
        aside = np.array([-along[1], along[0], 0.0])
        share = min(1.0, length / (1.5 * HEAD_LENGTH))
        neck = end - along * HEAD_LENGTH * share
        shaft, head = aside * SHAFT / 2 * max(share, 0.3), aside * HEAD_WIDTH / 2 * share
        corners = [start - shaft, neck - shaft, neck - head, end, neck + head, neck + shaft, start + shaft]
        self.set_points_as_corners([*corners, corners[0]])

    @property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The middle of the tail and the tip, read from the outline as it is drawn now."""
        first, last = self.points[0], self.points[4 * 5 + 3]
        return (first + last) / 2, self.points[4 * 2 + 3]


@dataclass(frozen=True)
class Sum:
    """Two vectors and their sum, seen in the plane that the two span: all numbers are Cells.

    ``along`` and ``across`` are the parts of the second vector along the first and at a right angle to it.
    """

    first: Cell
    second: Cell
    total: Cell
    along: Cell
    across: Cell

    @classmethod
    def of(cls, first: Sequence[Cell], second: Sequence[Cell], total: Sequence[Cell]) -> Sum:
        """Lengths and parts of ``first`` + ``second`` = ``total``."""
        return cls(
            derive.norm(first),
            derive.norm(second),
            derive.norm(total),
            derive.along(second, first),
            derive.across(second, first),
        )


class ArrowPlane(VGroup):
    """first (grey) + second (orange) = total, tip to tail, over one axis of lengths.

    The first vector lies along the axis, the second is set on its tip; lengths are encodings on one scale.
    """

    def __init__(self, sum_: Sum, *, box: Box, theme: Theme, symbols: tuple[str, str, str], note: str) -> None:
        super().__init__()
        self.sum, self.box, self.theme, self.symbols = sum_, box, theme, symbols
        self.note = note
        base, along, across = sum_.first.value, sum_.along.value, sum_.across.value
        low, high = min(0.0, base + along), max(base, base + along)
        room = Box(box.left + 0.5, box.top + 0.4, box.width - 2.0, box.height - 1.6)
        span = max(high - low, 1e-9)
        self.unit = next(
            (unit for unit in UNITS if span * unit <= room.width and across * unit <= room.height), UNITS[-1]
        )
        left = room.left + (room.width - span * self.unit) / 2
        bottom = min(room.bottom, room.bottom - (room.height - across * self.unit) / 2)
        self.origin = frame.at(left - low * self.unit, bottom)
        self.tip = self.origin + np.array([base, 0, 0]) * self.unit
        self.end = self.tip + np.array([along, across, 0]) * self.unit
        self.scale_of_length = LinearScale("length", "length", full=self.unit)
        self.first = self._arrow(self.origin, self.tip, sum_.first, "data")
        self.second = self._arrow(self.tip, self.end, sum_.second, "delta")
        self.total = self._arrow(self.origin, self.end, sum_.total, None)
        self.guides = self._guides(low, high)
        self.first_name = self._name(0, sum_.first, "data", self._beside(self.origin, self.tip, -1))
        self.second_name = self._name(1, sum_.second, "delta", self._beside(self.tip, self.end, -1))
        self.total_name = self._name(2, sum_.total, None, self._beside(self.origin, self.end, 1))
        self.add(
            self.guides,
            self.plumb,
            self.total,
            self.first,
            self.second,
            self.first_name,
            self.second_name,
            self.total_name,
        )

    def second_at_origin(self) -> np.ndarray:
        """The shift that brings the second arrow from its place on the tip back to the origin."""
        return self.origin - self.tip

    def _arrow(self, start: np.ndarray, end: np.ndarray, cell: Cell, role: str | None) -> Arrow:
        colour = self.theme.role(role) if role else self.theme.text
        return Arrow(start, end, colour=colour, encoding=Encoding(cell, self.scale_of_length))

    def _guides(self, low: float, high: float) -> VGroup:
        step = nice_step(max(high - low, LEAST_AXIS / self.unit))
        last = (np.ceil(high / step - 1e-9)) * step
        ticks = nice_ticks(min(0.0, np.floor(low / step + 1e-9) * step), last)
        scale = AxisScale("length", float(self.origin[0]), self.unit)
        y = frame.place_of(self.origin)[1] + 0.62
        plumb = DashedLine(self.end, [self.end[0], self.origin[1], 0], dash_length=0.08)
        self.plumb = plumb.set_stroke(self.theme.guide, width=1.5)
        base = Line(self.origin, [scale.drawn(high), self.origin[1], 0]).set_stroke(self.theme.guide, width=1.5)
        note = Prose(self.note, size=frame.NOTE_SIZE, color=self.theme.note)
        middle = frame.place_of([scale.drawn((ticks[0] + ticks[-1]) / 2), 0, 0])[0]
        half = note.advance / 2
        middle = min(max(middle, self.box.left + half), self.box.right - half)
        return VGroup(
            note.place(middle, y + 0.5),
            axis_line(scale, ticks, y=y, theme=self.theme),
            base,
        )

    def _beside(self, start: np.ndarray, end: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
        along = end - start
        length = np.linalg.norm(along)
        along = along / length if length else np.array([1.0, 0, 0])
        return (start + end) / 2, side * np.array([-along[1], along[0], 0.0])

    def _name(self, place: int, cell: Cell, role: str | None, beside: tuple[np.ndarray, np.ndarray]) -> VGroup:
        colour = self.theme.role(role) if role else self.theme.text
        symbol = Formula(self.symbols[place], size=frame.LABEL_SIZE * 1.25, theme=self.theme)
        number = BoundNumber(cell, size=frame.NUMBER_SIZE, color=colour, weight="strong")
        gap, width = 0.16, symbol.width + 0.16 + number.advance
        middle, away = beside
        centre = middle + away * (0.22 + abs(away[0]) * width / 2 + abs(away[1]) * 0.17)
        x, y = frame.place_of(centre)
        x = min(max(x, self.box.left + width / 2), self.box.right - width / 2)
        symbol.move_to(frame.at(x - width / 2 + symbol.width / 2, y))
        number.place(x - width / 2 + symbol.width + gap, y, "left")
        return VGroup(symbol, number)
