"""One head over the whole sentence: large tokens, every token's arcs, and what one of them takes, in numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from manim import VGroup

from scenes.kit import frame, glyphs
from scenes.kit.arc_legend import ArcLegend
from scenes.kit.arcs import ArcRoom, Arcs
from scenes.kit.mark import outline
from scenes.kit.rounded import Rounded
from scenes.kit.text import BoundNumber, Label, Prose
from scenes.kit.theme import Theme
from scenes.kit.token_line import token_line
from scenes.kit.tokens import TokenBox
from transformer_core.trace import Cell

TOP, HEIGHT, DEPTH = 5.05, 0.58, 3.45
"""The y and the height of the tokens' boxes, and the room of the arcs above them."""

NAME, GLOSS, NUMBERS, LEGEND = 1.5, 5.9, 6.32, 7.28
"""The y of the head's name, of what the words mean, of the numbers, and of the legend."""


class OneHead:
    """The parts of the picture; nothing is on stage until the scene brings it."""

    def __init__(
        self,
        cell: Callable[[int, int], Cell],
        *,
        tokens: Sequence[str],
        asking: int,
        theme: Theme,
        word: Callable[..., str],
        gloss: Callable[[int], str],
        name: str,
    ) -> None:
        self.theme, self.asking, self.cell = theme, asking, cell
        self.boxes, size = token_line(
            tokens,
            left=frame.WORK.left,
            top=TOP,
            width=frame.WORK.width,
            height=HEIGHT,
            size=frame.TITLE_SIZE,
        )
        self.tokens = [
            TokenBox(text, box=box, theme=theme, position=place, size=size)
            for place, (text, box) in enumerate(zip(tokens, self.boxes, strict=True))
        ]
        self.arcs = Arcs(cell, room=ArcRoom(self.boxes, DEPTH), theme=theme)
        self.glosses = [self._gloss(token, text) for token in range(len(tokens)) if (text := gloss(token))]
        self.legend = ArcLegend(
            self.arcs.scale_of_width,
            self.arcs.undrawn,
            text=word("arc_width"),
            left_out=(word("arc_below"), word("arc_left_out")),
            place=(frame.WORK.left, LEGEND),
            theme=theme,
        )
        self.name = Label(name, size=frame.NUMBER_SIZE * 1.1, color=theme.note, weight="strong")
        self.name.place(frame.WORK.left, NAME, "left")
        self.takes = self._takes(word("one_takes"))

    def mark(self, token: int) -> Rounded:
        """The outline of the token that asks."""
        return outline(self.boxes[token], self.theme.role("query"), pad=0.03, width=4)

    @property
    def looked_at(self) -> list[Rounded]:
        """Outlines of the other tokens that the asking one looks at."""
        keys = [each.at("key") for each in self._drawn() if each.at("key") != self.asking]
        return [outline(self.boxes[key], self.theme.role("key"), pad=0.03, width=3) for key in keys]

    def _drawn(self) -> list[Cell]:
        return [each for each in self.arcs.cells if each.at("query") == self.asking]

    def _gloss(self, token: int, text: str) -> Prose:
        room = self.boxes[token].width + 0.1
        size = min(frame.NOTE_SIZE, frame.NOTE_SIZE * room / glyphs.width(text, frame.NOTE_SIZE))
        gloss = Prose(text, size=max(size, frame.CONTEXT_SIZE), color=self.theme.note)
        return gloss.place(frame.within(self.boxes[token].centre[0], gloss.advance), GLOSS)

    def _takes(self, text: str) -> VGroup:
        """The asking token's weights under the tokens that it looks at, and what the numbers are."""
        group = VGroup()
        for each in self._drawn():
            number = BoundNumber(each, size=frame.NUMBER_SIZE, color=self.theme.text, weight="strong")
            group.add(number.place(self.boxes[each.at("key")].centre[0], NUMBERS))
        note = Prose(text, size=frame.LABEL_SIZE, color=self.theme.role("query"))
        taken = any(each.at("key") == self.asking for each in self._drawn())
        middle = self.boxes[self.asking].centre[0]
        return group.add(note.place(frame.within(middle, note.advance), NUMBERS + (0.42 if taken else 0.0)))
