"""Lines from the token that asks to every token it looks at: width = weight.

They leave side by side, so that together they are as wide as 1, and run in nested arcs beside the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import Line, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.dots import LEGEND, QUIET
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.flow import Flow
from scenes.kit.text import BoundNumber, Constant, Prose, Tick, line
from scenes.kit.theme import Theme
from transformer_core import derive
from transformer_core.trace import Cell

THINNEST = 0.02
"""A weight below this is not drawn; the legend states the sum of what is left out."""

CIRCLE = 0.5523
"""Length of a cubic curve's handle for a quarter of a circle of radius 1."""

SPREAD = 1.8
"""How far a line goes along while it goes out by 1: wide turns, which the eye follows without a jolt."""

PORT = 0.02
"""The gap between neighbouring lines where they leave."""


@dataclass(frozen=True)
class Rail:
    """The edge of the sentence along which the lines start and end."""

    flow: Flow

    @property
    def edge(self) -> float:
        """Where the lines touch the tokens: y in columns, x in rows."""
        if not self.flow.columns:
            return 1.96
        return 1.85 if self.flow.staggered else 1.8

    @property
    def depth(self) -> float:
        """The room that the lines have beside the sentence."""
        return 0.8 if self.flow.columns else 0.86

    @property
    def full(self) -> float:
        """The width of a line for a weight of 1."""
        return min(0.34, self.flow.pitch * (0.34 if self.flow.columns else 0.5))

    @property
    def loop(self) -> float:
        """The open inside of the loop from a token to itself."""
        return min(0.2, self.flow.pitch * 0.15)

    def point(self, along: float, away: float) -> np.ndarray:
        """The point ``away`` from the edge, at a place along the sentence."""
        place = (along, self.edge + away) if self.flow.columns else (self.edge + away, along)
        return frame.at(*place)


class Ribbons(VGroup):
    """The weights of one query as lines; ``undrawn`` is the sum of the weights too small to draw, or None."""

    def __init__(self, cells: Sequence[Cell], *, asking: int, flow: Flow, theme: Theme) -> None:
        super().__init__()
        self.rail, self.theme, self.asking = Rail(flow), theme, asking
        self.scale_of_width = LinearScale("weight line", "width", full=self.rail.full)
        open_cells = [cell for cell in cells if not cell.masked]
        drawn = [cell for cell in open_cells if cell.value >= THINNEST]
        left_out = [cell for cell in open_cells if cell.value < THINNEST]
        self.undrawn = derive.sum_of(left_out) if left_out else None
        self.ribbons = VGroup(*self._ribbons(drawn))
        self.stems = VGroup(*self._stems(drawn))
        self.add(self.stems, self.ribbons)

    def _ribbons(self, cells: Sequence[Cell]) -> list[VMobject]:
        before = sorted((c for c in cells if c.at("key") < self.asking), key=lambda c: -c.at("key"))
        itself = [c for c in cells if c.at("key") == self.asking]
        after = sorted((c for c in cells if c.at("key") > self.asking), key=lambda c: c.at("key"))
        width = self.scale_of_width.drawn
        loop = width(itself[0].value) + self.rail.loop if itself else 0.0
        bundle = sum(width(cell.value) for cell in cells) + PORT * (len(cells) - 1) + loop
        pen = self.rail.flow.middle(self.asking) - bundle / 2
        starts: dict[Cell, float] = {}
        for cell in (*before, *itself, *reversed(after)):
            starts[cell] = pen + width(cell.value) / 2
            pen += width(cell.value) + PORT + (loop if cell in itself else 0.0)
        ribbons = []
        for side in (before, after):
            away = 0.2
            gap = min(0.2, max(0.015, (self.rail.depth - away - self.rail.full) / max(1, len(side))))
            for cell in side:
                middle = away + width(cell.value) / 2
                end = self.rail.flow.middle(cell.at("key"))
                ribbons.append(self._ribbon(cell, starts[cell], end, middle))
                away += width(cell.value) + gap
        for cell in itself:
            size, start = width(cell.value), starts[cell]
            ribbons.append(self._ribbon(cell, start, start + size + self.rail.loop, 0.16 + size * 0.8))
        return ribbons

    def _ribbon(self, cell: Cell, start: float, end: float, middle: float) -> VMobject:
        """Out, along, and back: two quarters of an ellipse joined by a straight lane at depth ``middle``."""
        encoding = Encoding(cell, self.scale_of_width)
        ribbon = VMobject(stroke_color=self.theme.role("pattern"), stroke_width=100 * encoding.drawn, fill_opacity=0)
        sign = 1 if end > start else -1
        across = min(SPREAD * middle, abs(end - start) / 2)
        deep = min(across, middle)
        arm = middle - deep
        places = [
            (start, 0.0), (start, arm / 3), (start, arm * 2 / 3), (start, arm),
            (start, arm), (start, arm + deep * CIRCLE),
            (start + sign * across * (1 - CIRCLE), middle), (start + sign * across, middle),
        ]  # fmt: skip
        back = [(start + end - along, away) for along, away in reversed(places)]
        near, far = places[-1][0], back[0][0]
        lane = [(near + (far - near) * step / 3, middle) for step in range(4)]
        ribbon.points = np.array([self.rail.point(*place) for place in (*places, *lane, *back)])
        ribbon.encodings = (encoding,)
        return ribbon

    def _stems(self, cells: Sequence[Cell]) -> list[Line]:
        """Where labels stand in two lines, a hairline from each upper one down to its line."""
        flow = self.rail.flow
        if not flow.staggered:
            return []
        stems = []
        for token in sorted({self.asking, *(cell.at("key") for cell in cells)}):
            bottom = flow.label(token).bottom
            if bottom < self.rail.edge - 0.1:
                x = flow.middle(token)
                stem = Line(frame.at(x, bottom + 0.02), frame.at(x, self.rail.edge))
                role = "query" if token == self.asking else "pattern"
                stems.append(stem.set_stroke(self.theme.role(role), width=2.5))
        return stems


class RibbonLegend(VGroup):
    """What width stands for: lines for 1, 0.5 and 0.1, and the sum of what is too thin to be drawn."""

    def __init__(
        self,
        ribbons: Ribbons,
        *,
        text: str,
        left_out: tuple[str, str],
        place: tuple[float, float],
        theme: Theme,
    ) -> None:
        super().__init__()
        scale, (x, y) = ribbons.scale_of_width, place
        size = frame.CONTEXT_SIZE
        self.add(Prose(text, size=size * 1.1, color=theme.note).place(x, y, "left"))
        below = y + 0.15 + max(scale.full, 0.2) / 2
        pen = x
        for value in LEGEND:
            sample = Line(frame.at(pen, below), frame.at(pen + 0.34, below))
            self.add(sample.set_stroke(theme.faint("pattern", QUIET), width=100 * scale.drawn(value)))
            tick = Tick(f"{value:g}", size=size, color=theme.note)
            self.add(tick.place(pen + 0.41, below, "left"))
            pen += 0.41 + tick.advance + 0.22
        if ribbons.undrawn is not None:
            pieces = (
                Prose(left_out[0] + " ", size=size, color=theme.note),
                Constant(f"{THINNEST:g}", size=size, color=theme.note),
                Prose(f" {left_out[1]} Σ ", size=size, color=theme.note),
                BoundNumber(ribbons.undrawn, size=size, color=theme.text),
            )
            line(*pieces, x=x, y=below + max(scale.full, 0.2) / 2 + 0.16)
            self.add(*pieces)
