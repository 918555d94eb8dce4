"""Looking a word up: its weights in W_E leave as data, and its position is stamped on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from manim import VGroup

from scenes.kit import frame
from scenes.kit.elision import elided
from scenes.kit.fixed import dashed
from scenes.kit.flow import Flow, window
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import Label, Prose
from scenes.kit.theme import Theme
from scenes.kit.word_table import Gap, WordTable, around
from transformer_core.trace import Cell, Trace

TALL = 4.42


class EmbeddingLookup(VGroup):
    """W_E with a few words, the copy of one, the position's vector (if the model adds one) and their sum.

    ``word`` gives ``lookup_more``, ``lookup_fixed`` and ``lookup_learned``.
    """

    def __init__(self, trace: Trace, *, position: int, flow: Flow, theme: Theme, word: Callable[..., str]) -> None:
        super().__init__()
        self.trace, self.position, self.flow, self.theme, self.word = trace, position, flow, theme, word
        config = trace.spec.config
        self.features = window(config.d_model)
        self.id = trace.spec.ids[position]
        self.has_position = config.positions != "none"
        self.learned = config.positions == "learned"
        self.table = self._table()
        self.name_of_matrix = self._name()
        self.token = self._vector(0, "embed.token", "data")
        self.place = (
            self._vector(1, "embed.position", "weight" if self.learned else "data") if self.has_position else None
        )
        self.sum = self._vector(2, "embed.out", "data") if self.has_position else None
        self.symbols = [self._symbol(0, self._token_symbol)]
        self.signs = VGroup()
        self.stamp = VGroup()
        if self.place is not None:
            self.symbols += [
                self._symbol(1, '@note("PE"(p))' if not self.learned else "@weight(W_P) [p]"),
                self._symbol(2, "E"),
            ]
            self.signs = VGroup(*(self._sign(sign, number) for number, sign in ((1, "+"), (2, "="))))
            self.stamp = self._stamp(self.place)

    @property
    def _token_symbol(self) -> str:
        return '@weight(W_E) ["id"]' if self.has_position else "E"

    def _table(self) -> WordTable:
        total = len(self.trace.spec.vocabulary)
        slots = around(self.id, total=total)
        vectors = {
            slot: [None if f is None else self.trace.cell("embed.W_E", vocab=slot, d_model=f) for f in self.features]
            for slot in slots
            if not isinstance(slot, Gap)
        }
        columns = self.flow.columns
        return WordTable(
            vectors,
            slots,
            vocabulary=self.trace.spec.vocabulary,
            box=Box(0.9, 2.72, 8.2, TALL) if columns else Box(4.55, 1.5, 10.4, 2.9),
            across=columns,
            theme=self.theme,
            more={slot.words: self.word("lookup_more", n=slot.words) for slot in slots if isinstance(slot, Gap)},
            lit=frozenset({self.id}),
            ids=True,
            size=frame.NUMBER_SIZE * 0.92,
        )

    def box(self, number: int) -> Box:
        """Where the token's vector, the position's and their sum lie."""
        if self.flow.columns:
            return Box(10.15 + number * 1.9, 2.72, 0.84, min(TALL, len(self.features) * 0.27625))
        return Box(4.55, 4.95 + number * 0.86, len(self.features) * 0.65, 0.36)

    def _vector(self, number: int, name: str, role: str) -> NumberMatrix:
        cells: list[Cell | None] = [
            None if f is None else self.trace.cell(name, position=self.position, d_model=f) for f in self.features
        ]
        down, across = self.flow.vector_axes("position", "d_model")
        matrix = NumberMatrix(
            self.flow.lay(cells),
            box=self.box(number),
            role=role,
            theme=self.theme,
            down=down,
            across=across,
            size=frame.NUMBER_SIZE * 0.92,
            brackets=number != 1 or self.learned,
        )
        return matrix.add(elided(matrix)) if None in cells else matrix

    def lifted(self) -> NumberMatrix:
        """The word's weights, about to leave: a copy on their own place."""
        return self.table.vectors[self.id].part()

    def _symbol(self, number: int, source: str) -> Formula:
        symbol, box = Formula(source, size=frame.LABEL_SIZE * 1.15, theme=self.theme), self.box(number)
        if self.flow.columns:
            return symbol.move_to(frame.at(box.centre[0], box.top - 0.33))
        return symbol.move_to(frame.at(box.left - 0.25 - symbol.width / 2, box.centre[1]))

    def _sign(self, text: str, number: int) -> Prose:
        sign, box = Prose(text, size=frame.TITLE_SIZE, color=self.theme.note), self.box(number)
        if self.flow.columns:
            return sign.place((self.box(number - 1).right + box.left) / 2, box.centre[1])
        return sign.place(3.1, box.centre[1])

    def _stamp(self, vector: NumberMatrix) -> VGroup:
        """Where the position's vector comes from: a dashed outline for a fixed formula."""
        box = self.box(1)
        text = self.word("lookup_learned" if self.learned else "lookup_fixed", n=self.position + 1)
        colour = self.theme.role("weight") if self.learned else self.theme.note
        note = Label(text, size=frame.NOTE_SIZE, color=colour)
        group = VGroup() if self.learned else VGroup(dashed(box, self.theme, pad=0.12))
        if self.flow.columns:
            return group.add(note.place(box.centre[0], box.bottom + 0.33))
        return group.add(note.place(box.left, box.bottom + 0.28, "left"))

    def _name(self) -> VGroup:
        """The matrix's letter and its size."""
        config, total = self.trace.spec.config, len(self.trace.spec.vocabulary)
        columns, box = self.flow.columns, self.table.box
        first, second = (config.d_model, total) if columns else (total, config.d_model)
        letter = Formula("@weight(W_E)", size=frame.TITLE_SIZE, theme=self.theme)
        size = Label(f"{first} × {second}", size=frame.NOTE_SIZE, color=self.theme.note)
        left, y = (box.left + 0.1, box.bottom + 0.33) if columns else (0.9, box.top + 0.15)
        letter.move_to(frame.at(left + letter.width / 2, y))
        if columns:
            return VGroup(letter, size.place(left + letter.width + 0.25, y, "left"))
        return VGroup(letter, size.place(left, y + 0.42, "left"))

    @property
    def stamped(self) -> Sequence[NumberMatrix]:
        """The vectors that belong to the position's stamp."""
        return [each for each in (self.place, self.sum) if each is not None]
