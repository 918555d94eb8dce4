"""A projection as a short story: one vector meets the learned matrix line by line, then every token's goes through."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import LaggedStart, Mobject

from scenes.kit import motion
from scenes.kit.carry import Arrive, Enter, carry
from scenes.kit.entries import Entries, pieces
from scenes.kit.frame import Box
from scenes.kit.head_scene import HeadScene
from scenes.kit.mark import outline
from scenes.kit.matrix import NumberMatrix
from scenes.kit.projection import WorkedEntry
from scenes.kit.sweep import shell, sweep

SMALL, INSIDE = 0.4, 0.5
"""How large a vector is where it goes into the matrix, and how far inside the matrix that is."""


class ProjectionStory:
    """Plays W · E in a scene whose rail holds every token's vector as a ``strip``."""

    def __init__(self, scene: HeadScene, weight: str, result: str, strips: Sequence[NumberMatrix]) -> None:
        self.scene, self.strips, self.result = scene, strips, result
        self.panel = scene.projection(weight, result)
        self.columns = scene.flow.columns
        self.matrix, self.vector = self.panel.weight_matrix(), self.panel.input_vector()
        self.product, self.signs = self.panel.result_vector(), self.panel.signs()
        self.active = outline(self._line(0), scene.theme.role("query"), pad=0.02)

    def play(self) -> list[NumberMatrix]:
        """The vector comes down from its strip and meets the matrix; returns every token's result."""
        scene = self.scene
        scene.show_formula(self.result)
        strip = self.strips[scene.asking]
        scene.play(carry(strip, self.vector, leave=True) if self.columns else motion.appear(self.vector))
        scene.play(motion.appear(self.matrix, shift=[0.3, 0, 0]), motion.appear(self.signs, *shell(self.product)))
        scene.play(motion.appear(self.active))
        self._sweep(0)
        scene.play(motion.vanish(self.active))
        scene.rest()
        return self._all_at_once([self.vector] if self.columns else [])

    def play_worked(self) -> list[NumberMatrix]:
        """The same from a vector that is there, the first entry written out; a caption goes with the rest."""
        scene = self.scene
        scene.show_formula(self.result)
        scene.play(motion.appear(self.matrix, shift=[0.3, 0, 0]), motion.appear(self.signs), run_time=0.5)
        entry = self.panel.worked_entry()
        scene.play(motion.appear(self.active))
        self._write_out(entry)
        scene.rest(1.2)
        first = pieces(self.product)[0]
        out = Arrive(first, target_position=entry.sum.get_right(), scale=1.0, run_time=motion.MOVE)
        scene.play(motion.appear(*shell(self.product)), out)
        self._sweep(1, first)
        scene.say()
        aside = (self.vector, entry, self.active) if self.columns else (entry, self.active)
        return self._all_at_once(aside)

    def _write_out(self, entry: WorkedEntry) -> None:
        """A line of weights comes out of the matrix, the vector lies down under it, products, their sum."""
        scene, (weights, inputs, terms) = self.scene, entry.rows
        first = slice(0, 1)
        line = self.matrix.part(rows=first) if self.columns else self.matrix.part(columns=first)
        vector = self.vector if self.columns else self.vector.part(rows=slice(scene.asking, scene.asking + 1))
        self._entries(line, weights, run_time=0.7)
        self._entries(vector, inputs, run_time=1.0)
        scene.play(motion.appear(entry.symbols))
        self._entries(inputs, terms, run_time=0.8)
        falling = Enter(terms.copy(), target_position=entry.sum, scale=0.2)
        scene.play(falling, motion.appear(entry.sum), run_time=motion.MOVE)
        scene.add(entry)

    def _entries(self, old: NumberMatrix, new: NumberMatrix, *, run_time: float) -> None:
        entries = Entries(old, new)
        self.scene.play(entries.travel(run_time=run_time))
        self.scene.remove(*entries.parts)
        self.scene.add(new)

    def _line(self, dimension: int) -> Box:
        """The weights that make one entry: a row in columns, a column in rows."""
        matrix = self.matrix
        ends = (dimension, 0), (dimension, matrix.columns - 1)
        if not self.columns:
            ends = (0, dimension), (matrix.rows - 1, dimension)
        first, last = (matrix.cell_box(*end) for end in ends)
        return Box(first.left, first.top, last.right - first.left, last.bottom - first.top)

    def _sweep(self, start: int, *there: NumberMatrix) -> None:
        """Line after line of the matrix makes its entry of the result."""
        last = len(pieces(self.product)) - 1
        sweep(self.scene, self.product, [(self.active, self._line(last))], start=start, there=there)

    def _all_at_once(self, aside: Sequence[Mobject]) -> list[NumberMatrix]:
        """Every token's vector goes through the matrix; what made the first steps back, or leaves where it must."""
        scene, results = self.scene, self.panel.results()
        if self.columns:
            aside = (*aside, self.product)
            first = [carry(self.product, results[scene.asking], leave=True, run_time=motion.MOVE)]
        else:
            results[scene.asking], first = self.product, []
        others = [token for token in range(scene.flow.tokens) if token != scene.asking]
        into = [self._into(token) for token in others]
        out = [
            Arrive(results[token], target_position=self._mouth(self._source(token)), scale=SMALL) for token in others
        ]
        back = []
        if self.panel.wide and self.columns:
            back = [motion.vanish(*aside, *self.signs)]
        elif aside:
            back = [motion.dim(*aside)]
        for several, with_them in ((into, [*back, *first]), (out, [])):
            moves = [*with_them, *([LaggedStart(*several, lag_ratio=0.12)] if several else [])]
            if moves:
                scene.play(*moves, run_time=0.9)
        return results

    def _into(self, token: int) -> Enter:
        source = self._source(token)
        return Enter(source, target_position=self._mouth(source), scale=SMALL)

    def _source(self, token: int) -> NumberMatrix:
        """A copy of a token's vector: its strip (columns), its row of E (rows)."""
        if self.columns:
            return self.strips[token].copy()
        return self.vector.part(rows=slice(token, token + 1), brackets=False)

    def _mouth(self, source: NumberMatrix) -> np.ndarray:
        """Where a vector goes into the matrix: straight on, as far as the matrix reaches."""
        low = self.matrix.anchor.points.min(axis=0) + INSIDE
        high = self.matrix.anchor.points.max(axis=0) - INSIDE
        middle = self.matrix.anchor.get_center()
        across = 0 if self.columns else 1
        middle[across] = np.clip(source.get_center()[across], low[across], high[across])
        return middle
