"""One dot per word over an axis: where each word's number lies, the words in play named and in colour."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

import numpy as np
from manim import Circle, DashedLine, Line, VGroup

from scenes.kit import frame
from scenes.kit.axis import AxisScale, axis_line, nice_step, nice_ticks
from scenes.kit.encoding import Encoding
from scenes.kit.frame import Box
from scenes.kit.text import BoundNumber, TokenText, line
from scenes.kit.theme import Theme
from transformer_core.trace import Cell

RADIUS, SMALL, MANY = 0.075, 0.055, 30
"""A dot's radius, and that of each of more than ``MANY``."""
FOOT = 0.14
"""From the axis up to the middle of the lowest dots."""

NAME_STEP = 0.4
"""From one name to the next, stepped upwards."""

GAP = 0.14
Name = tuple[TokenText, BoundNumber]


class StripPlot(VGroup):
    """Words on one axis from ``low`` to ``high``; equal places are stacked.

    ``named`` words are drawn in the colour of a change, with their name and number above.
    """

    def __init__(
        self,
        cells: Sequence[tuple[str, Cell]],
        *,
        named: frozenset[str],
        box: Box,
        theme: Theme,
        size: float = frame.LABEL_SIZE,
    ) -> None:
        super().__init__()
        self.theme, self.box, self.size = theme, box, size
        self.radius = RADIUS if len(cells) <= MANY else SMALL
        values = [cell.value for _, cell in cells]
        low, high = min(0.0, *values), max(0.0, *values)
        step = nice_step(max(high - low, 1e-6))
        low, high = step * floor(low / step), step * max(ceil(high / step), floor(low / step) + 1)
        room = box.width - 0.5
        unit = room / (high - low)
        self.scale_of_change = AxisScale("logit change", box.left + 0.25 - frame.WIDTH / 2 - low * unit, unit)
        self.axis_y = box.bottom - 0.42
        self.axis = axis_line(self.scale_of_change, nice_ticks(low, high), y=self.axis_y, theme=theme)
        named_places = [place for place, (text, _) in enumerate(cells) if text in named]
        levels = self._levels(values, first=named_places)
        count = max(levels, default=0) + 1
        self.label_room = NAME_STEP * len(named_places) + 0.1
        room = self.axis_y - FOOT - 2 * self.radius - box.top - self.label_room
        rise = min(2.1 * self.radius, max(0.0, room) / count)
        dots = [self._dot(cell, levels[place] * rise, text in named) for place, (text, cell) in enumerate(cells)]
        self.zero = self._zero()
        self.others = VGroup(*(dot for place, dot in enumerate(dots) if place not in named_places))
        order = sorted(named_places, key=lambda place: values[place])
        self.named = self._labelled([cells[place] for place in order], [dots[place] for place in order])
        self.add(self.axis, self.zero, self.others, self.named)

    def _levels(self, values: Sequence[float], *, first: Sequence[int]) -> list[int]:
        """The height of each dot in its stack: the lowest where it touches no dot that is there already."""
        order = [*first, *(place for place in range(len(values)) if place not in first)]
        reach = 2.1 * self.radius / self.scale_of_change.unit
        placed: list[tuple[float, int]] = []
        levels = [0] * len(values)
        for place in order:
            value = values[place]
            taken = {level for other, level in placed if abs(other - value) < reach}
            level = next(each for each in range(len(values) + 1) if each not in taken)
            placed.append((value, level))
            levels[place] = level
        return levels

    def _dot(self, cell: Cell, rise: float, strong: bool) -> Circle:
        colour = self.theme.role("delta") if strong else self.theme.role("data")
        dot = Circle(radius=self.radius, stroke_width=0, fill_color=colour, fill_opacity=1)
        dot.encodings = (Encoding(cell, self.scale_of_change),)
        y = frame.at(0, self.axis_y - FOOT - rise)[1]
        return dot.move_to([self.scale_of_change.drawn(cell.value), y, 0])

    def _zero(self) -> DashedLine:
        x = self.scale_of_change.drawn(0.0)
        top, foot = self.box.top + self.label_room, self.axis_y
        ends = [x, frame.at(0, top)[1], 0], [x, frame.at(0, foot)[1], 0]
        return DashedLine(*ends, dash_length=0.06).set_stroke(self.theme.guide, width=1.5)

    def _name(self, text: str, cell: Cell, size: float) -> Name:
        word = TokenText(text, size=size, color=self.theme.role("delta"), weight="strong")
        return word, BoundNumber(cell, size=size, color=self.theme.text)

    def _labelled(self, words: Sequence[tuple[str, Cell]], dots: Sequence[Circle]) -> VGroup:
        """Each name beside a stem that rises from its dot, stepped so that no stem crosses a name.

        Where the names fit on neither side of their stems they stand in one line.
        """
        names = [self._name(text, cell, self.size) for text, cell in words]
        places = [frame.place_of(dot.get_center())[0] for dot in dots]
        reaches = [_width(name) + 0.12 for name in names]
        pairs = list(zip(places, reaches, strict=True))
        left = all(x - reach >= self.box.left for x, reach in pairs)
        if not left and any(x + reach > self.box.right for x, reach in pairs):
            return self._in_a_line(words, dots, places)
        group = VGroup()
        for number, (name, dot, x) in enumerate(zip(names, dots, places, strict=True)):
            y = self.box.top + 0.2 + (len(names) - 1 - number if left else number) * NAME_STEP
            line(*name, x=x - 0.1 if left else x + 0.1, y=y, anchor="right" if left else "left", gap=GAP)
            group.add(self._stem(frame.at(x, y - 0.1), dot, name))
        return group

    def _in_a_line(self, words: Sequence[tuple[str, Cell]], dots: Sequence[Circle], places: Sequence[float]) -> VGroup:
        names = [self._name(text, cell, self.size) for text, cell in words]
        room = self.box.width - 2 * GAP * (len(names) - 1)
        size = self.size * min(1.0, room / sum(_width(name) for name in names))
        names = [self._name(text, cell, size) for text, cell in words]
        starts, pen = [], self.box.left
        for name, x in zip(names, places, strict=True):
            starts.append(max(pen, x - _width(name) / 2))
            pen = starts[-1] + _width(name) + 2 * GAP
        pen = self.box.right
        for number in reversed(range(len(names))):
            starts[number] = min(starts[number], pen - _width(names[number]))
            pen = starts[number] - 2 * GAP
        group, y = VGroup(), self.box.top + 0.2
        for name, dot, start in zip(names, dots, starts, strict=True):
            line(*name, x=start, y=y, gap=GAP)
            group.add(self._stem(frame.at(start + _width(name) / 2, y + 0.17), dot, name))
        return group

    def _stem(self, top: np.ndarray, dot: Circle, name: Name) -> VGroup:
        stem = Line(top, dot.get_top()).set_stroke(self.theme.role("delta"), width=2)
        return VGroup(stem, dot, *name)


def _width(name: Name) -> float:
    word, value = name
    return word.advance + GAP + value.advance
