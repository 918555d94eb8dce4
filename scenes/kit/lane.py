"""A lane: the sentence with one head's arcs above it, and at its left the head's name and what was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from manim import LEFT, GrowFromEdge, LaggedStart, Line, VGroup

from scenes.kit import frame, motion
from scenes.kit.arcs import ArcRoom, Arcs
from scenes.kit.bars import Bar
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.frame import Box
from scenes.kit.mark import outline
from scenes.kit.text import BoundNumber, Glyphs, Label, line
from scenes.kit.theme import Theme
from scenes.kit.token_line import token_line
from scenes.kit.tokens import TokenBox
from transformer_core.trace import Cell

SENTENCE, PANEL = 4.85, 0.8
"""The x at which the sentence and what is said of the head begin."""

NAMES, FULL, SIZE = 2.12, 1.0, frame.HEIGHT / 37
"""The width of the names of the readings, the length of a bar for 1, and the size of both."""

HEIGHT, PITCH = 0.4, 0.29
"""The height of the tokens' boxes, and the distance of the readings."""


@dataclass(frozen=True)
class Share:
    """One reading of a lane: its name, the Cell, and whether it is the head's own."""

    name: Sequence[Glyphs]
    cell: Cell
    own: bool = False


class ShareBar(VGroup):
    """The name of a share, its bar between two ends, and its number."""

    def __init__(self, words: VGroup, bar: Bar, number: BoundNumber) -> None:
        super().__init__(words, bar, number)
        self.words, self.bar, self.number = words, bar, number

    def arrive(self, *, run_time: float = motion.MOVE) -> LaggedStart:
        """The name, then the bar from its foot, then the number, already right."""
        grow = GrowFromEdge(self.bar, LEFT)
        steps = (motion.appear(self.words), grow, motion.appear(self.number))
        return LaggedStart(*steps, lag_ratio=0.4, run_time=run_time)


class Lane:
    """One head's part of the picture; the scene brings its parts when it wants them."""

    def __init__(
        self,
        cell: Callable[[int, int], Cell],
        *,
        tokens: Sequence[str],
        box: Box,
        theme: Theme,
        title: str,
        lit: Callable[[Cell], bool],
    ) -> None:
        self.theme, self.box = theme, box
        width = box.right - SENTENCE
        boxes, size = token_line(
            tokens, left=SENTENCE, top=box.bottom - HEIGHT, width=width, height=HEIGHT, size=frame.LABEL_SIZE
        )
        self.boxes = boxes
        self.arcs = Arcs(cell, room=ArcRoom(boxes, box.height - HEIGHT - 0.1), theme=theme, lit=lit, all_heads=True)
        self.strong = [each for each in self.arcs.cells if lit(each)]
        asking = {each.at("query") for each in self.strong}
        found = {each.at("key") for each in self.strong} - asking
        self.tokens = [
            TokenBox(text, box=where, theme=theme, position=place, size=size)
            for place, (text, where) in enumerate(zip(tokens, boxes, strict=True))
        ]
        roles = dict.fromkeys(found, "key") | dict.fromkeys(asking, "query")
        marked = roles if len(asking) < len(tokens) else {}
        self.marks = VGroup(*(outline(boxes[place], theme.role(marked[place]), pad=0.02) for place in sorted(marked)))
        self.title = Label(title, size=frame.NUMBER_SIZE, color=theme.text, weight="strong")
        self.title.place(PANEL, box.top + 0.36, "left")

    @property
    def whole(self) -> VGroup:
        """Sentence, name, marks and arcs."""
        return VGroup(*self.tokens, self.title, self.marks, *self.arcs.quiet, *self.arcs.lit)

    def readings(self, shares: Sequence[Share]) -> list[ShareBar]:
        """A bar and its number for each share, the head's own lit, on one scale from 0 to 1."""
        scale = LinearScale("share", "length", full=FULL)
        return [self._reading(share, place, scale) for place, share in enumerate(shares)]

    def _reading(self, share: Share, place: int, scale: LinearScale) -> ShareBar:
        y, left = self.box.top + 0.78 + place * PITCH, PANEL + NAMES
        line(*share.name, x=PANEL, y=y)
        colour = self.theme.role("pattern") if share.own else self.theme.faint("pattern", 0.45)
        bar = Bar(left, y, height=0.15, colour=colour, encoding=Encoding(share.cell, scale))
        number = BoundNumber(
            share.cell,
            size=frame.LABEL_SIZE if share.own else SIZE,
            color=self.theme.text if share.own else self.theme.note,
            weight="strong" if share.own else "regular",
        )
        ends = [
            Line(frame.at(x, y - 0.1), frame.at(x, y + 0.1)).set_stroke(self.theme.guide, 1.5)
            for x in (left, left + FULL)
        ]
        return ShareBar(VGroup(*share.name, *ends), bar, number.place(left + FULL + 0.12, y, "left"))
