"""A plane whose axes are two words' scores: the vector of one position walks in it, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from manim import Circle, DashedLine, Line, Mobject, Polygon, VGroup

from scenes.kit import frame
from scenes.kit.axis import AxisScale, axis_line, nice_step, tick_text
from scenes.kit.encoding import Encoding
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.journey import Journey
from scenes.kit.text import BoundNumber, Prose, Tick, TokenText, line
from scenes.kit.theme import Theme
from transformer_core.trace import Cell

RADIUS, CLEAR = 0.085, 0.36
"""A dot's radius; how far apart two named dots must be."""
BESIDE = 2.2
"""Room that the legend needs beside the plane."""


@dataclass(frozen=True)
class Place:
    """A state of the vector: its two scores, its symbol, and whether an addition or a rescaling led to it."""

    across: Cell
    up: Cell
    symbol: str
    added: bool


def places_of(journey: Journey, words: tuple[int, int]) -> list[Place]:
    """The walk of one position's vector as places of two words' scores."""
    return [
        Place(
            journey.score(stop, words[0]),
            journey.score(stop, words[1]),
            "" if stop.kind == "sum" else stop.symbol,
            stop.step == "add",
        )
        for stop in journey.walk
    ]


class LogitPlane(VGroup):
    """Both axes have one unit, so that the diagonal is where the two words draw."""

    def __init__(
        self,
        places: Sequence[Place],
        *,
        words: tuple[str, str],
        box: Box,
        theme: Theme,
        word: tuple[str, str, str, str],
    ) -> None:
        super().__init__()
        self.theme, self.box = theme, box
        values = [cell.value for place in places for cell in (place.across, place.up)]
        low, high = min(0.0, *values), max(0.0, *values)
        step = self.step = nice_step(max(high - low, 1e-6), count=4)
        self.low, self.high = step * floor(low / step + 1e-9), step * ceil(high / step - 1e-9)
        self.high = max(self.high, self.low + step)
        side = min(box.width - 1.0, box.height - 1.0)
        unit = side / (self.high - self.low)
        left = box.left + 0.75 - frame.WIDTH / 2
        foot = frame.at(0, box.bottom - 0.75)[1]
        self.x = AxisScale(f"score of {words[0]}", left - self.low * unit, unit)
        self.y = AxisScale(f"score of {words[1]}", foot - self.low * unit, unit, "height")
        self.axes = self._axes(words, word[0])
        self.diagonal = self._diagonal(word[1], places[-1].across.value)
        self.dots = [self._dot(place, number == len(places) - 1) for number, place in enumerate(places)]
        pairs = zip(self.dots, self.dots[1:], places[1:], strict=False)
        self.steps = [self._step(one, two, place.added) for one, two, place in pairs]
        self.names = self._names(places)
        kinds = {place.added for place in places[1:]}
        self.legend = self._legend(
            [(added, text) for added, text in ((True, word[2]), (False, word[3])) if added in kinds],
            places[-1],
        )
        self.reading = self._reading(places[-1])
        self.add(self.axes, self.diagonal, *self.steps, *self.dots, *self.names.values(), self.reading, self.legend)

    def arrival(self, number: int) -> list[Mobject]:
        """The dot of one place, and its letter where it has one."""
        return [self.dots[number], *([self.names[number]] if number in self.names else [])]

    def point(self, across: float, up: float) -> np.ndarray:
        """The Manim point of two scores."""
        return np.array([self.x.drawn(across), self.y.drawn(up), 0.0])

    def _axes(self, words: tuple[str, str], score: str) -> VGroup:
        ticks = [self.low + place * self.step for place in range(round((self.high - self.low) / self.step) + 1)]
        foot = frame.place_of(self.point(self.low, self.low))
        group = VGroup(axis_line(self.x, ticks, y=foot[1], theme=self.theme))
        side = Line(self.point(self.low, self.low), self.point(self.low, self.high))
        group.add(side.set_stroke(self.theme.guide, width=2))
        for value in ticks:
            here = self.point(self.low, value)
            mark = Line(here, here - [0.07, 0, 0]).set_stroke(self.theme.guide, width=2)
            number = Tick(tick_text(value), size=frame.NOTE_SIZE, color=self.theme.note)
            x, y = frame.place_of(here)
            group.add(mark, number.place(x - 0.13, y, "right"))
        size = frame.LABEL_SIZE
        right = frame.place_of(self.point(self.high, self.low))
        names = [self._axis_name(score, each, size) for each in words]
        line(*names[0], x=(foot[0] + right[0]) / 2, y=foot[1] + 0.6, anchor="center")
        top = frame.place_of(self.point(self.low, self.high))
        line(*names[1], x=max(self.box.left, top[0] - 0.6), y=top[1] - 0.28, anchor="left")
        return group.add(*names[0], *names[1])

    def _axis_name(self, score: str, word: str, size: float) -> tuple[Prose, TokenText]:
        before = Prose(score + " ", size=size * 0.9, color=self.theme.note)
        return before, TokenText(word, size=size, color=self.theme.text, weight="strong")

    def _diagonal(self, leads: str, drop: float) -> VGroup:
        """Where both words have one score; below it the first word leads, which is shaded."""
        corner, end = self.point(self.low, self.low), self.point(self.high, self.high)
        side = Polygon(corner, end, self.point(self.high, self.low), stroke_width=0)
        side.set_fill(self.theme.role("probability"), opacity=0.07)
        dashes = DashedLine(corner, end, dash_length=0.08).set_stroke(self.theme.guide, width=2)
        note = Prose(leads, size=frame.NOTE_SIZE, color=self.theme.note)
        x, y = frame.place_of(self.point(self.high, self.low))
        there = frame.place_of(self.point(drop, self.low))[0]
        if there > (self.box.left + x) / 2 + note.advance / 2:
            x = min(x, there)
        return VGroup(side, dashes, note.place(x - 0.12, y - 0.22, "right"))

    def _beside_line(self, side: float) -> float:
        """From the line that reads off the upright axis to its number: above it, below it under the axis's name."""
        return -0.2 if side - frame.place_of(self.point(self.low, self.high))[1] > 0.3 else 0.2

    def _legend(self, kinds: Sequence[tuple[bool, str]], last: Place) -> VGroup:
        """What the two kinds of line stand for: beside the plane, or above the diagonal, clear of what is read off."""
        left, top = frame.place_of(self.point(self.low, self.high))
        right = frame.place_of(self.point(self.high, self.high))[0]
        side = frame.place_of(self.point(self.low, last.up.value))[1]
        if self.box.right - right > BESIDE:
            left = right + 0.2
        elif side < top + 1.0:
            top = side + self._beside_line(side) + 0.25
        group = VGroup()
        for number, (added, text) in enumerate(kinds):
            y = top + 0.2 + number * 0.3
            ends = frame.at(left + 0.2, y), frame.at(left + 0.7, y)
            mark = Line(*ends) if added else DashedLine(*ends, dash_length=0.07)
            colour = self.theme.role("delta" if added else "data")
            name = Prose(text, size=frame.NOTE_SIZE, color=colour)
            group.add(mark.set_stroke(colour, width=6 if added else 3.5), name.place(left + 0.82, y, "left"))
        return group

    def _dot(self, place: Place, last: bool) -> Circle:
        dot = Circle(radius=RADIUS * (1.35 if last else 1.0), stroke_width=0, fill_opacity=1)
        dot.set_fill(self.theme.text if last else self.theme.role("data"))
        dot.encodings = (Encoding(place.across, self.x), Encoding(place.up, self.y))
        return dot.move_to(self.point(place.across.value, place.up.value))

    def _step(self, one: Circle, two: Circle, added: bool) -> VGroup:
        """From dot to dot: an addition whole and in the colour of a change, a rescaling dashed."""
        start, end = one.get_center(), two.get_center()
        length = float(np.linalg.norm(end - start))
        away = (end - start) / length if length else np.array([1.0, 0, 0])
        if length < 3.2 * RADIUS:
            return VGroup()
        start, end = start + away * RADIUS * 1.15, end - away * two.width / 2 * 1.1
        colour = self.theme.role("delta" if added else "data")
        head = min(0.2, float(np.linalg.norm(end - start)) * 0.5)
        neck, aside = end - away * head, np.array([-away[1], away[0], 0]) * head * 0.45
        shaft = Line(start, neck) if added else DashedLine(start, neck, dash_length=0.07)
        tip = Polygon(end, neck + aside, neck - aside, stroke_width=0, fill_color=colour, fill_opacity=1)
        return VGroup(shaft.set_stroke(colour, width=6 if added else 3.5), tip)

    def _names(self, places: Sequence[Place]) -> dict[int, Formula]:
        """The first and last state by their symbols, and those between that are clear of the others."""
        centres = [dot.get_center() for dot in self.dots]
        named: list[int] = [len(places) - 1]
        for number in range(len(places) - 1):
            if not places[number].symbol:
                continue
            others = [centres[each] for each in named]
            if all(np.linalg.norm(centres[number] - each) > CLEAR for each in others):
                named.append(number)
        return {number: self._symbol(places[number].symbol, centres[number]) for number in sorted(named)}

    def _symbol(self, source: str, centre: np.ndarray) -> Formula:
        """A letter beside its dot, on the side that is farthest from every dot and step."""
        symbol = Formula(source, size=frame.LABEL_SIZE * 1.1, theme=self.theme)
        away = np.array([0.16 + symbol.width / 2, 0.15, 0.0])
        sides = [centre + away * np.array([across, up, 0.0]) for across in (-1, 1) for up in (1, -1)]
        return symbol.move_to(max(sides, key=self._clearance))

    def _beside_drop(self, foot: tuple[float, float], width: float) -> tuple[float, float]:
        """Where the number at the foot of the drop line is clear of dots and steps."""
        right = frame.place_of(self.point(self.high, self.low))[0]
        aside = [-(width / 2 + 0.1)] + ([width / 2 + 0.1] if foot[0] + width + 0.2 < right else [])
        places = [(foot[0] + across, foot[1] - up) for up in (0.62, 1.0) for across in aside]
        return max(places, key=lambda place: min(self._clearance(frame.at(*place)), 0.6))

    def _clearance(self, point: np.ndarray) -> float:
        """How far a point is from the dots and the straight ways between them."""
        centres = np.array([dot.get_center() for dot in self.dots])
        shares = np.linspace(0, 1, 21)[:, None, None]
        ways = (centres[:-1] * (1 - shares) + centres[1:] * shares).reshape(-1, 3)
        return float(np.linalg.norm(np.concatenate([centres, ways]) - point, axis=1).min())

    def _reading(self, last: Place) -> VGroup:
        """The last state's two scores, read off at the axes."""
        centre = self.point(last.across.value, last.up.value)
        foot, side = self.point(last.across.value, self.low), self.point(self.low, last.up.value)
        group = VGroup()
        for end in (foot, side):
            drop = DashedLine(centre, end, dash_length=0.05).set_stroke(self.theme.guide, width=1.5)
            group.add(drop)
        size, colour = frame.NUMBER_SIZE, self.theme.text
        across = BoundNumber(last.across, size=size, color=colour, weight="strong")
        up = BoundNumber(last.up, size=size, color=colour, weight="strong")
        x, y = self._beside_drop(frame.place_of(foot), across.advance)
        left, top = frame.place_of(side)
        group.add(across.place(x, y), up.place(left + 0.14, top + self._beside_line(top), "left"))
        return group
