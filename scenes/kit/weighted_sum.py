"""Weight × value, key by key, added up to z: every term visible, every number with its address."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from manim import Line, VGroup

from scenes.kit import frame
from scenes.kit.elision import elided
from scenes.kit.flow import window
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.sum_layout import SumLayout
from scenes.kit.terms import Term, WeightedTerms
from scenes.kit.text import BoundNumber, Glyphs, Label, Prose, TokenText, line
from scenes.kit.theme import Theme
from scenes.kit.tokens import TokenBox
from transformer_core.display import show
from transformer_core.trace import Cell

Word = Callable[..., str]


class WeightedSum(VGroup):
    """The panel: names, weights, values, weighted values, signs, z, and the keys that are not seen.

    ``word`` gives the short labels ``mix_weight``, ``mix_value``, ``mix_weighted``, ``mix_more``
    (with ``n``), ``mix_masked``.
    """

    def __init__(
        self, terms: WeightedTerms, *, layout: SumLayout, tokens: Sequence[str], theme: Theme, word: Word
    ) -> None:
        super().__init__()
        self.terms, self.layout, self.tokens, self.theme, self.word = terms, layout, tokens, theme, word
        numbered = list(enumerate(terms.terms))
        self.labels = [self._label(i, term) for i, term in numbered]
        self.weights = [self._weight(layout.weight(i), term.weight) for i, term in numbered]
        self.values = [self._value(i, term) for i, term in numbered]
        self.weighted = [self._vector(term.weighted, layout.weighted(i)) for i, term in numbered]
        self.total = self._vector(terms.total, layout.weighted(len(terms.terms)))
        self.weight_sum = self._weight_sum()
        self.headings = self._headings()
        self.signs = self._signs()
        self.masked = self._masked()
        self.symbol = self._symbol()
        self.add(
            self.headings,
            *self.labels,
            *self.weights,
            *self.values,
            *self.weighted,
            self.signs,
            self.total,
            self.weight_sum,
            self.masked,
            self.symbol,
        )

    def _label(self, place: int, term: Term) -> VGroup | Label:
        box = self.layout.label(place)
        if term.rest:
            label = Label(self.word("mix_more", n=len(term.keys)), size=frame.CONTEXT_SIZE, color=self.theme.note)
            return label.place(*box.centre)
        key = term.keys[0]
        return TokenBox(self.tokens[key], box=box, theme=self.theme, position=key, role="key")

    def _weight(self, place: tuple[float, float], cell: Cell) -> BoundNumber:
        number = BoundNumber(cell, size=frame.NUMBER_SIZE, color=self.theme.text, weight="strong")
        return number.place(*place)

    def _weight_sum(self) -> VGroup:
        cell = self.terms.weight_sum
        sign = "=" if show(cell).kind == "exact" else "≈"
        pieces = (
            Prose(f"Σ {sign} ", size=frame.NOTE_SIZE, color=self.theme.note),
            BoundNumber(cell, size=frame.NOTE_SIZE, color=self.theme.note),
        )
        x, y = self.layout.weight(len(self.terms.terms))
        line(*pieces, x=x, y=y, anchor="center")
        return VGroup(*pieces)

    def _value(self, place: int, term: Term) -> VGroup:
        box = self.layout.value(place)
        if term.value is None:
            mark = "⋮" if self.layout.flow.columns else "⋯"
            return Prose(mark, size=frame.NUMBER_SIZE, color=self.theme.note).place(*box.centre)
        return self._vector(term.value, box)

    def _vector(self, cells: Sequence[Cell], box: Box) -> NumberMatrix:
        drawn = [None if d is None else cells[d] for d in window(len(cells), shown=8)]
        flow = self.layout.flow
        token_axis = "key" if any(axis == "key" for axis, _ in cells[0].index) else "query"
        down, across = flow.vector_axes(token_axis, "d_head")
        matrix = NumberMatrix(
            flow.lay(drawn),
            box=box,
            role="data",
            theme=self.theme,
            down=down,
            across=across,
            size=self.layout.number_size,
        )
        matrix.brackets.set_stroke(self.theme.role("value"))
        matrix.add(elided(matrix))
        return matrix

    def _headings(self) -> VGroup:
        anchor = "left" if self.layout.flow.columns else "center"
        return VGroup(
            *(
                Prose(self.word(key), size=frame.NOTE_SIZE, color=self.theme.note).place(*place, anchor)
                for key, place in zip(("mix_weight", "mix_value", "mix_weighted"), self.layout.headings(), strict=True)
            )
        )

    def _sign(self, text: str, x: float, y: float) -> Prose:
        return Prose(text, size=frame.NUMBER_SIZE, color=self.theme.note).place(x, y)

    def _signs(self) -> VGroup:
        boxes = [self.layout.weighted(i) for i in range(len(self.terms.terms) + 1)]
        if self.layout.flow.columns:
            signs = ["+"] * (len(boxes) - 2) + ["="]
            return VGroup(
                *(
                    self._sign(sign, (left.right + right.left) / 2, left.centre[1])
                    for sign, left, right in zip(signs, boxes, boxes[1:], strict=False)
                )
            )
        values = [self.layout.value(i) for i in range(len(self.terms.terms))]
        times = [self._sign("×", values[0].left - 0.25, box.centre[1]) for box in values]
        equals = [self._sign("=", (v.right + b.left) / 2, v.centre[1]) for v, b in zip(values, boxes, strict=False)]
        plus = [self._sign("+", box.right + 0.23, box.centre[1]) for box in boxes[:-2]]
        last, total = boxes[-2], boxes[-1]
        y = (last.bottom + total.top) / 2
        rule = Line(frame.at(last.left - 0.1, y), frame.at(last.right + 0.1, y))
        rule.set_stroke(self.theme.note, width=2)
        return VGroup(*times, *equals, *plus, rule)

    def _symbol(self) -> Formula:
        box = self.total.box
        symbol = Formula("z", size=frame.LABEL_SIZE * 1.1, theme=self.theme)
        if self.layout.flow.columns:
            return symbol.move_to(frame.at(box.centre[0], box.top - 0.26))
        return symbol.move_to(frame.at(box.left - 0.28, box.centre[1]))

    def _masked(self) -> VGroup:
        if not self.terms.masked:
            return VGroup()
        pieces: list[Glyphs] = [
            Prose(self.word("mix_masked"), size=frame.NOTE_SIZE, color=self.theme.note),
            BoundNumber(self.terms.masked[0], size=frame.NOTE_SIZE, color=self.theme.text),
            Prose(":", size=frame.NOTE_SIZE, color=self.theme.note),
        ]
        for cell in self.terms.masked:
            if len(pieces) > 10:
                pieces.append(Prose("  …", size=frame.NOTE_SIZE, color=self.theme.note))
                break
            pieces.append(TokenText(f"  {self.tokens[cell.at('key')]}", size=frame.NOTE_SIZE, color=self.theme.note))
        x, y = self.layout.masked()
        line(*pieces, x=x, y=y)
        return VGroup(*pieces)
