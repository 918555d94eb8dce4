"""The same words in another order: the sentence on its line, and two of its words that change places."""

from __future__ import annotations

from collections.abc import Sequence

from manim import PI, Animation, VGroup

from scenes.kit import frame, motion
from scenes.kit.flow import Flow
from scenes.kit.text import Prose
from scenes.kit.theme import Theme
from scenes.kit.tokens import TokenBox


class WordOrder(VGroup):
    """A line of tokens and a question before it; ``swap`` are the two tokens that change places."""

    def __init__(self, tokens: Sequence[str], swap: tuple[int, int], *, question: str, theme: Theme) -> None:
        super().__init__()
        flow, (first, second) = Flow("columns", len(tokens)), swap
        self.question = Prose(question, size=frame.LABEL_SIZE, color=theme.text)
        self.question.place(frame.MARGIN_X, flow.label(0).centre[1], "left")
        self.tokens = [
            TokenBox(text, box=flow.label(place), theme=theme, position=place) for place, text in enumerate(tokens)
        ]
        self.moving = [self.tokens[first], self.tokens[second]]
        for each in self.moving:
            each.outline.set_stroke(theme.text, width=3)
            each.set_z_index(1)
        self.add(self.question, *self.tokens)

    def swapped(self, *, run_time: float = 2 * motion.MOVE) -> list[Animation]:
        """The two words pass each other, one above and one below the line."""
        first, second = self.moving
        return [
            first.animate(path_arc=-PI / 5, run_time=run_time).move_to(second),
            second.animate(path_arc=-PI / 5, run_time=run_time).move_to(first),
        ]


def swappable(tokens: Sequence[str], words: frozenset[str]) -> tuple[int, int] | None:
    """The first two different tokens of a group of words, else the first and last token; None where all are equal."""
    chosen = [place for place, text in enumerate(tokens) if text in words]
    for places in (chosen, [0, len(tokens) - 1]):
        for place in places[1:]:
            if tokens[place] != tokens[places[0]]:
                return places[0], place
    return None
