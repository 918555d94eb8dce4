"""Where positions enter: the same small pipeline for each kind, with a mark at its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import DashedVMobject, Line, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.rounded import Rounded
from scenes.kit.text import Label, Prose
from scenes.kit.theme import Theme

STATIONS = ("E", "@query(q) , @key(k)", "@query(q) dot @key(k)", '"softmax"')
STATION = (1.62, 0.62)
FIRST, PITCH = 5.5, 2.72
"""The middle of the first station, and from one to the next."""


@dataclass(frozen=True)
class Entry:
    """One kind of positions: its name, what it does in words, and its mark.

    ``station`` counts the pipeline's boxes; ``symbols`` are formulas, each learned (blue) or fixed (dashed grey).
    """

    name: str
    words: str
    station: int
    symbols: Sequence[tuple[str, bool]]


class EntryMap(VGroup):
    """Lanes under each other, so that the mark is seen to move; ``lanes`` and ``marks`` are groups of their own."""

    def __init__(
        self, entries: Sequence[Entry], *, stations: Sequence[str], top: float, pitch: float, theme: Theme
    ) -> None:
        super().__init__()
        self.theme = theme
        self.heads = VGroup(
            *(
                Prose(text, size=frame.LABEL_SIZE, color=theme.note).place(FIRST + number * PITCH, top - 0.5)
                for number, text in enumerate(stations)
            )
        )
        self.lanes, self.marks = [], []
        for number, entry in enumerate(entries):
            y = top + (number + 0.5) * pitch
            self.lanes.append(self._lane(entry, y))
            self.marks.append(self._mark(entry, y))
        self.add(self.heads, *self.lanes, *self.marks)

    def _lane(self, entry: Entry, y: float) -> VGroup:
        lane = VGroup(
            Label(entry.name, size=frame.NUMBER_SIZE, color=self.theme.text, weight="strong").place(
                frame.MARGIN_X, y - 0.1, "left"
            ),
            Prose(entry.words, size=frame.NOTE_SIZE, color=self.theme.note).place(frame.MARGIN_X, y + 0.25, "left"),
        )
        for number, source in enumerate(STATIONS):
            lane.add(self._station(source, FIRST + number * PITCH, y, lit=number == entry.station))
            if number:
                right = FIRST + number * PITCH - STATION[0] / 2
                lane.add(_arrow((right - PITCH + STATION[0] + 0.06, y), (right - 0.06, y), self.theme))
        return lane

    def _station(self, source: str, x: float, y: float, *, lit: bool) -> VGroup:
        colour = self.theme.text if lit else self.theme.guide
        box = Rounded(
            width=STATION[0],
            height=STATION[1],
            radius=0.1,
            centre=(x, y),
            stroke_color=colour,
            stroke_width=3 if lit else 2,
        )
        symbol = Formula(source, size=frame.NUMBER_SIZE * 1.1, theme=self.theme).move_to(frame.at(x, y))
        return VGroup(box, symbol)

    def _mark(self, entry: Entry, y: float) -> VGroup:
        group = VGroup()
        x = FIRST + entry.station * PITCH
        formulas = [Formula(source, size=frame.NUMBER_SIZE, theme=self.theme) for source, _ in entry.symbols]
        widths = [formula.width + 0.26 for formula in formulas]
        pen = x - (sum(widths) + 0.12 * (len(widths) - 1)) / 2
        for formula, wide, (_, learned) in zip(formulas, widths, entry.symbols, strict=True):
            box = Box(pen, y - 0.86, wide, 0.48)
            group.add(self._badge(box, learned=learned), formula.move_to(frame.at(*box.centre)))
            pen += wide + 0.12
        return group

    def _badge(self, box: Box, *, learned: bool) -> VMobject:
        colour = self.theme.role("weight" if learned else "data")
        badge = Rounded(
            width=box.width, height=box.height, radius=0.08, centre=box.centre, stroke_color=colour, stroke_width=3
        )
        return badge if learned else DashedVMobject(badge, num_dashes=max(14, round(box.width * 12)))


def _arrow(start: tuple[float, float], end: tuple[float, float], theme: Theme) -> VGroup:
    a, b = frame.at(*start), frame.at(*end)
    back, up = np.array([-0.11, 0, 0]), np.array([0, 0.07, 0])
    return VGroup(Line(a, b), Line(b, b + back + up), Line(b, b + back - up)).set_stroke(theme.guide, width=2.5)
