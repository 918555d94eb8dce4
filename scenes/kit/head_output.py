"""W_O times z: the head's change ΔE, as wide as the model again."""

from __future__ import annotations

from manim import VGroup

from scenes.kit import frame
from scenes.kit.elision import elided
from scenes.kit.flow import window
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.mark import outline
from scenes.kit.matrix import Grid, NumberMatrix
from scenes.kit.sum_layout import SumLayout
from scenes.kit.text import Prose
from scenes.kit.theme import Theme
from transformer_core.trace import Trace

ALL_DIGITS = 80
"""A larger W_O shows its shades, and the digits of the entry that is in play last."""


class HeadOutput(VGroup):
    """W_O z = ΔE for one token and head (columns), or z W_O = ΔE (rows)."""

    def __init__(
        self,
        trace: Trace,
        *,
        layout: SumLayout,
        layer: int,
        head: int,
        token: int,
        theme: Theme,
        more: str = "",
    ) -> None:
        super().__init__()
        self.trace, self.layout, self.theme, self.more = trace, layout, theme, more
        self.name, self.head, self.token = f"blocks.{layer}.attn", head, token
        config = trace.spec.config
        self.features, self.dimensions = window(config.d_model), window(config.d_head, shown=8)
        self.matrix = self._matrix()
        self.input = self._input()
        self.delta = self._delta()
        self.active = self._active()
        self.signs = self._signs()
        self.symbols = self._symbols()
        self.add(self.matrix, self.input, self.delta, self.active, self.signs, self.symbols)

    def _matrix(self) -> VGroup:
        def cell(feature: int | None, dimension: int | None):
            if feature is None or dimension is None:
                return None
            return self.trace.cell(f"{self.name}.W_O", head=self.head, d_head=dimension, d_model=feature)

        columns = self.layout.flow.columns
        grid: Grid = [[cell(f, d) for d in self.dimensions] for f in self.features]
        down, across = "d_model", "d_head"
        if not columns:
            grid, down, across = [list(row) for row in zip(*grid, strict=True)], "d_head", "d_model"
        all_digits = len(self.features) * len(self.dimensions) <= ALL_DIGITS
        whole = NumberMatrix(
            grid,
            box=self.layout.matrix(),
            role="weight",
            theme=self.theme,
            down=down,
            across=across,
            size=frame.HEIGHT / 36,
            digits=all_digits,
        )
        self.whole = whole
        matrix = VGroup(whole, elided(whole, self.more))
        if not all_digits:
            last = {"rows": slice(-1, None)} if columns else {"columns": slice(-1, None)}
            matrix.add(whole.part(**last, digits=True, brackets=False))
        return matrix

    def _input(self) -> NumberMatrix:
        cells = [
            None if d is None else self.trace.cell(f"{self.name}.z", head=self.head, query=self.token, d_head=d)
            for d in self.dimensions
        ]
        return self._vector(cells, "d_head", self.layout.matrix_input(), "data", "value", self.layout.number_size)

    def _delta(self) -> NumberMatrix:
        cells = [
            None
            if f is None
            else self.trace.cell(f"{self.name}.head_out", head=self.head, position=self.token, d_model=f)
            for f in self.features
        ]
        return self._vector(cells, "d_model", self.layout.output(), "delta", "delta", frame.NUMBER_SIZE * 0.95)

    def _vector(self, cells, axis, box, role, accent, size) -> NumberMatrix:
        flow = self.layout.flow
        down, across = flow.vector_axes("query" if axis == "d_head" else "position", axis)
        matrix = NumberMatrix(
            flow.lay(cells), box=box, role=role, theme=self.theme, down=down, across=across, size=size
        )
        matrix.brackets.set_stroke(self.theme.role(accent))
        matrix.add(elided(matrix))
        return matrix

    def _active(self) -> VGroup:
        """The first entry: its weights and its result."""
        return VGroup(*(outline(box, self.theme.role("delta"), pad=0.0) for box in self._places_of(0)))

    @property
    def last(self) -> tuple[Box, Box]:
        """The weights and the result of the last entry."""
        return self._places_of(len(self.features) - 1)

    def _places_of(self, feature: int) -> tuple[Box, Box]:
        """Where the weights and the result of an entry are."""
        line, columns = slice(feature, feature + 1), self.layout.flow.columns
        strip = self.whole.part(rows=line) if columns else self.whole.part(columns=line)
        return strip.box, self.delta.cell_box(*((feature, 0) if columns else (0, feature)))

    def _signs(self) -> VGroup:
        def sign(text: str, x: float, y: float) -> Prose:
            return Prose(text, size=frame.NUMBER_SIZE, color=self.theme.note).place(x, y)

        matrix, given, output = self.layout.matrix(), self.layout.matrix_input(), self.layout.output()
        if self.layout.flow.columns:
            y = given.centre[1]
            return VGroup(sign("×", (matrix.right + given.left) / 2, y), sign("=", (given.right + output.left) / 2, y))
        left = matrix.left - 1.15
        return VGroup(sign("×", left, matrix.centre[1]), sign("=", left, output.centre[1]))

    def _symbols(self) -> VGroup:
        symbols = {"@weight(W_O)": self.layout.matrix(), "@delta(Delta E)": self.layout.output()}
        if self.layout.flow.columns:
            symbols["z"] = self.layout.matrix_input()
        group = VGroup()
        for source, box in symbols.items():
            formula = Formula(source, size=frame.LABEL_SIZE * 1.1, theme=self.theme)
            if self.layout.flow.columns:
                formula.move_to(frame.at(box.centre[0], box.top - 0.26))
            else:
                formula.move_to(frame.at(box.left - 0.55, box.centre[1]))
            group.add(formula)
        return group
