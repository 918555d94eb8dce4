"""The vectors of a journey side by side (columns) or under each other (rows), each with the bar of its size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from manim import VGroup, VMobject

from scenes.kit import frame
from scenes.kit.elision import elided
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.flow import Flow, window
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.journey import Journey, Stop, shortened
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import BoundNumber, Prose
from scenes.kit.theme import Theme
from transformer_core.trace import Cell

FEW = 5
"""So many vectors show all their digits; of more, the first and the last."""
THIN = 0.3


class SizeBar(VMobject):
    """A bar whose length, upwards or to the right, is the size of a vector."""

    def __init__(
        self, foot: tuple[float, float], *, upright: bool, thick: float, colour: str, encoding: Encoding
    ) -> None:
        super().__init__(stroke_width=0, fill_color=colour, fill_opacity=1)
        self.encodings = (encoding,)
        start = frame.at(*foot)
        along = np.array([0.0, 1.0, 0.0] if upright else [1.0, 0.0, 0.0]) * encoding.drawn
        aside = np.array([thick / 2, 0.0, 0.0] if upright else [0.0, thick / 2, 0.0])
        self.set_points_as_corners(
            [start - aside, start - aside + along, start + aside + along, start + aside, start - aside]
        )

    @property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The middles of foot and head, read from the outline as it is drawn now."""
        return (self.points[0] + self.points[11]) / 2, (self.points[3] + self.points[7]) / 2


@dataclass(frozen=True)
class Column:
    """One vector on screen with everything that belongs to it."""

    stop: Stop
    vector: NumberMatrix
    heading: VGroup
    size: VGroup

    @property
    def parts(self) -> tuple[VGroup, ...]:
        """All of it."""
        return (self.vector, self.heading, self.size)


class JourneyPanel(VGroup):
    """``word`` gives ``through_attention``, ``through_feed_forward``, ``through_norm`` and ``through_size``."""

    def __init__(self, journey: Journey, *, flow: Flow, theme: Theme, word: Callable[[str], str]) -> None:
        super().__init__()
        self.flow, self.theme, self.word = flow, theme, word
        self.drawn = shortened(journey.stops)
        self.few = len(self.drawn) <= FEW
        self.features = window(journey.trace.spec.config.d_model)
        largest = max(stop.size.value for stop in self.drawn if stop)
        self.scale = LinearScale("size", "length", full=0.62 if flow.columns else 0.72, maximum=largest)
        self.columns: list[Column] = []
        self.dots = VGroup()
        for place, stop in enumerate(self.drawn):
            if stop is None:
                self.dots.add(self._dots(place))
            else:
                self.columns.append(self._column(place, stop))
        self.note = self._note()
        self.add(*(part for column in self.columns for part in column.parts), self.dots, self.note)

    def _lit(self, place: int) -> bool:
        return self.few or place in (0, len(self.drawn) - 1)

    def _thick(self, place: int) -> float:
        if self.flow.columns:
            return 0.62 if self._lit(place) else THIN
        return 0.27 if self.few else 0.2

    def box(self, place: int) -> Box:
        """Where one vector lies."""
        count = len(self.features)
        if self.flow.columns:
            left, right = 0.95, 8.3
            thick = [self._thick(each) for each in range(len(self.drawn))]
            gap = (right - left - sum(thick)) / max(1, len(thick) - 1)
            gap = min(gap, 1.15)
            return Box(left + sum(thick[:place]) + place * gap, 2.66, thick[place], min(3.5, count * 0.2188))
        pitch = min(0.42, 2.0 / len(self.drawn))
        return Box(4.2, 1.42 + place * pitch, count * 0.585, self._thick(place) if self.few else pitch * 0.85)

    def _column(self, place: int, stop: Stop) -> Column:
        box, role = self.box(place), "delta" if stop.kind == "change" else "data"
        cells: list[Cell | None] = [None if f is None else stop.cells[f] for f in self.features]
        down, across = self.flow.vector_axes("position", "d_model")
        vector = NumberMatrix(
            self.flow.lay(cells),
            box=box,
            role=role,
            theme=self.theme,
            down=down,
            across=across,
            digits=self._lit(place),
            brackets=self.few and self.flow.columns,
        )
        if None in cells:
            vector.add(elided(vector))
        return Column(stop, vector, self._heading(place, stop), self._size(place, stop, role))

    def _heading(self, place: int, stop: Stop) -> VGroup:
        """The vector's letter, the sign before it, and where it comes from."""
        box, group = self.box(place), VGroup()
        symbol = Formula(stop.symbol, size=frame.LABEL_SIZE * (1.1 if self.few else 0.85), theme=self.theme)
        sign = {"start": "", "add": "=", "norm": "→", "final_norm": "→"}.get(stop.step, "+")
        names = {"attention": "attention", "feed_forward": "feed_forward", "norm": "norm", "final_norm": "norm"}
        name = self.word(f"through_{names[stop.step]}") if stop.step in names else ""
        colour = self.theme.role("delta") if stop.kind == "change" else self.theme.note
        text = Prose(name, size=frame.CONTEXT_SIZE, color=colour)
        mark = Prose(sign, size=frame.NUMBER_SIZE, color=self.theme.note)
        if self.flow.columns:
            group.add(symbol.move_to(frame.at(box.centre[0], box.top - 0.28)))
            if name and self.few:
                group.add(text.place(box.centre[0], box.top - 0.62))
            if sign:
                before = self.box(place - 1)
                group.add(mark.place((before.right + box.left) / 2, box.centre[1]))
            return group
        if not self._lit(place):
            # Lines this close have no room for letters; the colour tells a change from a state.
            return group
        group.add(symbol.move_to(frame.at(box.left - 0.32, box.centre[1])))
        if sign:
            group.add(mark.place(box.left - 0.78, box.centre[1]))
        if name and self.few:
            group.add(text.place(box.left - 1.0, box.centre[1], "right"))
        return group

    def _size(self, place: int, stop: Stop, role: str) -> VGroup:
        box, size = self.box(place), frame.NOTE_SIZE if self.few else frame.CONTEXT_SIZE
        encoding = Encoding(stop.size, self.scale)
        upright, colour = self.flow.columns, self.theme.role(role)
        foot = (box.centre[0], 7.48) if upright else (box.right + 0.18, box.centre[1])
        thick = (0.34 if self.few else 0.2) if upright else min(0.22, box.height * 0.8)
        bar = SizeBar(foot, upright=upright, thick=thick, colour=colour, encoding=encoding)
        group = VGroup(bar)
        if self.few or stop.kind == "change" or place in (0, len(self.drawn) - 1):
            decimals = 2 if self.few else 1
            number = BoundNumber(stop.size, size=size, color=self.theme.text, decimals=decimals)
            if upright:
                group.add(number.place(foot[0], foot[1] - encoding.drawn - 0.17))
            else:
                group.add(number.place(foot[0] + encoding.drawn + 0.1, foot[1], "left"))
        return group

    def _dots(self, place: int) -> Prose:
        box = self.box(place)
        return Prose("⋯", size=frame.NUMBER_SIZE, color=self.theme.note).place(*box.centre)

    def _note(self) -> VGroup:
        """What the bars measure."""
        note = Prose(self.word("through_size"), size=frame.CONTEXT_SIZE, color=self.theme.note)
        if self.flow.columns:
            return VGroup(note.place(self.box(0).left, 6.42, "left"))
        last = self.box(len(self.drawn) - 1)
        return VGroup(note.place(15.15, last.bottom + 0.2, "right"))
