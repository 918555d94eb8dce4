"""Heads as copies of one machine: each with its own W_Q, W_K, W_V, all of them reading the whole vector."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from manim import VGroup, VMobject

from scenes.kit import frame
from scenes.kit.copies_layout import CopiesLayout
from scenes.kit.dots import DotGrid
from scenes.kit.elision import elided
from scenes.kit.flow import Flow, window
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.mark import outline
from scenes.kit.matrix import NumberMatrix
from scenes.kit.rounded import Rounded
from scenes.kit.text import Label, Prose
from scenes.kit.theme import Theme
from transformer_core.trace import Cell, Trace

SHOWN = 4
"""So many heads are drawn; of more, the first and the last."""

STAGES = (("W_Q", "query"), ("W_K", "key"), ("W_V", "value"))


class HeadCopies(VGroup):
    """One token's vector, lines from every entry of it into every head, and each head's three matrices.

    ``heads`` (frame, weights, results), ``fans``, ``labels`` and ``symbols`` have an entry for each place; an
    elided place has its dots alone. ``name`` gives a head's label from its number,
    counted from 1.
    """

    def __init__(self, trace: Trace, *, flow: Flow, layer: int, token: int, theme: Theme, name) -> None:
        super().__init__()
        self.trace, self.flow, self.theme, self.token = trace, flow, theme, token
        self.block = f"blocks.{layer}.attn"
        config = trace.spec.config
        self.places = window(config.head_count, shown=SHOWN)
        self.features, self.dimensions = window(config.d_model), window(config.d_head, shown=8)
        self.layout = CopiesLayout(flow, len(self.places))
        self.vector = self._vector()
        self.letter = self._letter()
        self.heads = [self._head(place, head) for place, head in enumerate(self.places)]
        self.fans = [self._fan(place) if head is not None else VGroup() for place, head in enumerate(self.places)]
        self.labels = [self._label(place, head, name) for place, head in enumerate(self.places)]
        self.symbols = [self._symbols(place) for place in range(len(self.places))]
        self.add(self.vector, self.letter, *self.fans, *self.heads, *self.labels, *self.symbols)

    def _vector(self) -> NumberMatrix:
        cells = [
            None if f is None else self.trace.cell(f"{self.block}.input", position=self.token, d_model=f)
            for f in self.features
        ]
        down, across = self.flow.vector_axes("position", "d_model")
        matrix = NumberMatrix(
            self.flow.lay(cells),
            box=self.layout.vector(),
            role="data",
            theme=self.theme,
            down=down,
            across=across,
            size=frame.HEIGHT / 40,
        )
        return matrix.add(elided(matrix))

    def _letter(self) -> Formula:
        box = self.layout.vector()
        place = (box.centre[0], box.top - 0.28) if self.flow.columns else (box.right + 0.3, box.centre[1])
        return Formula("E", size=frame.NUMBER_SIZE * 1.1, theme=self.theme).move_to(frame.at(*place))

    def _head(self, place: int, head: int | None) -> VGroup:
        box = self.layout.head(place)
        if head is None:
            mark = "⋮" if self.flow.columns else "⋯"
            return VGroup(Prose(mark, size=frame.TITLE_SIZE, color=self.theme.note).place(*box.centre))
        edge = Rounded(
            width=box.width,
            height=box.height,
            radius=0.12,
            centre=box.centre,
            stroke_color=self.theme.guide,
            stroke_width=2.5,
        )
        weights = [self._weight(weight, place, order, head) for order, (weight, _) in enumerate(STAGES)]
        results = [self._result(stage, place, order, head) for order, (_, stage) in enumerate(STAGES)]
        return VGroup(edge, VGroup(*weights), VGroup(*results))

    def _weight(self, name: str, place: int, order: int, head: int) -> NumberMatrix:
        def cell(feature: int | None, dimension: int | None):
            if feature is None or dimension is None:
                return None
            return self.trace.cell(f"{self.block}.{name}", head=head, d_model=feature, d_head=dimension)

        grid = [[cell(f, d) for f in self.features] for d in self.dimensions]
        return self._matrix(grid, self.layout.weight(place, order), "weight", ("d_head", "d_model"))

    def _result(self, stage: str, place: int, order: int, head: int) -> NumberMatrix:
        axis = "query" if stage == "query" else "key"
        index = {"head": head, axis: self.token}
        grid = [
            [None if d is None else self.trace.cell(f"{self.block}.{stage}", **index, d_head=d)]
            for d in self.dimensions
        ]
        matrix = self._matrix(grid, self.layout.result(place, order), "data", ("d_head", axis))
        matrix.brackets.set_stroke(self.theme.role(stage))
        return matrix

    def _matrix(self, grid, box: Box, role: str, axes: tuple[str, str]) -> NumberMatrix:
        down, across = axes
        if not self.flow.columns:
            grid, down, across = [list(row) for row in zip(*grid, strict=True)], across, down
        matrix = NumberMatrix(grid, box=box, role=role, theme=self.theme, down=down, across=across, digits=False)
        matrix.all_heads = True
        return matrix

    def _fan(self, place: int) -> VMobject:
        """A line from every entry of the vector, those that are not drawn among them, to one head."""
        end = frame.at(*self.layout.joint(place))
        starts = []
        for number in range(len(self.features)):
            row, column = (number, 0) if self.flow.columns else (0, number)
            box = self.vector.cell_box(row, column)
            starts.append(
                frame.at(box.right + 0.1, box.centre[1])
                if self.flow.columns
                else frame.at(box.centre[0], box.bottom + 0.1)
            )
        fan = VMobject(stroke_color=self.theme.faint("data", 0.55), stroke_width=1.4, fill_opacity=0)
        fan.points = np.concatenate([np.linspace(a, b, 4) for start in starts for a, b in pairwise((start, end))])
        return fan

    def grid(self, place: int, head: int, *, below: float) -> DotGrid:
        """The n × n weights that one head has to keep, as dots."""

        def cell(query: int, key: int) -> Cell:
            return self.trace.cell(f"{self.block}.pattern", head=head, query=query, key=key)

        grid = DotGrid(cell, flow=self.flow, theme=self.theme, box=self.layout.grid(place, below))
        for part in grid.get_family():
            part.all_heads = True
        edge = outline(grid.box, self.theme.guide, pad=0.04, width=2)
        return grid.add(edge)

    def _label(self, place: int, head: int | None, name) -> VGroup | Label:
        if head is None:
            return VGroup()
        text = Label(name(head + 1), size=frame.NOTE_SIZE, color=self.theme.text)
        return text.place(*self.layout.label(place))

    def _symbols(self, place: int) -> VGroup:
        """The letters over a head's matrices, over the uppermost alone in columns; there of q, k and v too."""
        group = VGroup()
        if self.places[place] is None or (self.flow.columns and place):
            return group
        for order, (weight, stage) in enumerate(STAGES):
            x, y = self.layout.symbol(place, order)
            group.add(self._symbol(f"@weight({weight})", (x, y)))
            if self.flow.columns:
                group.add(self._symbol(f"@{stage}({stage[0]})", (self.layout.result(place, order).centre[0], y)))
        return group

    def _symbol(self, source: str, place: tuple[float, float]) -> Formula:
        return Formula(source, size=frame.LABEL_SIZE, theme=self.theme).move_to(frame.at(*place))
