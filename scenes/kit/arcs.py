"""One head's pattern as arcs over the sentence, from each token that asks to the tokens it looks at: width = weight.

At a token the arcs stand side by side, the near end's innermost, so that they nest and do not cross without need.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from manim import Create, LaggedStart, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.frame import Box
from scenes.kit.ribbons import CIRCLE, THINNEST
from scenes.kit.theme import Theme
from transformer_core import derive
from transformer_core.trace import Cell

QUIET = 0.34
"""The tone of arcs that are there but not talked about."""

LIFT = 0.07
"""The gap between a token's box and the feet of its arcs."""

SIDE = 0.025
"""The gap between the feet of neighbouring arcs."""

ROUND = 0.62
"""The height of an arc over its span, at most."""

LOOP = 1.5
"""The height of a loop over half its span."""

BARB = 0.07
"""How far the head of an arrow stands out on either side."""

HALO = 0.05
"""How much of the ground runs along an arc where it passes over another, at most half its width."""

BEND = 0.75
"""Arcs are as high as this power of their span: near ones are not flattened by far ones."""


@dataclass(frozen=True)
class ArcRoom:
    """Where arcs lie: the tokens' boxes, on one line, and the height above them."""

    boxes: Sequence[Box]
    depth: float

    @property
    def foot(self) -> float:
        """The y at which arcs start and end."""
        return self.boxes[0].top - LIFT

    @property
    def full(self) -> float:
        """The width of an arc for a weight of 1: set by how many tokens there are, never by their weights."""
        pitch = (self.boxes[-1].right - self.boxes[0].left) / len(self.boxes)
        return min(0.22, 0.085 * self.depth, pitch * 0.16)

    @property
    def longest(self) -> float:
        """The span from the first to the last token."""
        return max(self.boxes[-1].centre[0] - self.boxes[0].centre[0], 1e-9)

    def height(self, span: float) -> float:
        """How high an arc of that span rises, so that the longest one with its width stays in the room."""
        most = self.depth - self.full
        return min(most * (span / self.longest) ** BEND, span * ROUND)


class Arcs(VGroup):
    """The arcs of all queries; ``undrawn`` is the sum of all weights too small to draw, or None.

    ``of[q]`` are the arcs of query q. Where no word is masked they have barbs, since they lead both ways.
    Those for which ``lit`` is not true are in a quiet tone and lie below; thick ones pass over thin ones.
    """

    def __init__(
        self,
        cell: Callable[[int, int], Cell],
        *,
        room: ArcRoom,
        theme: Theme,
        lit: Callable[[Cell], bool] = lambda _: True,
        all_heads: bool = False,
    ) -> None:
        super().__init__()
        self.room, self.theme, self.all_heads = room, theme, all_heads
        self.barbed = not any(cell(query, query + 1).masked for query in range(len(room.boxes) - 1))
        self.scale_of_width = LinearScale("weight arc", "width", full=room.full)
        tokens = range(len(room.boxes))
        cells = [each for query in tokens for key in tokens if not (each := cell(query, key)).masked]
        self.cells = [each for each in cells if each.value >= THINNEST]
        left_out = [each for each in cells if each.value < THINNEST]
        self.undrawn = derive.sum_of(left_out) if left_out else None
        self.feet = self._feet()
        self.of = [VGroup() for _ in tokens]
        self.lit: list[VMobject] = []
        self.quiet: list[VMobject] = []
        for each in self.cells:
            arc = self._arc(each, lit=lit(each)).set_z_index(lit(each) + each.value / 2)
            self.of[each.at("query")].add(arc)
            (self.lit if lit(each) else self.quiet).append(arc)
        self.add(*self.of)

    def grow(self, query: int, *, run_time: float) -> Create | LaggedStart:
        """The arcs of one query, growing from its token to the ones it looks at."""
        return LaggedStart(*(Create(arc) for arc in self.of[query]), lag_ratio=0.0, run_time=run_time)

    def thickness(self, cell: Cell) -> float:
        """The drawn width of a weight, in units."""
        return self.scale_of_width.drawn(cell.value)

    def _feet(self) -> dict[tuple[Cell, int], float]:
        """The x of the foot that each arc has at each of its tokens; a loop stands on two, named by its middle."""
        feet: dict[tuple[Cell, int], float] = {}
        for token, box in enumerate(self.room.boxes):
            ends = [each for each in self.cells if token in (each.at("query"), each.at("key"))]
            ends.sort(key=lambda each: self._order(each, token))
            sizes = [self._stance(each) for each in ends]
            total = sum(sizes) + SIDE * (len(sizes) - 1)
            squeeze = min(1.0, (box.width - 0.04) / total) if total > 0 else 1.0
            pen = box.centre[0] - total * squeeze / 2
            for each, size in zip(ends, sizes, strict=True):
                feet[each, token] = pen + size * squeeze / 2
                pen += (size + SIDE) * squeeze
        return feet

    def _order(self, cell: Cell, token: int) -> tuple[int, int]:
        """From left to right: arcs to the left, near before far; the loop; arcs to the right, far before near."""
        other = cell.at("key") if cell.at("query") == token else cell.at("query")
        side = (other > token) - (other < token)
        return side, -other

    def _loop(self) -> float:
        """The open inside of a loop."""
        return 0.05 + self.room.full * 0.6

    def _stance(self, cell: Cell) -> float:
        """The room that an arc's foot takes at a token."""
        width = self.thickness(cell)
        return 2 * width + self._loop() if cell.at("query") == cell.at("key") else width

    def _arc(self, cell: Cell, *, lit: bool) -> VMobject:
        query, key = cell.at("query"), cell.at("key")
        colour = self.theme.role("pattern") if lit else self.theme.faint("pattern", QUIET)
        arc = VMobject(stroke_color=colour, stroke_width=100 * self.thickness(cell), fill_opacity=0)
        halo = min(HALO, self.thickness(cell) / 2)
        arc.set_stroke(self.theme.ground, width=100 * (self.thickness(cell) + halo), background=True)
        start, end = self.feet[cell, query], self.feet[cell, key]
        if query == key:
            reach = (self.thickness(cell) + self._loop()) / 2
            points = self._span(start + reach, start - reach, high=reach * LOOP)
        else:
            points = self._span(start, end, high=self.room.height(abs(end - start)))
        arc.points = np.array([frame.at(x, self.room.foot - up) for x, up in points])
        arc.encodings = (Encoding(cell, self.scale_of_width),)
        if self.barbed and query != key:
            arc.add(self._barbs(end, self.thickness(cell), colour))
        arc.all_heads = self.all_heads
        return arc

    def _barbs(self, x: float, width: float, colour: str) -> VMobject:
        """The head of an arrow: an arc's end at the token that is looked at."""
        reach = width / 2 + BARB
        points = [frame.at(x + side * reach, self.room.foot - reach * 1.2) for side in (-1, 1)]
        barbs = VMobject(stroke_color=colour, stroke_width=3, fill_opacity=0)
        return barbs.set_points_as_corners([points[0], frame.at(x, self.room.foot), points[1]])

    def _span(self, start: float, end: float, *, high: float) -> list[tuple[float, float]]:
        """Half an ellipse over two feet, as two quarters."""
        middle, half = (start + end) / 2, (end - start) / 2
        return [
            (start, 0.0), (start, high * CIRCLE), (middle - half * CIRCLE, high), (middle, high),
            (middle, high), (middle + half * CIRCLE, high), (end, high * CIRCLE), (end, 0.0),
        ]  # fmt: skip
