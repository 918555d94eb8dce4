"""Where [z_1 … z_h] W_O and Σ_i z_i W_O,i lie: first one product, then W_O cut into a block for each head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenes.kit.flow import DIGIT_WIDTH, Flow
from scenes.kit.frame import WIDTH, Box

LINE = 0.27
"""The height of a number in a column."""

Place = tuple[float, float]


@dataclass(frozen=True)
class ConcatLayout:
    """Places in the columns layout, where z stands and W_O is on its left.

    ``heads`` says for every place whether a head is drawn there (or dots for several); each has ``length`` entries
    of ``features``; ``bias`` whether b_O takes a place of its own.
    """

    flow: Flow
    heads: Sequence[bool]
    length: int
    features: int
    bias: bool

    @property
    def height(self) -> float:
        """The height of ΔE."""
        return self.features * LINE

    def gathered(self, place: int) -> Box:
        """One head's result, large, before it joins the others."""
        pitch = min(2.6, 12.4 / len(self.heads))
        middle = 8.0 + (place - (len(self.heads) - 1) / 2) * pitch
        tall = self.length * min(0.5, 4.4 / self.length)
        return Box(middle - 0.55, min(3.3, 7.1 - tall), 1.1, tall)

    def _along(self, place: int, cell: float, gap: float) -> float:
        """Where a place begins, counted in entries of ``cell``; dots take ``gap``."""
        return sum(self.length * cell if real else gap for real in self.heads[:place])

    def block(self, place: int) -> Box:
        """W_O of one head as a part of the whole."""
        cell, gap = DIGIT_WIDTH, 0.35
        wide = self.length * cell if self.heads[place] else gap
        return Box(self._left + self._along(place, cell, gap), 2.6, wide, self.height)

    @property
    def _left(self) -> float:
        """Where the product begins, so that it stands in the middle."""
        return (WIDTH - self._along(len(self.heads), DIGIT_WIDTH, 0.35) - 2.62 - 1.28 * self.bias) / 2

    def stacked(self, place: int) -> Box:
        """One head's result in the stack."""
        last = self.block(len(self.heads) - 1)
        tall = self.length * LINE if self.heads[place] else LINE
        return Box(last.right + 0.62, 2.6 + self._along(place, LINE, LINE), 0.66, tall)

    def added_bias(self) -> Box:
        """b_O behind the product."""
        stack = self.stacked(0)
        return Box(stack.right + 0.62, 2.6, 0.66, self.height)

    def product(self) -> Box:
        """ΔE of the one product."""
        before = self.added_bias() if self.bias else self.stacked(0)
        return Box(before.right + 0.62, 2.6, 0.72, self.height)

    def group(self, place: int) -> tuple[Box, Box]:
        """The block of one head, and its result beside it."""
        left = self._start + self._groups(place)
        if not self.heads[place]:
            box = Box(left, 2.6, 0.34, 3 * LINE)
            return box, box
        block = Box(left, 2.6, 0.78, self.height)
        return block, Box(block.right + 0.27, 2.6, 0.58, self.length * min(LINE, self.height / self.length))

    def _groups(self, count: int) -> float:
        """How wide so many groups are, each with the room for the sign behind it."""
        return sum(1.63 + 0.35 if real else 0.7 for real in self.heads[:count])

    @property
    def _pitch(self) -> float:
        """From one change to the next."""
        return 0.86 if self.bias else 0.97

    @property
    def _start(self) -> float:
        """Where the sum begins, so that it stands in the middle."""
        changes = (len(self.heads) + self.bias - 1) * self._pitch + 0.58
        return (WIDTH - self._groups(len(self.heads)) - 0.07 - changes - 2.02) / 2

    def change(self, place: int) -> Box:
        """The change that one head makes; the place after the last head is that of b_O."""
        start = self.group(len(self.heads) - 1)[1].right + 0.42
        return Box(start + place * self._pitch, 2.6, 0.58, self.height)

    def total(self) -> Box:
        """ΔE as the sum of the changes."""
        before = self.change(len(self.heads) - 1 + self.bias)
        return Box(before.right + 0.4, 2.6, 0.6, self.height)

    def kept(self) -> Box:
        """ΔE of the one product, kept beside the sum."""
        return Box(self.total().right + 0.42, 2.6, 0.6, self.height)

    def head_name(self, place: int) -> Place:
        """The middle of a head's name over its block."""
        block, result = self.group(place)
        return (block.left + result.right) / 2, 2.22

    def symbol(self, box: Box) -> Place:
        """The middle of the letter of a vector or matrix."""
        return box.centre[0], box.top - 0.28

    def between(self, left: Box, right: Box) -> Place:
        """The middle of the sign between two things."""
        return (left.right + right.left) / 2, 2.6 + LINE * 1.5

    def note(self) -> Place:
        """The right end of what is said about both ways."""
        kept = self.kept()
        return kept.right, kept.bottom + 0.44


@dataclass(frozen=True)
class RowsConcatLayout(ConcatLayout):
    """The same in the rows layout, where z lies and W_O is under it."""

    def gathered(self, place: int) -> Box:
        """One head's result, large."""
        pitch = min(1.2, 4.8 / len(self.heads))
        middle = 4.6 + (place - (len(self.heads) - 1) / 2) * pitch
        wide = self.length * min(1.1, 8.8 / self.length)
        return Box(8.9 - wide / 2, middle - 0.22, wide, 0.44)

    @property
    def _wide(self) -> float:
        return self.features * 0.7

    def block(self, place: int) -> Box:
        """W_O of one head."""
        tall = self.length * 0.26 if self.heads[place] else 0.26
        return Box(3.45, 2.3 + self._along(place, 0.26, 0.26), self._wide, tall)

    def stacked(self, place: int) -> Box:
        """One head's result beside the others."""
        cell, gap = 0.7, 0.4
        wide = self.length * cell if self.heads[place] else gap
        return Box(3.45 + self._along(place, cell, gap), 1.5, wide, 0.3)

    def _under(self, before: Box) -> Box:
        return Box(3.45, before.bottom + 0.2, self._wide, 0.3)

    def added_bias(self) -> Box:
        """b_O under W_O."""
        return self._under(self.block(len(self.heads) - 1))

    def product(self) -> Box:
        """ΔE under W_O."""
        return self._under(self.added_bias() if self.bias else self.block(len(self.heads) - 1))

    def _line(self, place: int) -> float:
        lines = len(self.heads) + self.bias + 2
        return 2.1 + place * min(0.98, 5.3 / (lines - 0.4))

    def group(self, place: int) -> tuple[Box, Box]:
        """The block of one head, and its result on the left of it."""
        y = self._line(place)
        if not self.heads[place]:
            box = Box(2.35, y - 0.15, 3.3, 0.3)
            return box, box
        result = Box(2.35, y - 0.15, 2.2, 0.3)
        return Box(result.right + 0.28, y - 0.27, 0.95, 0.54), result

    def change(self, place: int) -> Box:
        """The change that one head makes."""
        return Box(6.35, self._line(place) - 0.15, 8.8, 0.3)

    def total(self) -> Box:
        """ΔE as the sum."""
        return self.change(len(self.heads) + self.bias)

    def kept(self) -> Box:
        """ΔE of the one product."""
        box = self.total()
        return Box(box.left, box.bottom + 0.3, box.width, 0.3)

    def head_name(self, place: int) -> Place:
        """The middle of a head's name."""
        box = self.group(place)[1]
        return box.centre[0], box.top - 0.2

    def symbol(self, box: Box) -> Place:
        """The middle of the letter."""
        return box.left - 0.42, box.centre[1]

    def between(self, left: Box, right: Box) -> Place:
        """The middle of the sign in front of the second of two things under each other."""
        return right.left - 0.95, right.centre[1]


def concat_layout(flow: Flow, heads: Sequence[bool], *, length: int, features: int, bias: bool) -> ConcatLayout:
    """The places in the flow's layout."""
    kind = ConcatLayout if flow.columns else RowsConcatLayout
    return kind(flow, tuple(heads), length, features, bias)
