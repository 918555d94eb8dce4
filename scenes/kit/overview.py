"""The whole head as a few matrix products, every token at once: matrices as shades, products numbered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from manim import Line, Mobject, VGroup

from scenes.kit import frame
from scenes.kit.dots import DotGrid
from scenes.kit.flow import Flow, window
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import Label, Prose
from scenes.kit.theme import Theme
from transformer_core.trace import Cell, Trace

Places = list[int | None]
PAPER = '"softmax"(@query(Q) @key(K)^top \\/ sqrt(d_k)) @value(V)'
"""Vaswani et al. 2017, equation 1."""

PRODUCTS = ("Q", "K", "V", "A", "Z", "change")
"""What the matrix products of a head make, in their order: the pictures number them by it."""

SIZE = 0.30
"""Em of the symbols beside the matrices."""

ALMOST = 0.1
"""A line that leans by less than this would look like a mistake."""


@dataclass(frozen=True)
class Stage:
    """One step: what comes to light, and what a product makes, which comes out of its ``source``."""

    shown: list[Mobject]
    source: Mobject | None = None
    result: Mobject | None = None

    @property
    def parts(self) -> list[Mobject]:
        """All that is there once the step is done."""
        return [*self.shown, *([self.result] if self.result else [])]


@dataclass(frozen=True)
class Turned:
    """The paper's form: its words and formula; in columns also the grid as it is ``here``, and turned over."""

    words: Prose
    formula: Formula
    here: VGroup | None = None
    way: Line | None = None
    grid: DotGrid | None = None


@dataclass(frozen=True)
class Overview:
    """E, the four learned matrices, and what they make of E, as small shaded matrices in reading order."""

    trace: Trace
    flow: Flow
    theme: Theme
    layer: int
    head: int

    def _matrix(
        self,
        cell: Callable[[int, int], Cell],
        axes: tuple[str, str],
        places: tuple[Places, Places],
        box: Box,
        role: str,
        outline: str = "",
    ) -> NumberMatrix:
        upright = [[None if a is None or b is None else cell(a, b) for b in places[1]] for a in places[0]]
        down, across = axes
        if not self.flow.columns:
            upright, down, across = [list(row) for row in zip(*upright, strict=True)], across, down
        matrix = NumberMatrix(upright, box=box, role=role, theme=self.theme, down=down, across=across, digits=False)
        if outline:
            matrix.brackets.set_stroke(self.theme.role(outline))
        return matrix

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
        box = (
            Box(0.9, 2.95, 1.6, 1.7) if self.flow.columns else Box(2.15, 3.1, 1.75, self.flow.tokens * self.flow.pitch)
        )
        return self._matrix(
            lambda f, t: self.trace.cell(self._name("input"), position=t, d_model=f),
            ("d_model", "position"),
            (self._features, self._tokens),
            box,
            "data",
        )

    def weight(self, stage: str, order: int) -> NumberMatrix:
        """W_Q, W_K or W_V: the learned matrix, order 0, 1, 2 from above."""
        box = Box(3.75, 2.35 + order * 1.2, 1.75, 0.5) if self.flow.columns else Box(5.0, 1.9 + order * 1.55, 0.5, 1.1)
        return self._matrix(
            lambda d, f: self.trace.cell(self._name(stage), head=self.head, d_model=f, d_head=d),
            ("d_head", "d_model"),
            (self._dimensions, self._features),
            box,
            "weight",
        )

    def projected(self, stage: str, order: int) -> NumberMatrix:
        """Q, K or V of every token."""
        box = Box(6.3, 2.35 + order * 1.2, 1.45, 0.5) if self.flow.columns else Box(6.6, 1.9 + order * 1.55, 0.6, 1.1)
        axis = "query" if stage == "query" else "key"
        return self._matrix(
            lambda d, t: self.trace.cell(self._name(stage), head=self.head, d_head=d, **{axis: t}),
            ("d_head", axis),
            (self._dimensions, self._tokens),
            box,
            "data",
            outline=stage,
        )

    def pattern(self, cell: Callable[[int, int], Cell]) -> DotGrid:
        """The grid of attention weights as dots."""
        box = Box(8.75, 2.35, 1.7, 1.7) if self.flow.columns else Box(8.3, 2.2, 1.9, 1.9)
        return DotGrid(cell, flow=self.flow, theme=self.theme, box=box)

    def mixed(self) -> NumberMatrix:
        """z of every token."""
        box = Box(8.85, 4.75, 1.45, 0.5) if self.flow.columns else Box(8.95, 5.0, 0.6, 1.1)
        return self._matrix(
            lambda d, t: self.trace.cell(self._name("z"), head=self.head, query=t, d_head=d),
            ("d_head", "query"),
            (self._dimensions, self._tokens),
            box,
            "data",
            outline="value",
        )

    def output_weight(self) -> NumberMatrix:
        """W_O of the head."""
        box = Box(11.6, 4.15, 0.5, 1.7) if self.flow.columns else Box(10.5, 5.3, 1.75, 0.5)
        return self._matrix(
            lambda f, d: self.trace.cell(self._name("W_O"), head=self.head, d_head=d, d_model=f),
            ("d_model", "d_head"),
            (self._features, self._dimensions),
            box,
            "weight",
        )

    def change(self) -> NumberMatrix:
        """ΔE of every token."""
        box = Box(13.4, 4.15, 1.6, 1.7) if self.flow.columns else Box(13.3, 4.8, 1.75, 1.5)
        return self._matrix(
            lambda f, t: self.trace.cell(self._name("head_out"), head=self.head, position=t, d_model=f),
            ("d_model", "position"),
            (self._features, self._tokens),
            box,
            "data",
            outline="delta",
        )

    def stages(self, cell: Callable[[int, int], Cell]) -> list[Stage]:
        """What appears, step by step: E; the three projections; the grid; the mixed values; ΔE."""
        embedding = self.embedding()
        steps = [Stage([embedding, self.symbol("E", embedding)])]
        projected = []
        for order, (name, stage, letter) in enumerate(
            (("W_Q", "query", "Q"), ("W_K", "key", "K"), ("W_V", "value", "V"))
        ):
            matrix, result = self.weight(name, order), self.projected(stage, order)
            projected.append(result)
            shown = [self.line(embedding, matrix), matrix, self.symbol(f"@weight({name})", matrix)]
            shown += [self.step(letter, matrix, result), self.symbol(f"@{stage}({letter})", result)]
            steps.append(Stage(shown, matrix, result))
        _, keys, values = projected
        grid, mixed, weight, change = self.pattern(cell), self.mixed(), self.output_weight(), self.change()
        met = [self.line(projected[0], grid), self.step("A", keys, grid), self.symbol("A", grid)]
        steps.append(Stage(met, keys, grid))
        put_together = [self.line(grid, mixed), self.step("Z", values, mixed), self.symbol("Z", mixed, above=False)]
        steps.append(Stage(put_together, values, mixed))
        written = [self.line(mixed, weight), weight, self.symbol("@weight(W_O)", weight)]
        written += [self.step("change", weight, change), self.symbol("@delta(Delta E)", change)]
        return [*steps, Stage(written, weight, change)]

    @property
    def products(self) -> int:
        """How many matrix products one head takes."""
        return len(PRODUCTS)

    @property
    def note(self) -> tuple[float, float]:
        """Where the count of products is said."""
        return (0.88, 5.62) if self.flow.columns else (0.88, 7.46)

    def turned(self, cell: Callable[[int, int], Cell], *, here: str, paper: str) -> Turned:
        """The grid as it is, and turned over to rows: the paper's layout, with its formula."""
        formula = Formula(PAPER, size=frame.TITLE_SIZE * 1.15, theme=self.theme)
        words = Prose(paper, size=frame.CONTEXT_SIZE * 1.1, color=self.theme.text)
        if not self.flow.columns:
            formula.move_to(frame.at(15.2, 7.2), aligned_edge=np.array([1.0, 0, 0]))
            return Turned(words.place(15.2, 6.66, "right"), formula)
        formula.move_to(frame.at(10.85, 7.1), aligned_edge=np.array([-1.0, 0, 0]))
        left, right = Box(6.6, 6.12, 1.45, 1.45), Box(9.1, 6.12, 1.45, 1.45)
        own = Prose(here, size=frame.CONTEXT_SIZE * 1.1, color=self.theme.note).place(6.35, 6.85, "right")
        return Turned(
            words.place(10.85, 6.42, "left"),
            formula,
            here=VGroup(own, DotGrid(cell, flow=self.flow, theme=self.theme, box=left)),
            way=self._level(left, right),
            grid=DotGrid(cell, flow=replace(self.flow, layout="rows"), theme=self.theme, box=right),
        )

    def symbol(self, source: str, matrix: Mobject, *, above: bool = True) -> Formula:
        """The letter of a matrix, above or below it."""
        formula = Formula(source, size=SIZE, theme=self.theme)
        return formula.next_to(matrix, np.array([0.0, 1.0 if above else -1.0, 0.0]), buff=0.06)

    def line(self, start: Mobject, end: Mobject) -> Mobject:
        """A quiet line: this goes into that."""
        return self._arrow(start, end, tip=False)

    def step(self, product: str, start: Mobject, end: Mobject) -> VGroup:
        """An arrow to what a product makes, with the product's number."""
        arrow = self._arrow(start, end)
        x, y = frame.place_of((arrow.get_start() + arrow.get_end()) / 2)
        label = Label(str(PRODUCTS.index(product) + 1), size=frame.NOTE_SIZE, color=self.theme.text, weight="strong")
        return VGroup(arrow, label.place(x, y - 0.17))

    def _arrow(self, start: Mobject, end: Mobject, *, tip: bool = True) -> Line:
        way = end.get_center() - start.get_center()
        if end.get_left()[0] > start.get_right()[0]:
            side = np.array([1.0, 0.0, 0.0])
        else:
            side = np.array([0.0, np.sign(way[1]), 0.0])
        first, last = _straight(start.get_critical_point(side), end.get_critical_point(-side))
        return self._drawn(first, last, tip=tip)

    def _level(self, left: Box, right: Box) -> Line:
        return self._drawn(frame.at(left.right, left.centre[1]), frame.at(right.left, left.centre[1]))

    def _drawn(self, first: np.ndarray, last: np.ndarray, *, tip: bool = True) -> Line:
        room = 0.1 * (last - first) / max(float(np.linalg.norm(last - first)), 1e-9)
        line = Line(first + room, last - room, stroke_width=2.5, color=self.theme.guide)
        return line.add_tip(tip_length=0.14, tip_width=0.12) if tip else line


def _straight(first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two ends of a line; one that is all but upright or level is made so."""
    off = np.abs(last - first) < ALMOST
    middle = (first + last) / 2
    return np.where(off, middle, first), np.where(off, middle, last)
