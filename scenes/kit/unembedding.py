"""Unembedding: the last vector meets each word's weights in W_U; one dot product is written out in full."""

from __future__ import annotations

from collections.abc import Callable

from manim import VGroup

from scenes.kit import frame
from scenes.kit.elision import elided
from scenes.kit.flow import DIGIT_WIDTH, Flow, window
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.journey import Journey
from scenes.kit.matrix import NumberMatrix
from scenes.kit.next_word import NextWord
from scenes.kit.text import BoundNumber, Glyphs, Label, Prose, TokenText, line
from scenes.kit.theme import Theme
from scenes.kit.word_table import Gap, WordTable
from transformer_core import derive
from transformer_core.trace import Cell

STEP = 0.355
"""From one row of the written-out product to the next."""


class Unembedding(VGroup):
    """W_U (a row a word in columns, a column a word in rows), the last vector, the logits, one of them written out.

    ``word`` gives ``unembed_more``, ``lookup_more``, ``unembed_bias`` and ``unembed_logit``.
    """

    def __init__(
        self, journey: Journey, guess: NextWord, *, flow: Flow, theme: Theme, word: Callable[..., str]
    ) -> None:
        super().__init__()
        self.journey, self.guess, self.flow, self.theme, self.word = journey, guess, flow, theme, word
        self.trace = journey.trace
        self.features = window(self.trace.spec.config.d_model)
        self.table = self._table()
        self.vector = self._vector()
        self.symbols = self._symbols()
        self.logits = [self._logit(place) for place in range(len(guess.named))]
        self.rows = self._rows()
        self.signs = self._row_signs()
        self.sum = self._sum()

    @property
    def box(self) -> Box:
        """Where the words' weights lie."""
        lines = len(self.guess.named) + (1 if self.guess.others else 0)
        if self.flow.columns:
            return Box(2.45, 2.55, 7.6, min(2.9, lines * 0.42))
        return Box(8.75, 3.62, 6.3, 2.9)

    def _weights(self, word: int) -> list[Cell | None]:
        return [None if f is None else self.trace.cell("unembed.W_U", d_model=f, vocab=word) for f in self.features]

    def _table(self) -> WordTable:
        slots: list[int | Gap] = [*self.guess.named]
        if self.guess.others:
            slots.append(Gap(self.guess.others))
        more = "unembed_more" if self.flow.columns else "lookup_more"
        return WordTable(
            {word: self._weights(word) for word in self.guess.named},
            slots,
            vocabulary=self.trace.spec.vocabulary,
            box=self.box,
            across=not self.flow.columns,
            theme=self.theme,
            strong=frozenset({self.guess.best}),
            more={self.guess.others: self.word(more, n=self.guess.others)},
        )

    def _vector(self) -> NumberMatrix:
        cells: list[Cell | None] = [None if f is None else self.journey.last.cells[f] for f in self.features]
        if self.flow.columns:
            box = Box(11.5, self.box.top, DIGIT_WIDTH, min(3.2, len(cells) * 0.2))
        else:
            box = Box(2.5, self.box.centre[1] - 0.2, 5.6, 0.4)
        down, across = self.flow.vector_axes("position", "d_model")
        matrix = NumberMatrix(
            self.flow.lay(cells),
            box=box,
            role="data",
            theme=self.theme,
            down=down,
            across=across,
            digits=self.flow.columns,
        )
        return matrix.add(elided(matrix))

    def _symbols(self) -> VGroup:
        """The names of the two factors, and the signs between them and the logits."""
        size, vector = frame.LABEL_SIZE * 1.2, self.vector.box
        letter = Formula(self.journey.last.symbol, size=size, theme=self.theme)
        matrix = Formula("@weight(W_U)" + ("^top" if self.flow.columns else ""), size=size, theme=self.theme)
        group = VGroup(letter, matrix)
        times, equals = (Prose(sign, size=frame.NUMBER_SIZE, color=self.theme.note) for sign in "×=")
        if self.flow.columns:
            letter.move_to(frame.at(vector.centre[0], vector.top - 0.27))
            matrix.move_to(frame.at(self.box.centre[0], self.box.top - 0.27))
            times.place((self.box.right + vector.left) / 2, self.box.top + 0.6)
            equals.place(vector.right + 0.4, self.box.top + 0.6)
        else:
            letter.move_to(frame.at(vector.centre[0], vector.top - 0.3))
            matrix.move_to(frame.at(self.box.left - 0.42, self.box.top + 0.2))
            times.place((vector.right + self.box.left) / 2, vector.centre[1])
            equals.place(self.box.left - 0.2, self.box.bottom + 0.34)
        group.add(times, equals)
        if self.flow.columns:
            name = Prose(self.word("unembed_logit"), size=frame.LABEL_SIZE, color=self.theme.note)
            group.add(name.place(14.05, self.box.top - 0.27, "right"))
        return group

    def _logit(self, place: int) -> BoundNumber:
        cell = self.trace.cell("logits", position=self.journey.position, vocab=self.guess.named[place])
        strong = place == 0
        number = BoundNumber(
            cell,
            size=frame.NUMBER_SIZE if self.flow.columns else frame.LABEL_SIZE,
            color=self.theme.text if strong else self.theme.role("data"),
            weight="strong" if strong else "regular",
        )
        middle = self.table.middle(place)
        if self.flow.columns:
            return number.place(14.05, middle, "right")
        return number.place(middle, self.box.bottom + 0.34)

    def _rows(self) -> list[NumberMatrix]:
        """The best word's weights, the vector laid beside them, and the products."""
        weights = self._weights(self.guess.best)
        vector: list[Cell | None] = [None if f is None else self.journey.last.cells[f] for f in self.features]
        terms = [None if a is None or b is None else derive.product(a, b) for a, b in zip(weights, vector, strict=True)]
        rows = []
        for number, (role, cells) in enumerate((("weight", weights), ("data", vector), ("data", terms))):
            row = NumberMatrix(
                [cells],
                box=Box(self._left, self._top + number * STEP, len(cells) * self._cell, 0.31),
                role=role,
                theme=self.theme,
                down="none",
                across="d_model",
                size=frame.NUMBER_SIZE * 0.98,
                brackets=False,
            )
            rows.append(row.add(elided(row)))
        return rows

    @property
    def _left(self) -> float:
        return 1.1 if self.flow.columns else 2.75

    @property
    def _top(self) -> float:
        return 6.0 if self.flow.columns else 1.36

    @property
    def _cell(self) -> float:
        return 0.88 if self.flow.columns else 0.765

    def _row_signs(self) -> VGroup:
        return VGroup(
            *(
                Prose(sign, size=frame.LABEL_SIZE, color=self.theme.note).place(
                    self._left - 0.19, self._top + number * STEP + 0.155
                )
                for number, sign in ((1, "×"), (2, "="))
            )
        )

    def _sum(self) -> VGroup:
        """Σ of the products, with what the drawn ones leave out, and the bias where there is one: the logit."""
        size, config = frame.NUMBER_SIZE * 1.1, self.trace.spec.config
        total = self.trace.cell("logits", position=self.journey.position, vocab=self.guess.best)
        pieces: list[Glyphs] = []
        left_out = [f for f in range(config.d_model) if f not in self.features]
        if left_out:
            weights = [self.trace.cell("unembed.W_U", d_model=f, vocab=self.guess.best) for f in left_out]
            products = derive.dot(weights, [self.journey.last.cells[f] for f in left_out])
            pieces += [
                Label(f"… {len(left_out)} Σ ≈ ", size=frame.LABEL_SIZE, color=self.theme.note),
                BoundNumber(products, size=frame.LABEL_SIZE, color=self.theme.note),
                Prose("    ", size=frame.LABEL_SIZE, color=self.theme.note),
            ]
        if config.unembed_bias:
            bias = self.trace.cell("unembed.b_U", vocab=self.guess.best)
            pieces += [
                Prose(self.word("unembed_bias") + " ", size=frame.LABEL_SIZE, color=self.theme.note),
                BoundNumber(bias, size=frame.LABEL_SIZE, color=self.theme.role("weight")),
                Prose("    ", size=frame.LABEL_SIZE, color=self.theme.note),
            ]
        best = self.trace.spec.vocabulary[self.guess.best]
        pieces.append(TokenText(best, size=size, color=self.theme.text, weight="strong"))
        pieces.append(Prose("   Σ ≈ ", size=size, color=self.theme.note))
        pieces.append(BoundNumber(total, size=size, color=self.theme.text, weight="strong"))
        right = self._left + len(self.features) * self._cell
        line(*pieces, x=right, y=self._top + 1.34, anchor="right")
        return VGroup(*pieces)
