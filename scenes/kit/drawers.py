"""A chest of drawers: a lookup opens one, a soft lookup opens every one by its weight."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import AnimationGroup, Create, Line, VGroup

from scenes.kit import frame
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.frame import Box
from scenes.kit.rounded import Rounded
from scenes.kit.softmax_table import CloseUp
from scenes.kit.text import Prose
from scenes.kit.theme import Theme
from transformer_core.trace import Cell

BODY = 0.4
"""How deep the chest itself is drawn."""


class Drawers(VGroup):
    """One drawer a key, in line with the keys, shut until ``opening`` is played.

    ``opened`` says how far: a key's place for the one drawer of a hard lookup (a picture, no value of the
    model), or the Cells of the weights, each drawer open by its weight.
    """

    def __init__(
        self,
        opened: int | Sequence[Cell],
        *,
        place: CloseUp,
        start: float,
        reach: float,
        title: str,
        theme: Theme,
    ) -> None:
        super().__init__()
        self.place, self.start, self.theme = place, start, theme
        self.scale_of_length = LinearScale("drawer", "length", full=reach)
        first = place.key_middle(0) - place.pitch / 2
        last = first + place.flow.tokens * place.pitch
        self.body = self._body(first, last)
        self.title = Prose(title, size=frame.LABEL_SIZE, color=theme.text)
        if place.flow.columns:
            self.title.place(start, first - 0.22, "left")
        else:
            self.title.place(first + 0.05, start - 0.22, "left")
        self.trays, self.fronts = VGroup(), VGroup()
        self._moves: list[tuple[Line | None, VGroup, float]] = []
        for key in range(place.flow.tokens):
            self._drawer(key, opened)
        self.add(self.body, self.fronts, self.title)

    def opening(self) -> AnimationGroup:
        """The drawers slide out."""
        moves = []
        for tray, front, length in self._moves:
            if tray is not None:
                slide = self._point(0.0, length) - self._point(0.0, 0.0)
                moves += [Create(tray), front.animate.shift(slide)]
        return AnimationGroup(*moves, run_time=0.8)

    def _drawer(self, key: int, opened: int | Sequence[Cell]) -> None:
        encoding = None
        if isinstance(opened, int):
            length = self.scale_of_length.full if key == opened else 0.0
        else:
            encoding = Encoding(opened[key], self.scale_of_length)
            length = encoding.drawn
        middle, edge = self.place.key_middle(key), self.start + BODY
        half = min(0.4, self.place.pitch * 0.76) / 2
        shut = length == 0.0
        colour = self.theme.guide if shut else self.theme.role("pattern")
        board = Line(self._point(middle - half, edge), self._point(middle + half, edge))
        knob = Line(self._point(middle, edge + 0.03), self._point(middle, edge + 0.13))
        front = VGroup(board.set_stroke(colour, width=8), knob.set_stroke(colour, width=100 * half * 0.7))
        tray = None
        if not shut:
            tray = Line(self._point(middle, edge), self._point(middle, edge + length))
            tray.set_stroke(self.theme.faint("pattern", 0.35), width=200 * half * 0.9)
            if encoding:
                tray.encodings = (encoding,)
            self.trays.add(tray)
        self.fronts.add(front)
        self._moves.append((tray, front, length))

    def _point(self, along: float, away: float) -> np.ndarray:
        return frame.at(away, along) if self.place.flow.columns else frame.at(along, away)

    def _body(self, first: float, last: float) -> VGroup:
        box = Box(self.start, first, BODY, last - first)
        if not self.place.flow.columns:
            box = Box(first, self.start, last - first, BODY)
        chest = Rounded(
            width=box.width,
            height=box.height,
            radius=0.06,
            centre=box.centre,
            stroke_color=self.theme.guide,
            stroke_width=2.5,
            fill_color=self.theme.shade("data", 1),
            fill_opacity=1,
        )
        boards = VGroup()
        for key in range(1, self.place.flow.tokens):
            along = first + key * self.place.pitch
            boards.add(Line(self._point(along, self.start), self._point(along, self.start + BODY)))
        return VGroup(chest, boards.set_stroke(self.theme.guide, width=2))
