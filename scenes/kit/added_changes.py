"""W_O cut into a block for each head: every block times its own z is that head's change, and the changes add up."""

from __future__ import annotations

from collections.abc import Callable

from manim import Line, VGroup

from scenes.kit import frame
from scenes.kit.frame import Box
from scenes.kit.head_vectors import HeadVectors
from scenes.kit.text import BoundNumber, Label, Prose, line

DELTA = "@delta(Delta E)"
Word = Callable[..., str]


class AddedChanges(VGroup):
    """The parts of the sum: ``groups`` (block and result), ``changes`` with their letters, ``total`` and ``kept``.

    ``word`` gives ``concat_more`` (with ``n``), ``concat_exact``, ``concat_same`` or ``concat_apart``.
    """

    def __init__(self, draw: HeadVectors, *, word: Word) -> None:
        super().__init__()
        self.draw, self.layout, self.theme, self.word = draw, draw.layout, draw.theme, word
        numbers = draw.numbers
        self.heads = numbers.heads
        self.columns = draw.layout.flow.columns
        self.blocks, self.results, self.times = [], [], []
        for place, head in enumerate(self.heads):
            self._group(place, head)
        self.changes = [self._change(place, head) for place, head in enumerate(self.heads)]
        if self.layout.bias:
            self.changes.append(self._bias())
        self.total = VGroup(draw.change(numbers.total, self.layout.total()), self._letter(DELTA, self.layout.total()))
        self.kept = draw.product(self.layout.kept())
        self.kept_letter = self._kept_letter()
        self.signs = self._signs()
        self.note = self._note()
        self.add(
            self.kept_letter,
            *self.blocks,
            *self.results,
            *self.times,
            *self.changes,
            self.total,
            self.kept,
            *self.signs,
            self.note,
        )

    def _group(self, place: int, head: int | None) -> None:
        block, result = self.layout.group(place)
        if head is None:
            self.blocks.append(self.draw.dots(block, upright=not self.columns))
            self.results.append(VGroup())
            self.times.append(VGroup())
            return
        self.blocks.append(self.draw.block(head, block, digits=False))
        wide = len(self.draw.numbers.dimensions) > 4 and not self.columns
        self.results.append(self.draw.result(head, result, digits=not wide))
        first, second = (block, result) if self.columns else (result, block)
        middle = self.layout.between(first, second) if self.columns else _middle(first, second)
        name = Label(self.word("copies_head", i=head + 1), size=frame.NOTE_SIZE, color=self.theme.text)
        self.times.append(VGroup(self.draw.sign("·", middle), name.place(*self.layout.head_name(place))))

    def _change(self, place: int, head: int | None) -> VGroup:
        box = self.layout.change(place)
        matrix = self.draw.change(self.draw.numbers.change(head), box)
        if head is not None:
            where = self.layout.symbol(box) if self.columns else (box.left + 0.3, box.top - 0.24)
            return VGroup(matrix, self.draw.numbered(DELTA, head, where, "delta"))
        text = Label(
            self.word("concat_more", n=len(self.draw.numbers.left_out)), size=frame.CONTEXT_SIZE, color=self.theme.note
        )
        place_of_text = (box.centre[0], box.top - 0.28) if self.columns else (box.left + 0.04, box.top - 0.22)
        return VGroup(matrix, text.place(*place_of_text, "center" if self.columns else "left"))

    def _bias(self) -> VGroup:
        box = self.layout.change(len(self.heads))
        return VGroup(self.draw.bias(box), self._letter("@weight(b_O)", box))

    def _kept_letter(self) -> VGroup:
        box, columns = self.layout.kept(), self.columns
        source = "@weight(W_O) z" if columns else "z thin @weight(W_O)"
        if self.layout.bias:
            source += " + @weight(b_O)"
        sign = self.draw.sign("=", self.layout.between(self.layout.total(), box)) if columns else VGroup()
        letter = self.draw.letter(source, self.layout.symbol(box))
        if not columns:
            letter.shift([(frame.at(box.left - 0.18, 0) - letter.get_right())[0], 0, 0])
        return VGroup(letter, sign)

    def _letter(self, source: str, box: Box) -> VGroup:
        where = self.layout.symbol(box)
        return VGroup(self.draw.letter(source, where))

    def _signs(self) -> list[VGroup]:
        """A sign in front of every change, and the one in front of the sum."""
        boxes = [self.layout.change(place) for place in range(len(self.changes))]
        if self.columns:
            last = self.layout.group(len(self.heads) - 1)[1]
            befores = [last, *boxes]
            texts = ["=", *["+"] * (len(boxes) - 1), "="]
            return [
                VGroup(self.draw.sign(text, self.layout.between(a, b)))
                for text, a, b in zip(texts, befores, [*boxes, self.layout.total()], strict=True)
            ]
        signs = []
        for place, box in enumerate(boxes):
            group = VGroup()
            if place < len(self.heads):
                group.add(self.draw.sign("=", (box.left - 0.28, box.centre[1])))
            if place:
                group.add(self.draw.sign("+", (box.left - 0.28, box.centre[1] - (box.top - boxes[place - 1].top) / 2)))
            signs.append(group)
        total = self.layout.total()
        y = (boxes[-1].bottom + total.top) / 2
        rule = Line(frame.at(total.left - 0.1, y), frame.at(total.right, y)).set_stroke(self.theme.note, width=2)
        return [*signs, VGroup(rule)]

    @property
    def group_signs(self) -> VGroup:
        """The plus signs between the products of block and result, where they stand side by side."""
        if not self.columns:
            return VGroup()
        pairs = [(self.layout.group(p)[1], self.layout.group(p + 1)[0]) for p in range(len(self.heads) - 1)]
        return VGroup(*(self.draw.sign("+", self.layout.between(a, b)) for a, b in pairs))

    def _note(self) -> VGroup:
        """Whether both ways show the same, and how far apart they are."""
        numbers = self.draw.numbers
        digits = "concat_same" if numbers.same_digits else "concat_apart"
        cell = numbers.apart
        word = self.word(digits if cell.value else "concat_exact")
        apart = BoundNumber(cell, size=frame.LABEL_SIZE, color=self.theme.text, weight="strong")
        apart.all_heads = True
        text = Prose(word + " ", size=frame.LABEL_SIZE, color=self.theme.text)
        x, y = self.layout.note()
        line(text, apart, x=x, y=y, anchor="right")
        return VGroup(text, apart)


def _middle(left: Box, right: Box) -> tuple[float, float]:
    return (left.right + right.left) / 2, left.centre[1]
