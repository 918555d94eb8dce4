"""The whole head as a few matrix products, every token at once: matrices as shades, products numbered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from manim import Arrow, Mobject, VGroup

from scenes.kit import frame
from scenes.kit.flow import Flow, window
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import Label
from scenes.kit.theme import Theme
from transformer_core.trace import Cell, Trace

Places = list[int | None]
SIZE = 0.30
"""Em of the symbols beside the matrices."""


@dataclass(frozen=True)
class Overview:
    """E, the four learned matrices, and what they make of E, as small shaded matrices in reading order."""

    trace: Trace
    flow: Flow
    theme: Theme
    layer: int
    head: int

    def _matrix(
        self, cell: Callable[[int, int], Cell], axes: tuple[str, str], places: tuple[Places, Places], box: Box, role: str
    ) -> NumberMatrix:
        upright = [
            [None if a is None or b is None else cell(a, b) for b in places[1]] for a in places[0]
        ]
        down, across = axes
        if not self.flow.columns:
            upright, down, across = [list(row) for row in zip(*upright, strict=True)], across, down
        return NumberMatrix(
            upright, box=box, role=role, theme=self.theme, down=down, across=across, digits=False
        )

    @property
    def _features(self) -> Places:
        return window(self.trace.spec.config.d_model)

    @property
    def _dimensions(self) -> Places:
        return window(self.trace.spec.config.d_head, shown=8)

    @property
    def _tokens(self) -> Places:
        return list(range(self.flow.tokens))

    def _name(self, stage: str) -> str:
        return f"blocks.{self.layer}.attn.{stage}"

    def embedding(self) -> NumberMatrix:
        """Every token's vector, as the head reads it."""
        box = Box(0.9, 2.75, 1.6, 1.7) if self.flow.columns else Box(0.9, 3.0, 1.75, 1.5)
        return self._matrix(
            lambda f, t: self.trace.cell(self._name("input"), position=t, d_model=f),
            ("d_model", "position"),
            (self._features, self._tokens),
            box,
            "data",
        )

    def weight(self, stage: str, order: int) -> NumberMatrix:
        """W_Q, W_K or W_V: the learned matrix, order 0, 1, 2 from above."""
        box = Box(3.75, 2.15 + order * 1.2, 1.75, 0.5) if self.flow.columns else Box(4.1, 1.95 + order * 1.35, 0.5, 1.1)
        return self._matrix(
            lambda d, f: self.trace.cell(self._name(stage), head=self.head, d_model=f, d_head=d),
            ("d_head", "d_model"),
            (self._dimensions, self._features),
            box,
            "weight",
        )

    def projected(self, stage: str, order: int) -> NumberMatrix:
        """Q, K or V of every token."""
        box = Box(6.3, 2.15 + order * 1.2, 1.45, 0.5) if self.flow.columns else Box(5.9, 1.95 + order * 1.35, 0.6, 1.1)
        axis = "query" if stage == "query" else "key"
        matrix = self._matrix(
            lambda d, t: self.trace.cell(self._name(stage), head=self.head, d_head=d, **{axis: t}),
            ("d_head", axis),
            (self._dimensions, self._tokens),
            box,
            "data",
        )
        matrix.brackets.set_stroke(self.theme.role(stage))
        return matrix

    @property
    def pattern_box(self) -> Box:
        """Where the grid of attention weights is."""
        return Box(8.9, 2.1, 1.75, 1.75) if self.flow.columns else Box(8.0, 2.1, 1.9, 1.9)

    def mixed(self) -> NumberMatrix:
        """z of every token."""
        box = Box(11.35, 4.55, 1.45, 0.5) if self.flow.columns else Box(10.9, 4.0, 0.6, 1.1)
        return self._matrix(
            lambda d, t: self.trace.cell(self._name("z"), head=self.head, query=t, d_head=d),
            ("d_head", "query"),
            (self._dimensions, self._tokens),
            box,
            "data",
        )

    def output_weight(self) -> NumberMatrix:
        """W_O of the head."""
        box = Box(11.8, 2.2, 0.5, 1.75) if self.flow.columns else Box(12.0, 2.6, 1.4, 0.5)
        return self._matrix(
            lambda f, d: self.trace.cell(self._name("W_O"), head=self.head, d_head=d, d_model=f),
            ("d_model", "d_head"),
            (self._features, self._dimensions),
            box,
            "weight",
        )

    def change(self) -> NumberMatrix:
        """ΔE of every token."""
        box = Box(13.5, 2.75, 1.6, 1.7) if self.flow.columns else Box(13.3, 3.8, 1.75, 1.5)
        matrix = self._matrix(
            lambda f, t: self.trace.cell(self._name("head_out"), head=self.head, position=t, d_model=f),
            ("d_model", "position"),
            (self._features, self._tokens),
            box,
            "data",
        )
        matrix.brackets.set_stroke(self.theme.role("delta"))
        return matrix

    def symbol(self, source: str, matrix: Mobject) -> Formula:
        """The letter of a matrix, above it."""
        formula = Formula(source, size=SIZE, theme=self.theme)
        return formula.next_to(matrix, np.array([0.0, 1.0, 0.0]), buff=0.08)

    def step(self, number: int, start: Mobject, end: Mobject) -> VGroup:
        """An arrow from one matrix to the next, with the number of its product."""
        direction = end.get_center() - start.get_center()
        side = np.array([np.sign(direction[0]), 0.0, 0.0])
        first, last = start.get_critical_point(side), end.get_critical_point(-side)
        arrow = Arrow(
            first, last, buff=0.1, stroke_width=2.5, tip_length=0.14, color=self.theme.guide,
            max_stroke_width_to_length_ratio=20, max_tip_length_to_length_ratio=0.5,
        )
        label = Label(str(number), size=frame.NOTE_SIZE, color=self.theme.note)
        middle = (first + last) / 2
        x, y = frame.place_of(middle)
        return VGroup(arrow, label.place(x, y - 0.16))
