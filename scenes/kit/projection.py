"""Projection: a learned matrix times one token's vector, one entry written out, then every token at once."""

from __future__ import annotations

from dataclasses import dataclass

from manim import VGroup

from scenes.kit import frame
from scenes.kit.elision import elided
from scenes.kit.flow import DIGIT_HEIGHT, DIGIT_WIDTH, Flow, window
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.matrix import Grid, NumberMatrix
from scenes.kit.text import BoundNumber, Glyphs, Label, Prose, line
from scenes.kit.theme import Theme
from transformer_core import derive
from transformer_core.trace import Cell, Trace

LEFT = 1.06
WORK_TOP = 2.62
RESULT_BOTTOM = 7.44
INPUT_HEIGHT = 0.222
NAME_BELOW, NAME_BESIDE = 0.27, 0.36
"""How far from a matrix its letter stands."""


@dataclass(frozen=True)
class Projection:
    """W · E for one head: ``weight`` names W_Q, W_K or W_V; ``result`` names query, key or value."""

    trace: Trace
    flow: Flow
    theme: Theme
    layer: int
    head: int
    token: int
    weight: str
    result: str

    @property
    def token_axis(self) -> str:
        """The axis name of the result's tokens."""
        return "query" if self.result == "query" else "key"

    def weight_cell(self, feature: int, dimension: int) -> Cell:
        """One learned weight: from input feature to output dimension."""
        return self.trace.cell(
            f"blocks.{self.layer}.attn.{self.weight}", head=self.head, d_model=feature, d_head=dimension
        )

    def input_cell(self, token: int, feature: int) -> Cell:
        """One entry of the vector that the layer reads."""
        return self.trace.cell(f"blocks.{self.layer}.attn.input", position=token, d_model=feature)

    def result_cell(self, token: int, dimension: int) -> Cell:
        """One entry of the projected vector."""
        index = {"head": self.head, self.token_axis: token, "d_head": dimension}
        return self.trace.cell(f"blocks.{self.layer}.attn.{self.result}", **index)

    @property
    def features(self) -> list[int | None]:
        """The input features that are drawn."""
        return window(self.trace.spec.config.d_model)

    @property
    def dimensions(self) -> list[int | None]:
        """The output dimensions that are drawn."""
        return window(self.trace.spec.config.d_head, shown=8)

    def weight_matrix(self) -> NumberMatrix:
        """The learned matrix: d_head × d_model in columns, d_model × d_head in rows."""
        long, short = len(self.features) * DIGIT_WIDTH, len(self.dimensions) * DIGIT_HEIGHT
        cells = [
            [None if f is None or d is None else self.weight_cell(f, d) for f in self.features] for d in self.dimensions
        ]
        if self.flow.columns:
            box, down, across = Box(LEFT, WORK_TOP, long, short), "d_head", "d_model"
        else:
            cells = [list(row) for row in zip(*cells, strict=True)]
            wide, tall = len(self.dimensions) * DIGIT_WIDTH, len(self.features) * DIGIT_HEIGHT
            box, down, across = Box(6.95 if self.wide else 9.35, 3.1, wide, tall), "d_model", "d_head"
        matrix = NumberMatrix(
            cells, box=box, role="weight", theme=self.theme, down=down, across=across, size=frame.CONTEXT_SIZE
        )
        matrix.add(*elided(matrix))
        return self._named(matrix, f"@weight({self.weight})", (box.centre[0], box.bottom + NAME_BELOW))

    def _named(self, matrix: NumberMatrix, symbol: str, place: tuple[float, float]) -> NumberMatrix:
        """A matrix with its letter beside it; the letter goes where the matrix goes."""
        return matrix.add(Formula(symbol, size=frame.NUMBER_SIZE, theme=self.theme).move_to(frame.at(*place)))

    def input_vector(self) -> NumberMatrix:
        """What the matrix reads: the token's vector beside it (columns), every token's as shades (rows)."""
        if self.flow.columns:
            cells = [None if f is None else self.input_cell(self.token, f) for f in self.features]
            box = Box(11.45, WORK_TOP, DIGIT_WIDTH, len(cells) * INPUT_HEIGHT)
            vector = self._input(self.flow.lay(cells), box, digits=True)
            return self._named(vector, "E", (box.right + NAME_BESIDE, box.centre[1]))
        first = self.flow.vector(0, len(self.features), start=3.0, cell=(self._shade_width, DIGIT_HEIGHT))
        last = self.flow.vector(self.flow.tokens - 1, 1, start=3.0, cell=(self._shade_width, DIGIT_HEIGHT))
        rows = [
            [None if f is None else self.input_cell(token, f) for f in self.features]
            for token in range(self.flow.tokens)
        ]
        box = Box(first.left, first.top, first.width, last.bottom - first.top)
        return self._named(self._input(rows, box, digits=False), "E", (box.centre[0], self._foot))

    @property
    def _foot(self) -> float:
        """Where the letters stand in rows: under the learned matrix and what it meets."""
        return 3.1 + len(self.features) * DIGIT_HEIGHT + NAME_BELOW

    @property
    def _shade_width(self) -> float:
        return 0.22 if self.wide else 0.36

    def _input(self, cells: Grid, box: Box, *, digits: bool) -> NumberMatrix:
        down, across = self.flow.vector_axes("position", "d_model")
        return NumberMatrix(cells, box=box, role="data", theme=self.theme, down=down, across=across, digits=digits)

    def result_vector(self) -> NumberMatrix:
        """The projected vector, where the product puts it."""
        cells = [None if d is None else self.result_cell(self.token, d) for d in self.dimensions]
        if self.flow.columns:
            box = Box(12.85, WORK_TOP, DIGIT_WIDTH, len(cells) * DIGIT_HEIGHT)
            place = box.right + NAME_BESIDE, box.centre[1]
        else:
            box = self.result_box(self.token)
            place = box.centre[0], self._foot
        letter = self.result[0] if self.flow.columns else self.result[0].upper()
        return self._named(self._result(cells, box), f"@{self.result}({letter})", place)

    def signs(self) -> VGroup:
        """The times and equals signs of the product."""
        matrix, vector, product = self.weight_matrix().box, self.input_vector().box, self.result_vector().box
        first, second = (matrix, vector) if self.flow.columns else (vector, matrix)
        middle = min(matrix.centre[1], vector.centre[1])
        return VGroup(
            *(
                Prose(sign, size=frame.NUMBER_SIZE, color=self.theme.note).place((left + right) / 2, middle)
                for sign, left, right in (
                    ("×", first.right, second.left),
                    ("=", second.right, product.left),
                )
            )
        )

    @property
    def wide(self) -> bool:
        """Whether a projected vector is longer than fits beside the worked entry (columns) or with digits (rows)."""
        return len(self.dimensions) > 4

    def result_box(self, token: int) -> Box:
        """Where a token's projected vector rests: under its label, or beside it."""
        count = len(self.dimensions)
        if self.flow.columns:
            start, cell = RESULT_BOTTOM - count * DIGIT_HEIGHT, (DIGIT_WIDTH, DIGIT_HEIGHT)
        else:
            start, cell = (12.15, (0.37, DIGIT_HEIGHT)) if self.wide else (12.35, (DIGIT_WIDTH, DIGIT_HEIGHT))
        return self.flow.vector(token, count, start=start, cell=cell)

    def results(self) -> list[NumberMatrix]:
        """Every token's projected vector, in its place."""
        return [
            self._result(
                [None if d is None else self.result_cell(token, d) for d in self.dimensions],
                self.result_box(token),
            )
            for token in range(self.flow.tokens)
        ]

    def _result(self, cells: list[Cell | None], box: Box) -> NumberMatrix:
        down, across = self.flow.vector_axes(self.token_axis, "d_head")
        matrix = NumberMatrix(
            self.flow.lay(cells),
            box=box,
            role="data",
            theme=self.theme,
            down=down,
            across=across,
            digits=self.flow.columns or not self.wide,
            brackets=not self.flow.crowded,
        )
        matrix.brackets.set_stroke(self.theme.role(self.result))
        return matrix

    def worked_entry(self, dimension: int = 0) -> WorkedEntry:
        """One entry of the result, written out: weights, inputs, products and their sum."""
        return WorkedEntry(self, dimension)


class WorkedEntry(VGroup):
    """A row of weights, the vector laid beside it, their products, and the sum: one entry of the result."""

    def __init__(self, projection: Projection, dimension: int) -> None:
        super().__init__()
        features = projection.features
        weights = [None if f is None else projection.weight_cell(f, dimension) for f in features]
        inputs = [None if f is None else projection.input_cell(projection.token, f) for f in features]
        terms = [None if w is None or x is None else derive.product(w, x) for w, x in zip(weights, inputs, strict=True)]
        left, top = (LEFT, projection.weight_matrix().box.bottom + 0.48) if projection.flow.columns else (4.9, 1.42)
        self.rows = []
        for number, (role, cells) in enumerate((("weight", weights), ("data", inputs), ("data", terms))):
            box = Box(left, top + number * 0.32, len(cells) * DIGIT_WIDTH, DIGIT_HEIGHT)
            self.rows.append(
                NumberMatrix(
                    [cells],
                    box=box,
                    role=role,
                    theme=projection.theme,
                    down="none",
                    across="d_model",
                    brackets=False,
                )
            )
        total = BoundNumber(
            projection.result_cell(projection.token, dimension),
            size=frame.NUMBER_SIZE * 1.15,
            color=projection.theme.role(projection.result),
            weight="strong",
        )
        symbols = VGroup(
            *(
                Prose(sign, size=frame.LABEL_SIZE, color=projection.theme.note).place(
                    left - 0.19, top + number * 0.32 + 0.125
                )
                for number, sign in ((1, "×"), (2, "="))
            )
        )
        left_out = [f for f in range(projection.trace.spec.config.d_model) if f not in features]
        pieces: list[Glyphs] = []
        if left_out:
            products = [
                derive.product(projection.weight_cell(f, dimension), projection.input_cell(projection.token, f))
                for f in left_out
            ]
            pieces = [
                Label(f"… {len(left_out)} Σ ≈ ", size=frame.LABEL_SIZE, color=projection.theme.note),
                BoundNumber(derive.sum_of(products), size=frame.LABEL_SIZE, color=projection.theme.note),
                Prose("    ", size=frame.LABEL_SIZE, color=projection.theme.note),
            ]
        equals = Prose("Σ ≈ ", size=frame.NUMBER_SIZE * 1.15, color=projection.theme.text)
        right = left + len(features) * DIGIT_WIDTH
        line(*pieces, equals, total, x=right, y=top + 1.28, anchor="right")
        self.sum = VGroup(*pieces, equals, total)
        self.symbols = symbols
        for row in self.rows:
            row.add(*elided(row))
        self.add(*self.rows, symbols, self.sum)
