"""The whole machine as a conveyor: words enter, vectors travel, a guess leaves. Real numbers, as shades and lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from manim import Line, Polygon, VGroup

from scenes.kit import frame
from scenes.kit.bars import Bar
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.fixed import dashed
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.journey import Journey
from scenes.kit.matrix import NumberMatrix
from scenes.kit.next_word import NextWord
from scenes.kit.rounded import Rounded
from scenes.kit.text import Label, Prose, TokenText
from scenes.kit.theme import Theme
from scenes.kit.tokens import TokenBox, fit
from transformer_core.trace import Cell

MIDDLE, TALL = 4.35, 3.2
TOKENS = 6
"""So many tokens stand at the entrance, the last ones of the prompt."""
WORDS = 9
"""So many words of the vocabulary are drawn of W_E and of W_U."""
BARS = 4


def arrow(start: float, end: float, y: float, theme: Theme) -> VGroup:
    """A quiet arrow to the right."""
    corners = [frame.at(end, y), frame.at(end - 0.16, y - 0.08), frame.at(end - 0.16, y + 0.08)]
    head = Polygon(*corners, stroke_width=0)
    shaft = Line(frame.at(start, y), frame.at(end - 0.14, y)).set_stroke(theme.note, width=3)
    return VGroup(shaft, head.set_fill(theme.note, opacity=1))


def plate(box: Box, colour: str, ground: str, *, radius: float = 0.12) -> Rounded:
    """A station's plate."""
    return Rounded(
        width=box.width,
        height=box.height,
        radius=radius,
        centre=box.centre,
        stroke_color=colour,
        stroke_width=2.5,
        fill_color=ground,
        fill_opacity=1,
    )


class Belt(VGroup):
    """Stations in their order; ``cargo`` are the vectors that lie between them.

    ``word`` gives ``belt_words``, ``belt_embed``, ``belt_position``, ``belt_attention``, ``belt_feed_forward``,
    ``belt_layers``, ``belt_norm``, ``belt_unembed`` and ``belt_guess``.
    """

    def __init__(self, journey: Journey, guess: NextWord, *, theme: Theme, word: Callable[..., str]) -> None:
        super().__init__()
        self.journey, self.guess, self.theme, self.word = journey, guess, theme, word
        self.trace, config = journey.trace, journey.trace.spec.config
        self.entrance = self._entrance(Box(0.9, MIDDLE - TALL / 2, 1.5, TALL))
        self.embed = self._table(Box(2.95, MIDDLE - 1.75, 2.1, 3.5), "embed.W_E", "@weight(W_E)", word("belt_embed"))
        self.position = self._position(Box(6.2, MIDDLE - 1.1, 0.26, 2.2)) if config.positions != "none" else VGroup()
        self.layers = self._layers(Box(7.35, MIDDLE - 1.45, 1.95, 2.9))
        self.unembed = self._table(
            Box(10.45, MIDDLE - 1.75, 2.1, 3.5), "unembed.W_U", "@weight(W_U)", word("belt_unembed")
        )
        self.exit = self._exit(Box(13.15, MIDDLE - TALL / 2, 2.0, TALL))
        self.cargo = [
            self._vector(
                Box(5.3, MIDDLE - 0.8, 0.2, 1.6), tuple(self.trace.cells("embed.token", position=journey.position))
            ),
            self._vector(Box(6.82, MIDDLE - 0.8, 0.2, 1.6), journey.stops[0].cells),
            self._vector(Box(9.75, MIDDLE - 0.8, 0.2, 1.6), journey.last.cells),
        ]
        self.arrows = VGroup(
            arrow(2.45, 2.85, MIDDLE, theme), arrow(9.38, 9.68, MIDDLE, theme), arrow(12.62, 13.02, MIDDLE, theme)
        )
        self.add(
            self.entrance, self.embed, self.position, self.layers, self.unembed, self.exit, *self.cargo, self.arrows
        )

    def _caption(self, text: str, x: float, y: float, *, role: str = "", room: float = 2.3) -> Prose:
        colour = self.theme.role(role) if role else self.theme.text
        size = min(frame.LABEL_SIZE, frame.LABEL_SIZE * room / Prose(text, size=frame.LABEL_SIZE, color=colour).advance)
        return Prose(text, size=max(size, frame.CONTEXT_SIZE), color=colour).place(x, y)

    def _entrance(self, box: Box) -> VGroup:
        many = len(self.trace.spec.tokens) > TOKENS
        tokens = list(enumerate(self.trace.spec.tokens))[-(TOKENS - many) :]
        pitch = 0.56
        top = MIDDLE - (len(tokens) - many) * pitch / 2
        group = VGroup(self._caption(self.word("belt_words"), box.centre[0], MIDDLE - 2.05))
        if many:
            group.add(Prose("⋮", size=frame.NUMBER_SIZE, color=self.theme.note).place(box.centre[0], top - 0.22))
        for place, (position, text) in enumerate(tokens):
            own = Box(box.left, top + place * pitch + 0.04, box.width, 0.48)
            token = TokenBox(text, box=own, theme=self.theme, position=position)
            if position == self.journey.position:
                token.outline.set_stroke(self.theme.text, width=3.5)
            group.add(token)
        return group

    def _table(self, box: Box, name: str, symbol: str, text: str) -> VGroup:
        """A learned matrix: a word a column on the way in, a word a row on the way out."""
        total = len(self.trace.spec.vocabulary)
        wanted = self.journey.trace.spec.ids[self.journey.position] if name == "embed.W_E" else self.guess.best
        first = max(0, min(wanted - WORDS // 2, total - WORDS))
        words = range(first, min(first + WORDS, total))
        rows = [[self.trace.cell(name, vocab=word, d_model=f) for f in self._features] for word in words]
        inner = Box(box.left + 0.25, box.top + 0.2, box.width - 0.5, box.height - 0.4)
        if name == "embed.W_E":
            grid, axes = [list(column) for column in zip(*rows, strict=True)], ("d_model", "vocab")
        else:
            grid, axes = rows, ("vocab", "d_model")
        matrix = NumberMatrix(
            grid, box=inner, role="weight", theme=self.theme, down=axes[0], across=axes[1], digits=False, brackets=False
        )
        letter = Formula(symbol, size=frame.TITLE_SIZE * 1.1, theme=self.theme)
        letter.move_to(frame.at(box.centre[0], box.bottom + 0.36))
        ground = plate(box, self.theme.role("weight"), self.theme.plate("weight"))
        return VGroup(ground, matrix, letter, self._caption(text, box.centre[0], box.top - 0.3, role="weight"))

    @property
    def _features(self) -> range:
        return range(min(16, self.trace.spec.config.d_model))

    def _vector(self, box: Box, cells: Sequence[Cell]) -> NumberMatrix:
        grid = [[cells[f]] for f in self._features]
        return NumberMatrix(
            grid,
            box=box,
            role="data",
            theme=self.theme,
            down="d_model",
            across="position",
            digits=False,
            brackets=False,
        )

    def _position(self, box: Box) -> VGroup:
        learned = self.trace.spec.config.positions == "learned"
        cells = tuple(self.trace.cells("embed.position", position=self.journey.position))
        vector = self._vector(box, cells)
        own = Box(box.left - 0.1, box.top - 0.1, box.width + 0.2, box.height + 0.2)
        around = plate(own, self.theme.role("weight"), self.theme.ground)
        outline = around if learned else dashed(box, self.theme, pad=0.1)
        plus = Prose("+", size=frame.TITLE_SIZE, color=self.theme.text).place(box.left - 0.38, MIDDLE)
        text = self._caption(self.word("belt_position"), box.centre[0], box.top - 0.42, room=1.5)
        return VGroup(outline, vector, plus, text)

    def _layers(self, box: Box) -> VGroup:
        config = self.trace.spec.config
        parts = [self.word("belt_attention")] + ([self.word("belt_feed_forward")] if config.d_mlp else [])
        if config.final_norm:
            parts.append(self.word("belt_norm"))
        group = VGroup(plate(box, self.theme.faint("data", 0.5), self.theme.plate("data")))
        height = box.height / len(parts)
        for place, text in enumerate(parts):
            own = Box(box.left + 0.14, box.top + place * height + 0.14, box.width - 0.28, height - 0.28)
            group.add(plate(own, self.theme.faint("weight", 0.6), self.theme.plate("weight"), radius=0.08))
            group.add(self._caption(text, *own.centre, room=own.width - 0.2))
        times = Label(self.word("belt_layers", n=config.layer_count), size=frame.LABEL_SIZE, color=self.theme.text)
        return group.add(times.place(box.centre[0], box.bottom + 0.34))

    def _exit(self, box: Box) -> VGroup:
        """The likeliest words and their probabilities as bars."""
        named = self.guess.named[:BARS]
        pitch, scale = 0.74, LinearScale("probability", "length", full=box.width)
        top = MIDDLE - len(named) * pitch / 2
        group = VGroup(self._caption(self.word("belt_guess"), box.left + 0.75, MIDDLE - 2.05, role="probability"))
        for place, word in enumerate(named):
            y = top + place * pitch
            cell = self.guess.probability(word)
            size, text = fit(self.trace.spec.vocabulary[word], Box(0, 0, box.width, 0.4), frame.NOTE_SIZE)
            weight = "strong" if place == 0 else "regular"
            colour = self.theme.text if place == 0 else self.theme.note
            group.add(TokenText(text, size=size, color=colour, weight=weight).place(box.left, y + 0.14, "left"))
            encoding = Encoding(cell, scale)
            colour = self.theme.role("probability")
            group.add(Bar(box.left, y + 0.44, height=0.24, colour=colour, encoding=encoding))
        return group
