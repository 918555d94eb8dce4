"""The softmax of one token in close-up: a line per key from score to weight, with what is summed under it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from manim import Line, VGroup, VMobject

from scenes.kit import frame
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.flow import Flow
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import BoundNumber, Prose, line
from scenes.kit.theme import Theme
from transformer_core import derive
from transformer_core.display import show
from transformer_core.trace import Cell, Trace

STEPS = ("score", "shifted", "exp", "pattern")
"""The columns (or rows) of the table, each made from the one before it."""

WIDEST = 2.62
"""Room for "−1.23", in em."""


@dataclass(frozen=True)
class CloseUp:
    """Where the table lies. Keys keep their direction in the grid: down in columns, across in rows."""

    flow: Flow

    @property
    def pitch(self) -> float:
        """The distance between neighbouring keys."""
        if self.flow.columns:
            return self.flow.grid().height / self.flow.tokens
        return min(1.3, 8.9 / self.flow.tokens)

    @property
    def size(self) -> float:
        """The size of the table's numbers."""
        room = (self.pitch * 0.8, 0.29) if self.flow.columns else (0.29, self.pitch * 0.94 / WIDEST)
        return min(frame.LABEL_SIZE, *room)

    def step(self, name: str) -> Box:
        """Where the numbers of one step lie, all keys together."""
        number, length = STEPS.index(name), self.flow.tokens * self.pitch
        if self.flow.columns:
            return Box((2.15, 3.6, 5.05, 6.95)[number], 3.1, 1.15, length)
        return Box(4.5, (1.76, 2.06, 2.36, 2.72)[number], length, 0.3)

    def key_label(self, key: int) -> Box:
        """Where a key's label lies."""
        if self.flow.columns:
            return self.flow.key_label(key)
        if self.pitch < 0.9:
            middle, width = self.key_middle(key), self.pitch * 1.84
            return Box(middle - width / 2, 1.2 + 0.27 * (key % 2), width, 0.25)
        return Box(4.5 + key * self.pitch + 0.04, 1.3, self.pitch - 0.08, 0.4)

    def key_middle(self, key: int) -> float:
        """A key's middle along the direction of the keys."""
        return (3.1 if self.flow.columns else 4.5) + (key + 0.5) * self.pitch

    @property
    def dots(self) -> Box:
        """Where the whole grid lies while the table is on screen: its keys in line with the table's."""
        length = self.flow.tokens * self.pitch
        if self.flow.columns:
            return Box(11.0, 3.1, length, length)
        return Box(4.5, 3.1, length, self.flow.grid().height)

    def total(self, name: str) -> tuple[float, float]:
        """Where the largest value or the sum of a step is written: below its column, or after its row."""
        box = self.step(name)
        if self.flow.columns:
            return box.centre[0], min(box.bottom + 0.28, 7.46)
        return box.right + 0.18, box.centre[1]


class SoftmaxTable(VGroup):
    """Score, score − max, exp and weight of one query against every key.

    ``columns`` holds the numbers of each step, ``headings`` their names, ``totals`` the largest score, Σ exp
    and Σ weights, ``bars`` one bar a key whose length is its weight.
    """

    def __init__(
        self,
        trace: Trace,
        *,
        flow: Flow,
        theme: Theme,
        layer: int,
        head: int,
        query: int,
        words: Mapping[str, str],
    ) -> None:
        super().__init__()
        self.trace, self.theme, self.place = trace, theme, CloseUp(flow)
        self.layer, self.head, self.query, self.words = layer, head, query, words
        self.columns = {name: self._column(name) for name in STEPS}
        self.headings = {name: self._heading(name) for name in STEPS}
        self.weight_sum = derive.sum_of(self.cells("pattern"))
        self.totals = {
            "score": self._total("score", f"{words['max']} ", self._of_query("row_max")),
            "exp": self._total("exp", "Σ ", self._of_query("row_sum")),
            "pattern": self._total("pattern", "Σ ", self.weight_sum, strong=True),
        }
        self.bars = VGroup(*(self._bar(cell) for cell in self.cells("pattern") if not cell.masked))
        self.bracket = self._bracket()
        self.division = self._division()
        self.add(*self.columns.values(), *self.headings.values(), *self.totals.values())
        self.add(self.bars, self.bracket, self.division)

    @property
    def forward(self) -> tuple[float, float, float]:
        """A small step in the direction in which the table grows."""
        return (0.25, 0.0, 0.0) if self.place.flow.columns else (0.0, -0.2, 0.0)

    def cells(self, step: str) -> list[Cell]:
        """The Cells of one step, a key each."""
        stage = "masked" if step == "score" else step
        name = f"blocks.{self.layer}.attn.{stage}"
        return list(self.trace.cells(name, head=self.head, query=self.query))

    def _of_query(self, stage: str) -> Cell:
        return self.trace.cell(f"blocks.{self.layer}.attn.{stage}", head=self.head, query=self.query)

    def _column(self, name: str) -> NumberMatrix:
        flow, last = self.place.flow, name == "pattern"
        down, across = flow.axes
        return NumberMatrix(
            flow.lay(self.cells(name)),
            box=self.place.step(name),
            role="data",
            theme=self.theme,
            down=down,
            across=across,
            size=self.place.size * (1.1 if last and flow.tokens <= 8 else 1.0),
            shades=not last,
            brackets=False,
            ink=self.theme.text if last else None,
        )

    def _heading(self, name: str) -> Prose:
        box, last = self.place.step(name), name == "pattern"
        columns = self.place.flow.columns
        word = self.words["attention_weight" if last and columns else "attention" if last else name]
        heading = Prose(
            word,
            size=frame.LABEL_SIZE * 0.92,
            color=self.theme.text if last else self.theme.note,
            weight="strong" if last else "regular",
        )
        if not columns:
            return heading.place(box.left - 0.14, box.centre[1], "right")
        if last:
            return heading.place(box.left + 0.08, box.top - 0.22, "left")
        return heading.place(box.centre[0], box.top - 0.22)

    def _total(self, name: str, lead: str, cell: Cell, *, strong: bool = False) -> VGroup:
        size = min(frame.LABEL_SIZE, max(self.place.size, frame.CONTEXT_SIZE * 1.15))
        sign = "" if name == "score" else "= " if show(cell).kind == "exact" else "≈ "
        colour = self.theme.text if strong else self.theme.note
        weight = "strong" if strong else "regular"
        words = Prose(lead + sign, size=size, color=self.theme.note)
        number = BoundNumber(cell, size=size, color=colour, weight=weight)
        x, y = self.place.total(name)
        columns = self.place.flow.columns
        line(words, number, x=x, y=y, anchor="center" if columns else "left")
        total = VGroup(words, number)
        if columns:
            box = self.place.step(name)
            rule = Line(frame.at(box.left, box.bottom + 0.06), frame.at(box.right, box.bottom + 0.06))
            total.add(rule.set_stroke(self.theme.guide, width=2))
        return total

    @property
    def bar_scale(self) -> LinearScale:
        """The length of a bar for a weight of 1."""
        return LinearScale("weight bar", "length", full=2.2)

    def _bar(self, cell: Cell) -> Line:
        """A thick line, so that its points measure its length however short it is."""
        encoding = Encoding(cell, self.bar_scale)
        left, y = 8.25, self.place.key_middle(cell.at("key"))
        bar = Line(frame.at(left, y), frame.at(left + encoding.drawn, y))
        bar.set_stroke(self.theme.role("pattern"), width=100 * min(0.2, self.place.pitch * 0.5))
        bar.encodings = (encoding,)
        return bar

    def _bracket(self) -> VGroup:
        """Along the keys, beside the weights: this is the direction in which they add up to 1."""
        box, colour, inset = self.place.step("pattern"), self.theme.role("key"), 0.03
        if self.place.flow.columns:
            back, tip = box.left - 0.08, box.left + 0.02
            ends = (box.top + inset, box.bottom - inset)
            corners = [(tip, ends[0]), (back, ends[0]), (back, ends[1]), (tip, ends[1])]
        else:
            back, tip = box.top - 0.035, box.top + 0.035
            ends = (box.left + inset, box.right - inset)
            corners = [(ends[0], tip), (ends[0], back), (ends[1], back), (ends[1], tip)]
        bracket = VMobject(stroke_color=colour, stroke_width=3, fill_opacity=0)
        bracket.set_points_as_corners([frame.at(*corner) for corner in corners])
        note = Prose(self.words["over_keys"], size=frame.LABEL_SIZE * 0.85, color=colour)
        x, y = self.place.total("pattern")
        if self.place.flow.columns:
            note.place(8.25, y, "left")
        else:
            note.place(x, y + 0.32, "left")
        return VGroup(bracket, note)

    def _division(self) -> VGroup:
        """``÷ Σ`` between the exponentials and the weights."""
        left, right = self.place.step("exp"), self.place.step("pattern")
        sign = Prose("÷ Σ", size=frame.LABEL_SIZE * 0.92, color=self.theme.note)
        if self.place.flow.columns:
            return VGroup(sign.place((left.right + right.left - 0.08) / 2, left.top - 0.22))
        word = self.headings["pattern"]
        return VGroup(sign.place(right.left - 0.14 - word.advance - 0.25, right.centre[1], "right"))
