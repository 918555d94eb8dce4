"""A computation written out on one line: a dot product term by term, a division, a sum."""

from __future__ import annotations

from collections.abc import Sequence

from manim import DR, UR, Rectangle, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.flow import window
from scenes.kit.text import BoundNumber, Constant, Glyphs, Prose, TokenText, line
from scenes.kit.theme import Theme
from transformer_core import derive
from transformer_core.trace import Cell

TERMS = 5
"""A written-out sum shows at most so many places, the elided ones as one sum."""

ROOT_HOOK, BAR_THICKNESS = 0.62, 0.041
"""The root sign of the face, in em: where its bar has room for what stands under it, and how thick that is."""


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
        before = [
            BoundNumber(score, size=size, color=theme.role("data")),
            Prose("  ÷  ", size=size, color=theme.note),
        ]
        width = Constant(str(head_width), size=size, color=theme.text)
        after = [
            width,
            Prose("  ≈  ", size=size, color=theme.note),
            BoundNumber(scaled, size=size, color=theme.text, weight="strong"),
        ]
        start = place[0] + sum(each.advance for each in before)
        line(*before, x=place[0], y=place[1])
        line(*after, x=start + ROOT_HOOK * size, y=place[1])
        root = RootSign(start, place[1], over=width.advance, size=size, color=theme.note)
        self.add(*before, root, *after)


class RootSign(VGroup):
    """The face's root sign, its bar drawn on over all that stands under it: a shape, not a run of text."""

    def __init__(self, x: float, y: float, *, over: float, size: float, color: str) -> None:
        hook = VMobject(stroke_width=0, fill_color=color, fill_opacity=1)
        hook.points = Prose("√", size=size, color=color).place(x, y, "left").points
        bar = Rectangle(width=ROOT_HOOK * size + over - hook.width, height=BAR_THICKNESS * size, stroke_width=0)
        bar.set_fill(color, opacity=1).next_to(hook.get_corner(UR), DR, buff=0.0)
        super().__init__(hook, bar)
