"""A computation written out on one line: a dot product term by term, a division, a sum."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup

from scenes.kit import frame
from scenes.kit.flow import window
from scenes.kit.text import BoundNumber, Constant, Glyphs, Prose, TokenText, line
from scenes.kit.theme import Theme
from transformer_core import derive
from transformer_core.trace import Cell

TERMS = 5
"""A written-out sum shows at most so many places, the elided ones as one sum."""


class WrittenDot(VGroup):
    """``q · k = (a)(b) + … ≈ c``: each factor bound to its Cell, the left ones and right ones in their roles."""

    def __init__(
        self,
        left: Sequence[Cell],
        right: Sequence[Cell],
        total: Cell,
        *,
        heads: tuple[tuple[str, str], tuple[str, str]],
        place: tuple[float, float],
        theme: Theme,
        size: float = frame.HEIGHT / 36,
        room: float = 10.6,
    ) -> None:
        super().__init__()
        pieces = self._pieces(left, right, total, heads, theme, size)
        advance = sum(piece.advance for piece in pieces)
        if advance > room:
            pieces = self._pieces(left, right, total, heads, theme, size * room / advance)
        line(*pieces, x=place[0], y=place[1])
        self.add(*pieces)

    def _pieces(
        self,
        left: Sequence[Cell],
        right: Sequence[Cell],
        total: Cell,
        heads: tuple[tuple[str, str], tuple[str, str]],
        theme: Theme,
        size: float,
    ) -> list[Glyphs]:
        (left_role, left_word), (right_role, right_word) = heads
        colours = theme.role(left_role), theme.role(right_role)

        def plain(text: str) -> Prose:
            return Prose(text, size=size, color=theme.note)

        pieces: list[Glyphs] = [
            TokenText(left_word, size=size, color=colours[0], weight="strong"),
            plain(" · "),
            TokenText(right_word, size=size, color=colours[1], weight="strong"),
            plain("  =  "),
        ]
        places = window(len(left), shown=TERMS)
        for number, term in enumerate(places):
            if number:
                pieces.append(plain(" + "))
            if term is None:
                elided = [derive.product(left[i], right[i]) for i in range(len(left)) if i not in places]
                rest = derive.sum_of(elided)
                pieces += [plain("… "), BoundNumber(rest, size=size, color=theme.note)]
                continue
            pieces += [
                plain("("),
                BoundNumber(left[term], size=size, color=colours[0]),
                plain(")("),
                BoundNumber(right[term], size=size, color=colours[1]),
                plain(")"),
            ]
        self.total = BoundNumber(total, size=size * 1.15, color=theme.text, weight="strong")
        return [*pieces, plain("  ≈  "), self.total]


class WrittenScale(VGroup):
    """``score ÷ √d_k = scaled``."""

    def __init__(self, score: Cell, head_width: int, scaled: Cell, *, place: tuple[float, float], theme: Theme) -> None:
        super().__init__()
        size = frame.NUMBER_SIZE * 1.1
        pieces: list[Glyphs] = [
            BoundNumber(score, size=size, color=theme.role("data")),
            Prose("  ÷  √", size=size, color=theme.note),
            Constant(str(head_width), size=size, color=theme.text),
            Prose("  ≈  ", size=size, color=theme.note),
            BoundNumber(scaled, size=size, color=theme.text, weight="strong"),
        ]
        line(*pieces, x=place[0], y=place[1])
        self.add(*pieces)
