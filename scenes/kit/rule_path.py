"""What a rule without a head would look at, drawn under the sentence: so many words back, or always one word."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from manim import Create, DashedVMobject, LaggedStart, Line, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.frame import Box
from scenes.kit.mark import outline
from scenes.kit.ribbons import CIRCLE
from scenes.kit.theme import Theme

GAP = 0.05
"""The gap between a token's box and the path."""

DEPTH, OUTSIDE = 0.2, 0.28
"""How far a path hangs below the boxes, and how far before the first box it ends where no word is left."""

DASH = 0.11
"""The length of a dash and its gap together."""

CROSS = 0.09
"""Half the size of the cross where no word is left."""


class RulePath(VGroup):
    """Dashed hops under the boxes of a sentence, as a fixed formula's outline is, and a mark on where they end.

    ``stops`` are the tokens that it touches, the asking one first; -1 stands for the place before the first word.
    """

    def __init__(self, boxes: Sequence[Box], stops: Sequence[int], *, theme: Theme) -> None:
        super().__init__()
        self.boxes, self.theme, self.stops = boxes, theme, tuple(stops)
        feet = [self._foot(stop) for stop in self.stops]
        self.hops = [self._hop(start, end) for start, end in pairwise(feet)]
        self.end = self._end(self.stops[-1])
        self.add(*self.hops, self.end)

    @classmethod
    def of_steps(cls, boxes: Sequence[Box], start: int, steps: int, *, theme: Theme) -> RulePath:
        """Word by word back from ``start``; it ends before the first word where the sentence is too short."""
        return cls(boxes, range(start, max(start - steps, -1) - 1, -1), theme=theme)

    def walk(self, *, run_time: float) -> LaggedStart:
        """Hop after hop, then the mark."""
        return LaggedStart(*(Create(each) for each in (*self.hops, self.end)), lag_ratio=0.8, run_time=run_time)

    def _foot(self, stop: int) -> float:
        return self.boxes[0].left - OUTSIDE if stop < 0 else self.boxes[stop].centre[0]

    def _hop(self, start: float, end: float) -> VGroup:
        middle, half, high = (start + end) / 2, (start - end) / 2, DEPTH
        top = self.boxes[0].bottom + GAP
        points = [
            (start, 0.0), (start, high * CIRCLE), (middle + half * CIRCLE, high), (middle, high),
            (middle, high), (middle - half * CIRCLE, high), (end, high * CIRCLE), (end, 0.0),
        ]  # fmt: skip
        hop = VMobject(stroke_color=self.theme.text, stroke_width=2.5, fill_opacity=0)
        hop.points = np.array([frame.at(x, top + down) for x, down in points])
        return DashedVMobject(hop, num_dashes=max(4, round((abs(start - end) + 2 * high) / DASH)))

    def _end(self, stop: int) -> VMobject:
        if stop >= 0:
            return outline(self.boxes[stop], self.theme.text, pad=0.05, width=2.5)
        x, y = self._foot(stop), self.boxes[0].bottom + GAP - CROSS
        cross = VGroup(
            *(Line(frame.at(x - CROSS, y - way * CROSS), frame.at(x + CROSS, y + way * CROSS)) for way in (1, -1))
        )
        return cross.set_stroke(self.theme.text, 2.5)
