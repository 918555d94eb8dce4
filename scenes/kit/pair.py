"""Two sentences of the same words through one attention, as pieces: tokens, vectors, machine, crossing lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from manim import CubicBezier, Line, VGroup

from scenes.kit import frame
from scenes.kit.flow import Flow
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.pair_layout import PairLayout, Side
from scenes.kit.rounded import Rounded
from scenes.kit.text import Prose
from scenes.kit.theme import Theme
from scenes.kit.tokens import TokenBox
from transformer_core import derive
from transformer_core.other_runs import reordered, run_name
from transformer_core.trace import Cell, Trace

STAGES: dict[Side, str] = {"in": "embed.out", "out": "blocks.{layer}.residual.attn_sum"}
SENTENCES = (0, 1)


@dataclass(frozen=True)
class Pair:
    """The prompt and the same tokens in the other order, with positions or without.

    ``placed`` says whether positions are added; ``followed`` is the prompt's token that is talked about.
    """

    trace: Trace
    layer: int
    placed: bool
    followed: int

    @property
    def tokens(self) -> int:
        """How many tokens each sentence has."""
        return len(self.trace.spec.ids)

    @property
    def order(self) -> tuple[int, ...]:
        """Token i of the second sentence is the prompt's token order[i]."""
        return self.trace.spec.order or tuple(range(self.tokens))

    def words(self, sentence: int) -> tuple[str, ...]:
        """The tokens of one sentence."""
        tokens = self.trace.spec.tokens
        return reordered(tokens, self.order) if sentence else tokens

    def place(self, sentence: int, token: int) -> int:
        """Where the prompt's token stands in a sentence."""
        return self.order.index(token) if sentence else token

    def run(self, sentence: int) -> str:
        """The prefix of a sentence's quantities."""
        if self.placed:
            return "reordered" if sentence else ""
        return "unplaced_reordered" if sentence else "unplaced"

    def vector(self, sentence: int, side: Side, position: int) -> list[Cell]:
        """The vector at a place of a sentence, before the machine or behind it."""
        name = run_name(self.run(sentence), STAGES[side].format(layer=self.layer))
        return list(self.trace.cells(name, position=position))

    def of_token(self, sentence: int, side: Side, token: int) -> list[Cell]:
        """The vector of one of the prompt's tokens in a sentence."""
        return self.vector(sentence, side, self.place(sentence, token))

    @cached_property
    def apart(self) -> list[Cell]:
        """For each of the prompt's tokens, how far its two result vectors lie apart."""
        return [
            derive.distance(self.of_token(0, "out", token), self.of_token(1, "out", token))
            for token in range(self.tokens)
        ]

    @property
    def differences(self) -> list[Cell]:
        """Entry by entry, the followed token's result in the first sentence less that in the second."""
        first, second = (self.of_token(sentence, "out", self.followed) for sentence in SENTENCES)
        return [derive.difference(a, b) for a, b in zip(first, second, strict=True)]


class PairPicture:
    """The pieces of one pair on the screen; each is built when it is asked for."""

    def __init__(self, pair: Pair, *, layout: str, theme: Theme) -> None:
        self.pair, self.theme = pair, theme
        self.geometry = PairLayout(layout, pair.tokens)
        self.flow = Flow(layout, pair.tokens)

    def labels(self, sentence: int, side: Side) -> list[TokenBox]:
        """The tokens of a sentence at one end of the machine; of a long one, those that change places."""
        words, named = self.pair.words(sentence), self._named(sentence)
        boxes = []
        for row, place in enumerate(named):
            long = len(named) < len(words)
            box = (
                self.geometry.wide_label(sentence, side, place, row=row)
                if long
                else self.geometry.label(sentence, side, place)
            )
            boxes.append(TokenBox(words[place], box=box, theme=self.theme, position=place))
            if place == self.pair.place(sentence, self.pair.followed):
                boxes[-1].outline.set_stroke(self.theme.text, width=3.5)
        return boxes

    def _named(self, sentence: int) -> list[int]:
        """The places whose tokens are named: all, unless two words alone change places in a long sentence."""
        moved = {place for place, token in enumerate(self.pair.order) if place != token}
        told = sorted(moved | {self.pair.place(sentence, self.pair.followed)})
        return told if self.geometry.narrow and len(told) == 2 else list(range(self.pair.tokens))

    def vectors(self, sentence: int, side: Side) -> list[NumberMatrix]:
        """The vectors of a sentence as shades; stamped ones have a dashed outline in place of brackets."""
        brackets = not self.geometry.crowded and not (self.pair.placed and side == "in")
        places = [self.geometry.vector(sentence, side, i) for i in range(self.pair.tokens)]
        return [
            self.matrix(self.pair.vector(sentence, side, i), box, brackets=brackets) for i, box in enumerate(places)
        ]

    def matrix(
        self,
        cells: Sequence[Cell | None],
        box: Box,
        *,
        digits: bool = False,
        brackets: bool = True,
        size: float = frame.CONTEXT_SIZE,
    ) -> NumberMatrix:
        """One vector, upright in columns and lying in rows."""
        first = next(cell for cell in cells if cell is not None)
        axis = next((name for name, _ in first.index if name != "d_model"), "none")
        down, across = self.flow.vector_axes(axis, "d_model")
        return NumberMatrix(
            self.flow.lay(cells),
            box=box,
            role="data",
            theme=self.theme,
            down=down,
            across=across,
            digits=digits,
            brackets=brackets,
            size=size,
        )

    def machine(self, words: Sequence[str]) -> VGroup:
        """The box of attention: learned, and the same for both sentences."""
        box = self.geometry.machine()
        plate = Rounded(
            width=box.width,
            height=box.height,
            radius=0.12,
            centre=box.centre,
            stroke_color=self.theme.role("weight"),
            stroke_width=3,
            fill_color=self.theme.shade("weight", 0),
            fill_opacity=1,
        )
        group = VGroup(plate)
        x, y = box.centre
        pitch = 0.42
        for number, word in enumerate(words):
            size = frame.LABEL_SIZE if number == 0 else frame.NOTE_SIZE
            text = Prose(word, size=size, color=self.theme.text if number == 0 else self.theme.note)
            share = min(1.0, (box.width - 0.16) / text.advance)
            text = Prose(word, size=size * share, color=text.get_fill_color())
            group.add(text.place(x, y + (number - (len(words) - 1) / 2) * pitch))
        return group

    def arrows(self, sentence: int) -> VGroup:
        """Into the machine and out of it."""
        first, second, third, fourth = self.geometry.flow(sentence)
        return VGroup(self._arrow(first, second), self._arrow(third, fourth))

    def _arrow(self, start: tuple[float, float], end: tuple[float, float]) -> VGroup:
        a, b = frame.at(*start), frame.at(*end)
        along = (b - a) / np.linalg.norm(b - a)
        aside = np.array([-along[1], along[0], 0.0])
        head = VGroup(Line(b, b - along * 0.13 + aside * 0.08), Line(b, b - along * 0.13 - aside * 0.08))
        return VGroup(Line(a, b), head).set_stroke(self.theme.note, width=3)

    def crossings(self, side: Side) -> VGroup:
        """A line from each word of the first sentence to the same word of the second, the followed one strong."""
        group = VGroup()
        for token in range(self.pair.tokens):
            a = frame.at(*self.geometry.inner_end(0, side, self.pair.place(0, token)))
            b = frame.at(*self.geometry.inner_end(1, side, self.pair.place(1, token)))
            bend = (b - a) * ([0, 0.5, 0] if self.geometry.columns else [0.5, 0, 0])
            strong = token == self.pair.followed
            curve = CubicBezier(a, a + bend, b - bend, b)
            curve.set_stroke(self.theme.text if strong else self.theme.faint("data", 0.6), width=5 if strong else 2.5)
            group.add(curve)
        return group
