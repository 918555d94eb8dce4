"""E + ΔE = E′ as vectors: what is on screen adds up to what the model computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from manim import VGroup

from scenes.kit import frame
from scenes.kit.elision import elided
from scenes.kit.flow import Flow, window
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import Label, Prose
from scenes.kit.theme import Theme
from transformer_core import derive
from transformer_core.trace import Cell, Trace


@dataclass(frozen=True)
class Addition:
    """The vectors of one token's residual sum: E, this head's ΔE, the other heads' (if any), E′.

    ``others`` is Σ of the other heads' ΔE, with b_O where the model has one; ``other_heads`` counts them.
    """

    before: tuple[Cell, ...]
    change: tuple[Cell, ...]
    others: tuple[Cell, ...]
    other_heads: int
    after: tuple[Cell, ...]

    @property
    def alone(self) -> bool:
        """Whether E + ΔE is all there is to E′."""
        return not self.others

    @property
    def sum_of_two(self) -> tuple[Cell, ...]:
        """E + ΔE of this head: E′ itself where nothing else is added."""
        if self.alone:
            return self.after
        return tuple(derive.sum_of(pair) for pair in zip(self.before, self.change, strict=True))


def addition_of(trace: Trace, *, layer: int, head: int, token: int) -> Addition:
    """The residual sum of a token around one head."""
    block, config = f"blocks.{layer}", trace.spec.config
    heads = [tuple(trace.cells(f"{block}.attn.head_out", head=h, position=token)) for h in range(config.head_count)]
    rest = [cells for h, cells in enumerate(heads) if h != head]
    if f"{block}.attn.b_O" in trace.names():
        rest.append(tuple(trace.cells(f"{block}.attn.b_O")))
    return Addition(
        before=tuple(trace.cells(f"{block}.residual.before", position=token)),
        change=heads[head],
        others=tuple(derive.sum_of(column) for column in zip(*rest, strict=True)) if rest else (),
        other_heads=config.head_count - 1,
        after=tuple(trace.cells(f"{block}.residual.attn_sum", position=token)),
    )


class AdditionPanel(VGroup):
    """The vectors side by side (columns) or under each other (rows), with their symbols and signs."""

    def __init__(self, addition: Addition, *, flow: Flow, theme: Theme, others: Sequence[str], then: str = "") -> None:
        super().__init__()
        self.flow, self.theme = flow, theme
        vectors = [("E", addition.before, "data"), ("@delta(Delta E)", addition.change, "delta")]
        if not addition.alone:
            vectors.append(("", addition.others, "delta"))
        vectors.append(("E'", addition.after, "data"))
        self.count, self.length = len(vectors), len(window(len(addition.before)))
        self.vectors = [self._vector(cells, i, role) for i, (_, cells, role) in enumerate(vectors)]
        if not addition.alone:
            # The one vector that sums over heads other than the scene's; the audit asks for this to be said.
            self.vectors[2].all_heads = True
        self.symbols = [self._symbol(source, i, others) for i, (source, _, _) in enumerate(vectors)]
        signs = [*(["+"] * (self.count - 2)), "="]
        self.signs = [self._sign(sign, i + 1) for i, sign in enumerate(signs)]
        self.then = self._then(then)
        self.add(*self.vectors, *self.symbols, *self.signs, self.then)

    def place(self, place: int) -> Box:
        """The box of one of the vectors."""
        if self.flow.columns:
            width, gap = (0.84, 0.42) if self.count == 3 else (0.66, 0.36)
            return Box(0.95 + place * (width + gap), 2.28, width, min(5.0, self.length * 0.36))
        pitch, height = (0.5, 0.34) if self.count == 3 else (0.44, 0.3)
        return Box(3.1, 1.44 + place * pitch, min(11.95, self.length * 0.9), height)

    def _vector(self, cells: Sequence[Cell], place: int, role: str) -> NumberMatrix:
        drawn = [None if f is None else cells[f] for f in window(len(cells))]
        down, across = self.flow.vector_axes("position", "d_model")
        matrix = NumberMatrix(
            self.flow.lay(drawn),
            box=self.place(place),
            role=role,
            theme=self.theme,
            down=down,
            across=across,
            size=frame.NUMBER_SIZE * 0.95,
        )
        matrix.add(elided(matrix))
        return matrix

    def _symbol(self, source: str, place: int, others: Sequence[str]) -> VGroup | Formula:
        box = self.place(place)
        if source:
            symbol = Formula(source, size=frame.LABEL_SIZE * 1.15, theme=self.theme)
            if self.flow.columns:
                return symbol.move_to(frame.at(box.centre[0], box.top - 0.27))
            return symbol.move_to(frame.at(box.left - 0.42, box.centre[1]))
        lines = VGroup(*(Label(text, size=frame.CONTEXT_SIZE, color=self.theme.role("delta")) for text in others))
        for number, text in enumerate(lines):
            y = (len(lines) - 1 - number) * 0.22
            if self.flow.columns:
                text.place(box.centre[0], box.top - 0.2 - y)
            else:
                text.place(box.left - 0.16, box.centre[1] + (0.5 - len(lines) / 2 + number) * 0.2, "right")
        return lines

    def _sign(self, text: str, place: int) -> Prose:
        sign = Prose(text, size=frame.NUMBER_SIZE, color=self.theme.note)
        box = self.place(place)
        if self.flow.columns:
            return sign.place((self.place(place - 1).right + box.left) / 2, box.centre[1])
        return sign.place(box.left - (0.9 if self.count == 3 else 1.2), box.centre[1])

    def _then(self, text: str) -> VGroup:
        if not text:
            return VGroup()
        note, box = Prose(text, size=frame.NOTE_SIZE, color=self.theme.note), self.place(self.count - 1)
        if self.flow.columns:
            return VGroup(note.place(max(box.centre[0], 0.8 + note.advance / 2), box.bottom + 0.22))
        return VGroup(note.place(box.right, box.bottom + 0.21, "right"))
