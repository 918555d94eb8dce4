"""[z_1 … z_h] times W_O: the heads' results side by side, one learned matrix, one change."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Line, VGroup

from scenes.kit import frame
from scenes.kit.frame import Box
from scenes.kit.head_vectors import HeadVectors
from scenes.kit.mark import outline
from scenes.kit.matrix import NumberMatrix, bracket_pair

LARGE = frame.NUMBER_SIZE * 1.1


class WholeProduct(VGroup):
    """The parts of the product, in the order of the story.

    ``gathered`` are the heads' results apart and large, with ``names``; ``stack`` the same joined; ``blocks`` the
    parts of W_O, each a pair: its last line and the rest.
    """

    def __init__(self, draw: HeadVectors) -> None:
        super().__init__()
        self.draw, self.layout, self.theme = draw, draw.layout, draw.theme
        self.heads = draw.numbers.heads
        self.columns = draw.layout.flow.columns
        self.gathered = [self._gathered(place, head) for place, head in enumerate(self.heads)]
        self.names = [self._name(place, head) for place, head in enumerate(self.heads)]
        self.stack = [self._stacked(place, head) for place, head in enumerate(self.heads)]
        self.blocks = [self._block(place, head) for place, head in enumerate(self.heads)]
        self.product = draw.product(self.layout.product(), size=frame.HEIGHT / 38)
        self.bias = draw.bias(self.layout.added_bias()) if self.layout.bias else VGroup()
        self.stack_edge = bracket_pair(_around(self.layout.stacked, len(self.heads)), self.theme.role("value"))
        self.matrix_edge = bracket_pair(self._whole, self.theme.role("weight"))
        self.letters, self.signs = self._letters(), self._signs()
        self.active, self.seams = self._active(), self._seams()
        self.add(*self.stack, *self.blocks, self.product, self.bias, self.stack_edge, self.matrix_edge)
        self.add(self.letters, self.signs, self.active)

    @property
    def _whole(self) -> Box:
        return _around(self.layout.block, len(self.heads))

    def _gathered(self, place: int, head: int | None):
        box = self.layout.gathered(place)
        if head is None:
            return self.draw.dots(box, upright=not self.columns)
        line = box.height / (self.layout.length if self.columns else 1)
        return self.draw.result(head, box, size=min(LARGE, 0.8 * line))

    def _name(self, place: int, head: int | None) -> VGroup:
        if head is None:
            return VGroup()
        box = self.layout.gathered(place)
        where = (box.centre[0], box.top - 0.36) if self.columns else (box.left - 0.5, box.centre[1])
        return VGroup(self.draw.numbered("z", head, where, "data"))

    def _stacked(self, place: int, head: int | None):
        box = self.layout.stacked(place)
        if head is None:
            return self.draw.dots(box, upright=self.columns)
        return self.draw.result(head, box, brackets=False)

    def _block(self, place: int, head: int | None) -> VGroup:
        box = self.layout.block(place)
        if head is None:
            return VGroup(self.draw.dots(box, upright=not self.columns))
        whole = self.draw.block(head, box, brackets=False)
        parts = VGroup()
        for lines in (slice(-1, None), slice(0, -1)):
            part = whole.part(**({"rows": lines} if self.columns else {"columns": lines}), brackets=False)
            part.all_heads = True
            parts.add(part)
        return parts

    @property
    def rest(self) -> list[VGroup]:
        """W_O without the line that is in play last."""
        return [parts[1] for parts, head in zip(self.blocks, self.heads, strict=True) if head is not None]

    @property
    def last(self) -> tuple[Box, Box]:
        """The last line of W_O and the last entry of the product."""
        features, whole = self.layout.features, self._whole
        entry = (features - 1, 0) if self.columns else (0, features - 1)
        return _line(whole, features, features - 1, rows=self.columns), self.product.cell_box(*entry)

    @property
    def digits(self) -> list[tuple[NumberMatrix, VGroup]]:
        """The parts of W_O, each with its digits."""
        parts = [
            part for block, head in zip(self.blocks, self.heads, strict=True) if head is not None for part in block
        ]
        return [(part, part.digits) for part in parts]

    def _letters(self) -> VGroup:
        letters = {
            "@weight(W_O)": self._whole,
            "z": self.layout.stacked(0),
            "@delta(Delta E)": self.layout.product(),
        }
        if self.layout.bias:
            letters["@weight(b_O)"] = self.layout.added_bias()
        return VGroup(*(self.draw.letter(source, self.layout.symbol(box)) for source, box in letters.items()))

    def _signs(self) -> VGroup:
        """The times sign, the plus sign of b_O where there is one, and the equals sign."""
        stack, whole = self.layout.stacked(0), self._whole
        pairs = [("×", whole, stack) if self.columns else ("×", stack, whole)]
        last = stack if self.columns else whole
        if self.layout.bias:
            pairs.append(("+", last, self.layout.added_bias()))
            last = self.layout.added_bias()
        pairs.append(("=", last, self.layout.product()))
        return VGroup(*(self.draw.sign(text, self.layout.between(a, b)) for text, a, b in pairs))

    def _active(self) -> VGroup:
        """The first entry: its line of W_O and its result."""
        colour = self.theme.role("delta")
        line = _line(self._whole, self.layout.features, 0, rows=self.columns)
        return VGroup(outline(line, colour, pad=0.0), outline(self.product.cell_box(0, 0), colour, pad=0.0))

    def _seams(self) -> VGroup:
        """Where W_O and z will be cut: between one head and the next."""
        seams, reach = VGroup(), 0.12
        for after in range(1, len(self.heads)):
            block, result = self.layout.block(after), self.layout.stacked(after)
            if self.columns:
                ends = ((block.left, self._whole.top - reach), (block.left, self._whole.bottom + reach))
                other = ((result.left - reach, result.top), (result.right + reach, result.top))
            else:
                ends = ((self._whole.left - reach, block.top), (self._whole.right + reach, block.top))
                other = ((result.left, result.top - reach), (result.left, result.bottom + reach))
            for start, end in (ends, other):
                seams.add(Line(frame.at(*start), frame.at(*end)).set_stroke(self.theme.text, width=3))
        return seams


def _around(place_of, count: int) -> Box:
    """The box around all places of a kind."""
    boxes: Sequence[Box] = [place_of(place) for place in range(count)]
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    return Box(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def _line(whole: Box, count: int, number: int, *, rows: bool) -> Box:
    """One of ``count`` rows, or columns, of a box."""
    if rows:
        return Box(whole.left, whole.top + number * whole.height / count, whole.width, whole.height / count)
    return Box(whole.left + number * whole.width / count, whole.top, whole.width / count, whole.height)
