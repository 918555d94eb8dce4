"""A step of k positions as a turn: each pair of waves is a point on a circle, and goes round by the same angle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Arc, Circle, Line, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.axis import AxisScale
from scenes.kit.dots import disc
from scenes.kit.encoding import Encoding
from scenes.kit.frame import Box
from scenes.kit.text import BoundNumber
from scenes.kit.theme import Theme
from transformer_core import derive
from transformer_core.trace import Cell, Trace


class Dial(VGroup):
    """The circle of one pair: its cosine to the right, its sine upwards. ``hands`` are two positions on it."""

    def __init__(self, trace: Trace, pair: int, *, centre: tuple[float, float], radius: float, theme: Theme) -> None:
        super().__init__()
        self.trace, self.pair, self.theme, self.radius = trace, pair, theme, radius
        self.middle = frame.at(*centre)
        self.across = AxisScale("cosine", float(self.middle[0]), radius)
        self.up = AxisScale("sine", float(self.middle[1]), radius, "height")
        ring = Circle(radius=radius, stroke_color=theme.guide, stroke_width=2).move_to(self.middle)
        cross = VGroup(
            *(Line(self.middle - radius * axis, self.middle + radius * axis) for axis in np.eye(3)[:2])
        ).set_stroke(theme.guide, width=1)
        self.add(ring, cross)

    def sine(self, position: int) -> Cell:
        """The pair's first entry."""
        return self.trace.cell("embed.PE", position=position, d_model=2 * self.pair)

    def cosine(self, position: int) -> Cell:
        """The pair's second entry."""
        return self.trace.cell("embed.PE", position=position, d_model=2 * self.pair + 1)

    def tip(self, position: int) -> np.ndarray:
        """The point of a position on the circle."""
        x, y = self.across.drawn(self.cosine(position).value), self.up.drawn(self.sine(position).value)
        return np.array([x, y, 0.0])

    def hand(self, position: int, *, strong: bool) -> VGroup:
        """The hand at a position: thin with a ring where a step starts, strong with a dot where it ends."""
        colour = self.theme.text if strong else self.theme.role("data")
        line = Line(self.middle, self.tip(position)).set_stroke(colour, width=5 if strong else 3)
        dot = disc(0.2, frame.place_of(self.tip(position)), colour)
        if not strong:
            dot.set_fill(self.theme.ground, 1).set_stroke(colour, width=3)
        dot.encodings = (
            Encoding(self.cosine(position), self.across),
            Encoding(self.sine(position), self.up),
        )
        return VGroup(line, dot)

    def turn(self, position: int, step: int) -> VMobject:
        """The arc from one position to another, ``step`` later, with its arrow head."""
        first, last = (self._angle(place) for place in (position, position + step))
        sweep = self.sweep(position, position + step)
        arc = Arc(radius=self.radius * 0.5, start_angle=first, angle=sweep, arc_center=self.middle)
        end = arc.get_end()
        along = np.array([-np.sin(last), np.cos(last), 0.0])
        outward = np.array([np.cos(last), np.sin(last), 0.0])
        head = VGroup(Line(end, end - along * 0.12 + outward * 0.08), Line(end, end - along * 0.12 - outward * 0.08))
        return VGroup(arc, head).set_stroke(self.theme.text, width=3.5)

    def sweep(self, first: int, last: int) -> float:
        """The angle from one position to another, anticlockwise and less than a full turn."""
        return (self._angle(last) - self._angle(first)) % (2 * np.pi)

    def _angle(self, position: int) -> float:
        return float(np.arctan2(self.sine(position).value, self.cosine(position).value))


class TurnBlock(VGroup):
    """The 2 × 2 block that turns a pair (sine, cosine) by k positions; its numbers are entries of PE(k)."""

    def __init__(self, dial: Dial, step: int, *, box: Box, transposed: bool, size: float = frame.NUMBER_SIZE) -> None:
        super().__init__()
        sine, cosine = dial.sine(step), dial.cosine(step)
        against = derive.negative(sine)
        rows: Sequence[Sequence[Cell]] = ((cosine, sine), (against, cosine))
        if transposed:
            rows = tuple(zip(*rows, strict=True))
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                x = box.left + (column + 0.5) * box.width / 2
                y = box.top + (row + 0.5) * box.height / 2
                number = BoundNumber(cell, size=size, color=dial.theme.text)
                self.add(number.place(x + box.width * 0.16, y, "right"))
        self.add(_brackets(box, dial.theme))


def _brackets(box: Box, theme: Theme) -> VGroup:
    group, reach = VGroup(), 0.1
    for x, inward in ((box.left, reach), (box.right, -reach)):
        corners = [
            frame.at(x + inward, box.top),
            frame.at(x, box.top),
            frame.at(x, box.bottom),
            frame.at(x + inward, box.bottom),
        ]
        side = VMobject(stroke_color=theme.role("data"), stroke_width=3, fill_opacity=0)
        group.add(side.set_points_as_corners(corners))
    return group
