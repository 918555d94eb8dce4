"""QKVAttention: one head of attention, from the tokens' vectors to the change it writes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from manim import FadeOut, Mobject, VGroup

from scenes.kit import frame, glyphs, motion
from scenes.kit.add_story import AddStory
from scenes.kit.addition import Addition, addition_of
from scenes.kit.carry import carry
from scenes.kit.effect import Effect, effect_fields, effect_of
from scenes.kit.flow import DIGIT_HEIGHT, DIGIT_WIDTH
from scenes.kit.frame import Box
from scenes.kit.head_scene import HeadScene
from scenes.kit.mark import outline
from scenes.kit.matrix import NumberMatrix
from scenes.kit.mix_story import MixStory
from scenes.kit.overview import Overview
from scenes.kit.projection import Projection
from scenes.kit.softmax_story import SoftmaxStory
from scenes.kit.text import Glyphs, Label, Prose
from scenes.kit.texts import Field
from scenes.kit.tokens import TokenBox
from scenes.kit.written import WrittenDot, WrittenScale
from transformer_core import derive

ADDED_POSITIONS = ("sinusoidal", "learned")
"""The ways of giving a token its place that are in its vector before the first layer reads it."""

WRITTEN = (4.5, 7.42)
"""Where one cell of the grid is written out in full."""


class QKVAttention(HeadScene):
    """A soft lookup that returns a change: queries meet keys, weights mix values, and ΔE is added to the word."""

    name = "qkv"
    beats = ("sentence", "query", "key", "scores", "scale", "mask", "softmax", "value", "mix", "add", "all")
    default_model = "glass"
    poster = "softmax"

    @property
    def fields(self) -> Mapping[str, Field]:
        """What the captions may quote, the effect of ΔE among it."""
        return {
            **super().fields,
            "size_before": derive.norm(self.addition.before),
            "size_change": derive.norm(self.addition.change),
            **effect_fields(self.effect),
        }

    @property
    def facts(self) -> frozenset[str]:
        """Which caption variants hold, those about the effect of ΔE among them."""
        stated = {
            "other_heads": self.addition.other_heads > 0,
            "falls": self.effect is not None and self.effect.falls,
            "steady": self.effect is not None and not self.effect.falls,
        }
        return super().facts | {name for name, holds in stated.items() if holds}

    @cached_property
    def effect(self) -> Effect | None:
        """What this head's ΔE does to the next word."""
        return effect_of(self.trace, layer=self.layer, head=self.head, query=self.asking)

    @cached_property
    def addition(self) -> Addition:
        """The residual sum of the asking token."""
        return addition_of(self.trace, layer=self.layer, head=self.head, token=self.asking)

    def sentence(self) -> None:
        """Tokens, their vectors, and the question of one of them."""
        self.tokens = [
            TokenBox(text, box=self.flow.label(i), theme=self.theme, position=i)
            for i, text in enumerate(self.trace.spec.tokens)
        ]
        self.asking_mark = outline(self.flow.label(self.asking), self.theme.role("query"), pad=0.03, width=4)
        self.rail = [*self.tokens, self.asking_mark]
        large = self.legend.large(Box(0.88, 7.2 if self.flow.columns else 1.5, 14.4, 0.4))
        self.play(motion.appear(large), run_time=0.6)
        self.play(motion.appear(*self.tokens, lag=0.3), run_time=1.2)
        self.vectors = [self._embedding(token) for token in range(self.flow.tokens)]
        notes = [*self._about_vectors(), *self._glosses()]
        self.play(motion.appear(*self.vectors, lag=0.2, shift=[0, -0.2, 0]), motion.appear(*notes), run_time=1.2)
        self.rest()
        question = Prose(
            self.word("question" if "claimed" in self.facts else "question_neutral"),
            size=frame.NUMBER_SIZE,
            color=self.theme.role("query"),
        )
        if self.flow.columns:
            question.place(frame.within(self.flow.middle(self.asking), question.advance), 6.76)
        else:
            question.place(12.92, 2.3, "right")
        self.play(motion.appear(self.asking_mark), motion.appear(question))
        self.rest()
        self.play(motion.vanish(large, run_time=0.3), motion.appear(self.legend))
        self.leaving = [*notes, question]

    def _about_vectors(self) -> list[Glyphs]:
        """How long each vector is, and that the token's place is already in it."""
        config = self.trace.spec.config
        x, y = (0.88, 3.7) if self.flow.columns else (3.0, 2.3)
        text = self.word("numbers_each", d_model=config.d_model)
        notes: list[Glyphs] = [Label(text, size=frame.LABEL_SIZE, color=self.theme.note).place(x, y, "left")]
        if config.positions in ADDED_POSITIONS:
            inside = Prose(self.word("position_inside"), size=frame.NOTE_SIZE, color=self.theme.note)
            notes.append(inside.place(x, y + 0.42, "left"))
        return notes

    def _glosses(self) -> list[Glyphs]:
        """What the words mean, where the prompt is in another language than the captions."""
        asked = [self.asking] if self.flow.crowded else range(self.flow.tokens)
        return [self._gloss(token, text) for token in asked if (text := self.gloss(token))]

    def _gloss(self, token: int, text: str) -> Prose:
        size = min(frame.NOTE_SIZE, frame.NOTE_SIZE * 1.2 / glyphs.width(text, frame.NOTE_SIZE))
        gloss = Prose(text, size=size, color=self.theme.note)
        middle = self.flow.middle(token)
        return gloss.place(middle, 6.34) if self.flow.columns else gloss.place(13.15, middle, "left")

    def _embedding(self, token: int) -> NumberMatrix:
        panel = self.projection("W_Q", "query")
        cells = [None if f is None else panel.input_cell(token, f) for f in panel.features]
        start, cell = (2.05, (0.62, 0.25)) if self.flow.columns else (3.0, (DIGIT_WIDTH, DIGIT_HEIGHT))
        down, across = self.flow.vector_axes("position", "d_model")
        return NumberMatrix(
            self.flow.lay(cells),
            box=self.flow.vector(token, len(cells), start=start, cell=cell),
            role="data",
            theme=self.theme,
            down=down,
            across=across,
            digits=token == self.asking,
            brackets=not self.flow.crowded,
        )

    def query(self) -> None:
        """W_Q times one vector, one entry written out; then all queries at once."""
        strips = self.strips = [self.strip(vector, token, 0, "data") for token, vector in enumerate(self.vectors)]
        self.rail += strips
        panel = self.projection("W_Q", "query")
        vector = panel.input_vector()
        gone = [
            FadeOut(each, target_position=strip, scale=0.3) for each, strip in zip(self.vectors, strips, strict=True)
        ]
        if self.flow.columns:
            gone[self.asking] = carry(self.vectors[self.asking], vector)
        else:
            gone.append(motion.appear(vector))
        self.play(*gone, motion.appear(*strips), motion.vanish(*self.leaving), run_time=0.6)
        self.show_formula("query")
        matrix, product, self.signs = panel.weight_matrix(), panel.result_vector(), panel.signs()
        self.play(motion.appear(matrix, shift=[0.3, 0, 0]), motion.appear(self.signs), run_time=0.5)
        entry = panel.worked_entry()
        active = self._active(matrix)
        weights, inputs, terms = entry.rows
        self.play(motion.appear(active))
        self.play(motion.appear(weights, shift=[0, -0.3, 0]))
        self.play(motion.appear(inputs, shift=[-0.3, 0, 0]), motion.appear(entry.symbols[0]))
        self.play(motion.appear(terms), motion.appear(entry.symbols[1]))
        self.play(motion.appear(entry.sum))
        self.rest()
        self.play(motion.appear(product))
        self.say()
        aside = (vector, entry, active) if self.flow.columns else (entry, active)
        self.queries = self._all_at_once(panel, product, *aside)

    def _active(self, matrix: NumberMatrix) -> Mobject:
        first, last = matrix.cell_box(0, 0), matrix.cell_box(0, matrix.columns - 1)
        if not self.flow.columns:
            last = matrix.cell_box(matrix.rows - 1, 0)
        box = Box(first.left, first.top, last.right - first.left, last.bottom - first.top)
        return outline(box, self.theme.role("query"), pad=0.02)

    def _dock(self, results: list[NumberMatrix], order: int, role: str) -> None:
        strips = [self.strip(each, token, order, role) for token, each in enumerate(results)]
        gone = [FadeOut(each, target_position=strip, scale=0.3) for each, strip in zip(results, strips, strict=True)]
        self.rail += strips
        others = self.on_stage(*results)
        self.play(*gone, motion.appear(*strips), *([motion.vanish(*others)] if others else []), run_time=0.6)

    def key(self) -> None:
        """The same with W_K, quicker."""
        self._dock(self.queries, 1, "query")
        self.keys = self._project("W_K", "key")

    def _project(self, weight: str, result: str) -> list[NumberMatrix]:
        panel = self.projection(weight, result)
        self.show_formula(result)
        matrix, vector, self.signs = panel.weight_matrix(), panel.input_vector(), panel.signs()
        arrive = carry(self.strips[self.asking], vector, leave=True) if self.flow.columns else motion.appear(vector)
        self.play(arrive)
        self.play(motion.appear(matrix, shift=[0.3, 0, 0]), motion.appear(self.signs))
        product = panel.result_vector()
        self.play(motion.appear(product))
        self.rest()
        return self._all_at_once(panel, product, *([vector] if self.flow.columns else []))

    def _all_at_once(self, panel: Projection, product: NumberMatrix, *aside: Mobject) -> list[NumberMatrix]:
        """Every token's result in its place; what made the first steps back, or leaves where its room is needed."""
        results = panel.results()
        if self.flow.columns:
            aside = (*aside, product)
        else:
            results[self.asking] = product
        if panel.wide and self.flow.columns:
            back = motion.vanish(*aside, *self.signs)
        else:
            back = motion.dim(*aside) if aside else None
        new = [each for each in results if each is not product]
        onwards = [0, -0.3, 0] if self.flow.columns else [0.3, 0, 0]
        arrive = motion.appear(*new, lag=0.15, shift=onwards) if new else None
        if moves := [each for each in (back, arrive) if each]:
            self.play(*moves, run_time=1.2)
        return results

    def _header(self, results: list[NumberMatrix], stage: str) -> list[NumberMatrix]:
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

    def scores(self) -> None:
        """Every query meets every key; one dot product written out in full."""
        strips = [each for each in self.rail if isinstance(each, NumberMatrix)]
        self.rail = [each for each in self.rail if not isinstance(each, NumberMatrix)]
        self.clear_stage(*strips)
        self.show_formula("scores")
        self.query_headers, self.key_headers = self._header(self.queries, "query"), self._header(self.keys, "key")
        self.key_labels = [
            TokenBox(text, box=self.flow.key_label(i), theme=self.theme, position=i, role="key")
            for i, text in enumerate(self.trace.spec.tokens)
        ]
        self.play(motion.vanish(*strips), motion.appear(*self.query_headers, lag=0.1), run_time=0.8)
        self.play(motion.appear(*self.key_labels, lag=0.1), motion.appear(*self.key_headers, lag=0.1), run_time=0.8)
        asking, best = self.asking, self.best_key
        self.grid = self.score_grid("scores")
        marks = VGroup(
            outline(self.query_headers[asking].box, self.theme.role("query")),
            outline(self.key_headers[best].box, self.theme.role("key")),
        )
        head = range(self.trace.spec.config.d_head)
        name = f"blocks.{self.layer}.attn"
        written = WrittenDot(
            [self.trace.cell(f"{name}.query", head=self.head, query=asking, d_head=d) for d in head],
            [self.trace.cell(f"{name}.key", head=self.head, key=best, d_head=d) for d in head],
            self.attention("scores", asking, best),
            heads=(("query", self.trace.spec.tokens[asking]), ("key", self.trace.spec.tokens[best])),
            place=WRITTEN,
            theme=self.theme,
        )
        self.play(motion.appear(marks))
        self.play(motion.appear(written))
        one = outline(self.grid.cell_box(asking, best), self.theme.text, pad=0.0)
        line = self.grid.lines[asking]
        self.play(motion.appear(line), motion.appear(one))
        self.rest()
        others = [each for each in self.grid.lines if each is not line]
        quiet = [each for i, each in enumerate(self.query_headers) if i != asking]
        quiet += [each for i, each in enumerate(self.key_headers) if i != best]
        if others:
            self.play(motion.appear(*others, lag=0.2), motion.dim(*quiet, share=0.45), run_time=1.6)
        self.written, self.marks = written, VGroup(marks, one)

    def _regrid(self, stage: str) -> None:
        new = self.score_grid(stage)
        self.play(motion.replace(self.grid.lines, new.lines), run_time=0.6)
        self.grid = new

    def scale(self) -> None:
        """Divide by √d_k."""
        self.show_formula("scale")
        written = WrittenScale(
            self.attention("scores", self.asking, self.best_key),
            self.trace.spec.config.d_head,
            self.attention("scaled", self.asking, self.best_key),
            place=WRITTEN,
            theme=self.theme,
        )
        quiet = motion.dim(*self.query_headers, *self.key_headers, self.marks[0])
        self.play(motion.replace([self.written], [written]), quiet)
        self.written = written
        self._regrid("scaled")

    def mask(self) -> None:
        """Words to come must not be seen: −∞."""
        if "masks" not in self.facts:
            return
        self.show_formula("mask")
        note = Prose(self.word("later"), size=frame.NUMBER_SIZE, color=self.theme.note)
        note.place(*WRITTEN, "left")
        self.play(motion.replace([self.written, self.marks], [note]))
        self._hide_masked()
        self.written = note

    def _hide_masked(self) -> None:
        """Only the masked scores change: they fade, and what is left in their places is −∞."""
        new = self.score_grid("masked")
        fading = self.grid.parts_where(lambda cell: cell.masked, new)
        self.remove(*self.grid.lines)
        self.add(*new.lines, *fading)
        if fading:
            self.play(motion.vanish(*fading, run_time=0.8))
        self.grid = new

    def softmax(self) -> None:
        """Scores become weights: shift, exp, divide by the sum; lines as wide and dots as large as the weights."""
        self.show_formula("softmax")
        SoftmaxStory(self, self.grid, self.key_labels).play()
        self.say()

    def value(self) -> None:
        """The third projection: what each token hands over."""
        self.clear_stage()
        self.rail += self.strips
        self.play(motion.appear(*self.strips))
        self.values = self._project("W_V", "value")

    def mix(self) -> None:
        """Weight × value for every key, added up; W_O turns the sum into the change ΔE."""
        self.rail = [each for each in self.rail if not isinstance(each, NumberMatrix)]
        self.clear_stage(*self.values)
        self.show_formula("mix")
        self.change = MixStory(self, self.values).play()

    def add_(self) -> None:
        """E + ΔE = E′: an arrow set on the tip of another; and what it does to the next word."""
        self.clear_stage(self.change)
        self.show_formula("add" if self.addition.alone else "add_heads")
        AddStory(self, self.addition, self.effect, self.change).play()

    def all(self) -> None:
        """Every token at once, as a few matrix products; then the grid turned over to the paper's form."""
        self.rail = [each for each in self.rail if not isinstance(each, NumberMatrix)]
        self.clear_stage()
        self.play(motion.dim(*self.rail))
        self.show_formula("all")
        panel = Overview(self.trace, self.flow, self.theme, self.layer, self.head)
        for stage in panel.stages(lambda query, key: self.attention("pattern", query, key)):
            self.play(motion.appear(*stage), run_time=0.5)
        count = Label(self.word("products", count=panel.products), size=frame.NUMBER_SIZE, color=self.theme.text)
        count.place(*panel.note, "left")
        self.play(motion.appear(count))
        self.rest()
        self.say()
        turned = panel.turned(
            lambda query, key: self.attention("pattern", query, key),
            here=self.word("columns_sum"),
            paper=self.word("rows_sum"),
        )
        for part in turned:
            self.play(motion.appear(part), run_time=0.5)
