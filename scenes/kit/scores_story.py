"""Scores as a short story: queries and keys take their places, two meet, the grid fills, is scaled and masked."""

from __future__ import annotations

from collections.abc import Sequence

from manim import LaggedStart, VGroup

from scenes.kit import frame, motion
from scenes.kit.carry import Enter, carry
from scenes.kit.flow import DIGIT_HEIGHT, DIGIT_WIDTH
from scenes.kit.grid import ScoreGrid
from scenes.kit.head_scene import HeadScene
from scenes.kit.mark import outline
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import Prose
from scenes.kit.tokens import TokenBox
from scenes.kit.written import WrittenDot, WrittenScale

WRITTEN = (4.5, 7.42)
"""Where one cell of the grid is written out in full."""


class ScoresStory:
    """Plays three beats in a scene: every query's and key's vectors become the grid of scores."""

    def __init__(self, scene: HeadScene, queries: Sequence[NumberMatrix], keys: Sequence[NumberMatrix]) -> None:
        self.scene, self.flow, self.theme = scene, scene.flow, scene.theme
        self.query_headers, self.key_headers = self._headers(queries, "query"), self._headers(keys, "key")
        self.key_labels = [
            TokenBox(text, box=self.flow.key_label(i), theme=self.theme, position=i, role="key")
            for i, text in enumerate(scene.trace.spec.tokens)
        ]
        self.asking, self.best = scene.asking, scene.best_key
        self.grid = scene.score_grid("scores")
        self.marks = VGroup(
            outline(self.query_headers[self.asking].box, self.theme.role("query")),
            outline(self.key_headers[self.best].box, self.theme.role("key")),
        )
        self.written: VGroup | Prose = self._written_dot()

    def _headers(self, results: Sequence[NumberMatrix], stage: str) -> list[NumberMatrix]:
        headers = []
        for token, matrix in enumerate(results):
            cells = [cell for row in matrix.grid for cell in row]
            if stage == "query":
                start, cell = (1.92, (DIGIT_WIDTH, DIGIT_HEIGHT)) if self.flow.columns else (1.98, (0.61, DIGIT_HEIGHT))
                if len(cells) > 4:
                    cell = (cell[0], 1.05 / len(cells)) if self.flow.columns else (2.44 / len(cells), cell[1])
                box = self.flow.vector(token, len(cells), start=start, cell=cell)
                grid, axes = self.flow.lay(cells), self.flow.vector_axes("query", "d_head")
            else:
                box = self.flow.key_vector(token, len(cells))
                grid = self.flow.lay(cells, along_features=False)
                axes = ("key", "d_head") if self.flow.columns else ("d_head", "key")
            header = NumberMatrix(
                grid,
                box=box,
                role="data",
                theme=self.theme,
                down=axes[0],
                across=axes[1],
                ink=self.theme.role(stage),
                brackets=False,
                digits=len(cells) <= 4,
            )
            headers.append(header)
        return headers

    def _written_dot(self) -> WrittenDot:
        scene, name = self.scene, f"blocks.{self.scene.layer}.attn"
        head = range(scene.trace.spec.config.d_head)
        return WrittenDot(
            [scene.trace.cell(f"{name}.query", head=scene.head, query=self.asking, d_head=d) for d in head],
            [scene.trace.cell(f"{name}.key", head=scene.head, key=self.best, d_head=d) for d in head],
            scene.attention("scores", self.asking, self.best),
            heads=(("query", scene.trace.spec.tokens[self.asking]), ("key", scene.trace.spec.tokens[self.best])),
            place=WRITTEN,
            theme=self.theme,
        )

    def play(
        self,
        *,
        tokens: Sequence[TokenBox],
        queries: Sequence[NumberMatrix],
        keys: Sequence[NumberMatrix],
        others: Sequence[NumberMatrix],
    ) -> None:
        """Vectors go to the sides of the grid from where they are; two meet in a cell; then every pair has met."""
        scene = self.scene
        scene.play(
            LaggedStart(
                *(carry(old, new) for old, new in zip(queries, self.query_headers, strict=True)), lag_ratio=0.1
            ),
            motion.vanish(*others),
            run_time=0.8,
        )
        labels = [carry(old, new, leave=True) for old, new in zip(tokens, self.key_labels, strict=True)]
        headers = [carry(old, new) for old, new in zip(keys, self.key_headers, strict=True)]
        scene.play(*labels, *headers, run_time=0.8)
        self._meet()
        scene.rest()
        self._fill()

    def _meet(self) -> None:
        """A copy of the query goes along its column, one of the key along its row: where they meet is their score."""
        scene = self.scene
        place = self.grid.cell_box(self.asking, self.best)
        score = self.grid.lines[self.asking].part(
            **{"rows" if self.flow.columns else "columns": slice(self.best, self.best + 1)}, brackets=False
        )
        one = outline(place, self.theme.text, pad=0.0)
        scene.play(motion.appear(self.marks))
        pair = [self.query_headers[self.asking].copy(), self.key_headers[self.best].copy()]
        meeting = [Enter(each, target_position=frame.at(*place.centre), scale=0.7) for each in pair]
        scene.play(*meeting, run_time=0.9)
        scene.play(motion.appear(score, one))
        scene.play(motion.appear(self.written))
        self.score, self.marks = score, VGroup(self.marks, one)

    def _fill(self) -> None:
        """Query after query its scores; the vectors that are not written out step back."""
        scene = self.scene
        quiet = [each for i, each in enumerate(self.query_headers) if i != self.asking]
        quiet += [each for i, each in enumerate(self.key_headers) if i != self.best]
        back = [motion.dim(*quiet, share=0.45)] if quiet else []
        scene.play(motion.appear(*self.grid.lines, lag=0.2), *back, run_time=1.6)
        scene.remove(self.score)

    def scale(self) -> None:
        """Divide by √d_k."""
        scene = self.scene
        written = WrittenScale(
            scene.attention("scores", self.asking, self.best),
            scene.trace.spec.config.d_head,
            scene.attention("scaled", self.asking, self.best),
            place=WRITTEN,
            theme=self.theme,
        )
        quiet = motion.dim(*self.query_headers, *self.key_headers, self.marks[0])
        scene.play(motion.replace([self.written], [written]), quiet)
        self.written = written
        new = scene.score_grid("scaled")
        scene.play(motion.replace(self.grid.lines, new.lines), run_time=0.6)
        self.grid = new

    def mask(self) -> None:
        """Words to come must not be seen: only the masked scores change, they fade, and −∞ is left in their places."""
        scene = self.scene
        note = Prose(scene.word("later"), size=frame.NUMBER_SIZE, color=self.theme.note).place(*WRITTEN, "left")
        scene.play(motion.replace([self.written, self.marks], [note]))
        new: ScoreGrid = scene.score_grid("masked")
        fading = self.grid.parts_where(lambda cell: cell.masked, new)
        scene.remove(*self.grid.lines)
        scene.add(*new.lines, *fading)
        if fading:
            scene.play(motion.vanish(*fading, run_time=0.8))
        self.grid, self.written = new, note
