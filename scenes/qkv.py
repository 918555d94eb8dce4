"""QKVAttention: one head of attention, from the tokens' vectors to the change it writes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from manim import Create, FadeOut, LaggedStart, Mobject, VGroup

from scenes.kit import frame, motion
from scenes.kit.addition import Addition, AdditionPanel, addition_of
from scenes.kit.arrows import ArrowPlane, Sum
from scenes.kit.carry import carry
from scenes.kit.effect import Effect, effect_of
from scenes.kit.effect_panel import EffectPanel
from scenes.kit.dots import DotGrid, DotLegend
from scenes.kit.drawers import Drawers
from scenes.kit.flow import DIGIT_HEIGHT, DIGIT_WIDTH, FORMULA_PLACE, Flow, window
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.grid import ScoreGrid
from scenes.kit.head_output import HeadOutput
from scenes.kit.mark import outline
from scenes.kit.matrix import NumberMatrix
from scenes.kit.overview import Overview
from scenes.kit.projection import Projection
from scenes.kit.ribbons import RibbonLegend, Ribbons
from scenes.kit.scene import LectureScene
from scenes.kit.softmax_table import SoftmaxTable
from scenes.kit.sum_layout import SumLayout
from scenes.kit.terms import weighted_terms
from scenes.kit.text import Label, Prose
from scenes.kit.texts import Field
from scenes.kit.tokens import TokenBox
from scenes.kit.weighted_sum import WeightedSum
from scenes.kit.written import WrittenDot, WrittenScale
from transformer_core import derive
from transformer_core.trace import Cell

FORMULAS = {
    "columns": {
        "query": "@query(Q) = @weight(W_Q) E",
        "key": "@key(K) = @weight(W_K) E",
        "value": "@value(V) = @weight(W_V) E",
        "scores": "S = @key(K)^top @query(Q)",
        "scale": "S = @key(K)^top @query(Q) \\/ sqrt(d_k)",
        "mask": "S = @key(K)^top @query(Q) \\/ sqrt(d_k) + M",
        "softmax": 'A = "softmax"(S)',
        "mix": "@delta(Delta E) = @weight(W_O) @value(V) A",
        "add": "E' = E + @delta(Delta E)",
        "add_heads": "E' = E + sum_h @delta(Delta E_h)",
        "all": '@delta(Delta E) = @weight(W_O) @value(V) "softmax"(@key(K)^top @query(Q) \\/ sqrt(d_k))',
    },
    "rows": {
        "query": "@query(Q) = E @weight(W_Q)",
        "key": "@key(K) = E @weight(W_K)",
        "value": "@value(V) = E @weight(W_V)",
        "scores": "S = @query(Q) @key(K)^top",
        "scale": "S = @query(Q) @key(K)^top \\/ sqrt(d_k)",
        "mask": "S = @query(Q) @key(K)^top \\/ sqrt(d_k) + M",
        "softmax": 'A = "softmax"(S)',
        "mix": "@delta(Delta E) = A @value(V) @weight(W_O)",
        "add": "E' = E + @delta(Delta E)",
        "add_heads": "E' = E + sum_h @delta(Delta E_h)",
        "all": '@delta(Delta E) = "softmax"(@query(Q) @key(K)^top \\/ sqrt(d_k)) @value(V) @weight(W_O)',
    },
}
QUIET = 0.55
"""The share of light that earlier steps of the softmax table keep."""

TABLE_WORDS = ("score", "shifted", "exp", "pattern", "max", "attention", "attention_weight", "over_keys")
"""Words of the softmax table."""

WRITTEN = (4.5, 7.42)
"""Where one cell of the grid is written out in full."""


class QKVAttention(LectureScene):
    """A soft lookup that returns a change: queries meet keys, weights mix values, and ΔE is added to the word."""

    name = "qkv"
    beats = ("sentence", "query", "key", "scores", "scale", "mask", "softmax", "value", "mix", "add", "all")
    default_model = "glass"

    def setup(self) -> None:
        """Choose the token that asks, and lay out the sentence."""
        super().setup()
        spec = self.trace.spec
        self.layer, self.head = self.brief.layer, self.brief.head
        self.flow = Flow(self.brief.layout, len(spec.ids))
        self.asking = self.brief.query if self.brief.query is not None else self._default_query()
        self.rail: list[Mobject] = []
        self.formula: Formula | None = None

    def _default_query(self) -> int:
        spec = self.trace.spec
        for word in spec.card.get("default_query", {}).values():
            if word in spec.tokens:
                return spec.tokens.index(word)
        return max(range(len(spec.ids)), key=lambda token: 1 - self.attention("pattern", token, token).value)

    def attention(self, stage: str, query: int, key: int) -> Cell:
        """One cell of a query × key stage of this head."""
        return self.trace.cell(f"blocks.{self.layer}.attn.{stage}", head=self.head, query=query, key=key)

    @property
    def visible_keys(self) -> list[int]:
        """The keys that the asking token may see."""
        return [
            key for key in range(self.flow.tokens) if not self.attention("pattern", self.asking, key).masked
        ]

    @property
    def best_key(self) -> int:
        """The key with the largest weight; another token than the asking one where there is one."""
        others = [key for key in self.visible_keys if key != self.asking] or self.visible_keys
        return max(others, key=lambda key: self.attention("pattern", self.asking, key).value)

    @property
    def weights(self) -> list[Cell]:
        """The asking token's weights, one for each key."""
        return [self.attention("pattern", self.asking, key) for key in range(self.flow.tokens)]

    @property
    def strongest_key(self) -> int:
        """The key with the largest weight, be it the asking token itself."""
        return max(self.visible_keys, key=lambda key: self.attention("pattern", self.asking, key).value)

    @property
    def fields(self) -> Mapping[str, Field]:
        """What the captions may quote."""
        tokens, config = self.trace.spec.tokens, self.trace.spec.config
        return {
            "query": tokens[self.asking],
            "key": tokens[self.best_key],
            "first": tokens[0],
            "n_tokens": self.flow.tokens,
            "d_model": config.d_model,
            "d_head": config.d_head,
            "score": self.attention("scores", self.asking, self.best_key),
            "score_first": self.attention("scores", self.asking, 0),
            "scaled": self.attention("scaled", self.asking, self.best_key),
            "weight": self.attention("pattern", self.asking, self.best_key),
            "strongest": tokens[self.strongest_key],
            "weight_strongest": self.attention("pattern", self.asking, self.strongest_key),
            "weight_sum": derive.sum_of(self.weights),
            "query_entry": self.projection("W_Q", "query").result_cell(self.asking, 0),
            **self._effect_fields(),
        }

    def _effect_fields(self) -> dict[str, Field]:
        sizes = {
            "size_before": derive.norm(self.addition.before),
            "size_change": derive.norm(self.addition.change),
        }
        if not self.effect:
            return {**sizes, "words": "–", "p_with": "–", "p_cut": "–"}
        if self.effect.claimed:
            return {**sizes, "words": self.effect.words, "p_with": self.effect.given, "p_cut": self.effect.cut}
        most = self.effect.named[0]
        return {**sizes, "words": most.text, "p_with": most.given, "p_cut": most.cut}

    @property
    def facts(self) -> frozenset[str]:
        """Which caption variants hold for this model and prompt."""
        stated = {
            "causal": self.trace.spec.config.causal,
            "columns": self.flow.columns,
            "first_is_best": self.best_key == 0,
            "claimed": self._claimed(),
            "other_heads": self.addition.other_heads > 0,
            "falls": self.effect is not None and self.effect.falls,
            "steady": self.effect is not None and not self.effect.falls,
        }
        return frozenset(name for name, holds in stated.items() if holds)

    def _claimed(self) -> bool:
        card, tokens = self.trace.spec.card, self.trace.spec.tokens
        nouns = {word for words in card.get("word_groups", {}).get("noun", {}).values() for word in words}
        return tokens[self.asking] in nouns and any(
            (claim["id"], claim["layer"], claim["head"]) == ("binding", self.layer, self.head)
            for claim in card.get("claims", ())
        )

    def projection(self, weight: str, result: str) -> Projection:
        """W · E of this head for the asking token."""
        return Projection(
            self.trace, self.flow, self.theme, self.layer, self.head, self.asking, weight, result
        )

    def show_formula(self, key: str) -> None:
        """Put the beat's formula into its corner."""
        new = Formula(FORMULAS[self.brief.layout][key], size=frame.TITLE_SIZE * 1.15, theme=self.theme)
        new.move_to(frame.at(*FORMULA_PLACE), aligned_edge=[1, 0, 0])
        old = [self.formula] if self.formula else []
        self.formula = new
        self.play(motion.replace(old, [new]))

    def clear_stage(self, *keep: Mobject) -> None:
        """Fade out everything but the rail (tokens, strips), heading, formula, legend and what is kept."""
        stay = {id(each) for each in (*self.rail, *keep, self.legend, self.heading, self.formula, self.burnt)}
        gone = [each for each in self.mobjects if id(each) not in stay]
        if gone:
            self.play(motion.vanish(*gone))

    def strip(self, matrix: NumberMatrix, token: int, order: int, role: str) -> NumberMatrix:
        """A token's vector as a small barcode on the rail: E first, then its query and key."""
        starts, thickness = ((1.82, 2.30, 2.44), 0.026) if self.flow.columns else ((2.02, 2.5, 2.64), 0.026)
        length = len(matrix.grid) if self.flow.columns else len(matrix.grid[0])
        cell = (0.5, thickness) if self.flow.columns else (thickness, 0.25)
        box = self.flow.vector(token, length, start=starts[order], cell=cell)
        strip = matrix.part(digits=False, brackets=False, box=box)
        strip.plate.set_fill(self.theme.faint(role, 0.55))
        return strip

    def sentence(self) -> None:
        """Tokens, their vectors, and the question of one of them."""
        self.tokens = [
            TokenBox(text, box=self.flow.label(i), theme=self.theme, position=i)
            for i, text in enumerate(self.trace.spec.tokens)
        ]
        self.asking_mark = outline(
            self.flow.label(self.asking), self.theme.role("query"), pad=0.03, width=4
        )
        self.rail = [*self.tokens, self.asking_mark]
        large = self.legend.large(Box(0.88, 7.2 if self.flow.columns else 1.5, 14.4, 0.4))
        self.play(motion.appear(large), run_time=0.6)
        self.play(motion.appear(*self.tokens, lag=0.3), run_time=1.2)
        self.vectors = [self._embedding(token) for token in range(self.flow.tokens)]
        size = Label(
            self.word("numbers_each", d_model=self.trace.spec.config.d_model),
            size=frame.LABEL_SIZE,
            color=self.theme.note,
        )
        if self.flow.columns:
            size.place(0.88, 3.85, "left")
        else:
            size.place(3.0, 2.55, "left")
        self.play(motion.appear(*self.vectors, lag=0.2, shift=[0, -0.2, 0]), motion.appear(size), run_time=1.2)
        self.rest()
        question = Prose(
            self.word("question" if "claimed" in self.facts else "question_neutral"),
            size=frame.NUMBER_SIZE,
            color=self.theme.role("query"),
        )
        if self.flow.columns:
            question.place(max(self.flow.middle(self.asking), 3.6), 6.62)
        else:
            question.place(12.92, 2.55, "right")
        self.play(motion.appear(self.asking_mark), motion.appear(question))
        self.rest()
        self.play(motion.vanish(large, run_time=0.3), motion.appear(self.legend))
        self.leaving = [size, question]

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
        strips = [self.strip(vector, token, 0, "data") for token, vector in enumerate(self.vectors)]
        self.rail += strips
        panel = self.projection("W_Q", "query")
        vector = panel.input_vector()
        gone = [FadeOut(each, target_position=strip, scale=0.3) for each, strip in zip(self.vectors, strips, strict=True)]
        self.play(*gone, motion.appear(*strips), motion.appear(vector), motion.vanish(*self.leaving), run_time=0.6)
        self.show_formula("query")
        matrix, product, signs = panel.weight_matrix(), panel.result_vector(), panel.signs()
        self.play(motion.appear(matrix, shift=[0.3, 0, 0]), motion.appear(signs), run_time=0.5)
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
        results = panel.results()
        self.play(
            motion.dim(entry, active, vector, product), motion.appear(*results, lag=0.15), run_time=1.2
        )
        self.queries = results

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
        others = [
            each
            for each in self.mobjects
            if id(each) not in {id(x) for x in (*self.rail, *results, self.legend, self.heading, self.formula, self.burnt)}
        ]
        self.play(*gone, motion.appear(*strips), *([motion.vanish(*others)] if others else []), run_time=0.6)

    def key(self) -> None:
        """The same with W_K, quicker."""
        self._dock(self.queries, 1, "query")
        self.keys = self._project("W_K", "key")

    def _project(self, weight: str, result: str) -> list[NumberMatrix]:
        panel = self.projection(weight, result)
        self.show_formula(result)
        matrix, vector = panel.weight_matrix(), panel.input_vector()
        self.play(motion.appear(matrix, shift=[0.3, 0, 0]), motion.appear(vector), motion.appear(panel.signs()))
        product = panel.result_vector()
        self.play(motion.appear(product))
        results = panel.results()
        self.play(motion.dim(vector, product), motion.appear(*results, lag=0.15), run_time=1.0)
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
                grid, box=box, role="data", theme=self.theme, down=axes[0], across=axes[1],
                ink=self.theme.role(stage), brackets=False, digits=len(cells) <= 4,
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
        head = [d for d in range(self.trace.spec.config.d_head)]
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
            self.play(motion.appear(*others, lag=0.2), motion.dim(*quiet, share=0.45), run_time=1.2)
        self.written, self.marks = written, VGroup(marks, one)

    def score_grid(self, stage: str) -> ScoreGrid:
        """The grid of a query × key stage; a long sentence shows the digits of the asking token alone."""
        return ScoreGrid(
            lambda query, key: self.attention(stage, query, key),
            flow=self.flow,
            theme=self.theme,
            only=None if self.flow.full_grid else self.asking,
        )

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
        quiet = motion.dim(*self.query_headers, *self.key_headers)
        self.play(motion.replace([self.written], [written]), quiet)
        self.written = written
        self._regrid("scaled")

    def mask(self) -> None:
        """Words to come must not be seen: −∞."""
        if "causal" not in self.facts:
            return
        self.show_formula("mask")
        note = Prose(self.word("later"), size=frame.NUMBER_SIZE, color=self.theme.note)
        note.place(*WRITTEN, "left")
        self.play(motion.replace([self.written, self.marks], [note]))
        self._regrid("masked")
        self.written = note

    def softmax_table(self) -> SoftmaxTable:
        """The softmax of the asking token, key by key."""
        return SoftmaxTable(
            self.trace,
            flow=self.flow,
            theme=self.theme,
            layer=self.layer,
            head=self.head,
            query=self.asking,
            words={name: self.word(f"softmax_{name}") for name in TABLE_WORDS},
        )

    def softmax(self) -> None:
        """Scores become weights: shift, exp, divide by the sum; lines as wide and dots as large as the weights."""
        self.show_formula("softmax")
        table = self.softmax_table()
        dots = DotGrid(
            lambda query, key: self.attention("pattern", query, key),
            flow=self.flow,
            theme=self.theme,
            box=table.place.dots,
            asking=self.asking,
        )
        aside = self._lift_scores(table, dots)
        self._open_drawers(table)
        self._compute_weights(table)
        self._show_weights(table, dots, aside)
        self.say()

    def _lift_scores(self, table: SoftmaxTable, dots: DotGrid) -> list[Mobject]:
        """The asking token's scores leave the grid; the rest steps aside (columns) or makes room (rows)."""
        asked = self.grid.lines[self.asking]
        rest = [each for each in self.grid.lines if each is not asked]
        self.clear_stage(*self.grid.lines, *self.key_labels)
        labels = [
            TokenBox(text, box=table.place.key_label(key), theme=self.theme, position=key, role="key")
            for key, text in enumerate(self.trace.spec.tokens)
        ]
        aside: list[Mobject] = []
        if self.flow.columns:
            aside = [
                line.part(digits=False, brackets=False, box=dots.line_box(query))
                for query, line in enumerate(self.grid.lines)
                if query != self.asking
            ]
        moves = [carry(old, new) for old, new in zip(rest, aside, strict=True)] if aside else []
        if rest and not aside:
            moves.append(motion.vanish(*rest))
        closed = [label for key, label in enumerate(labels) if key not in self.visible_keys]
        self.play(
            motion.replace(self.key_labels, labels), carry(asked, table.columns["score"]), *moves, run_time=0.9
        )
        if closed or aside:
            self.play(motion.dim(*closed, *aside, share=0.4))
        self.key_labels = labels
        return aside

    def _open_drawers(self, table: SoftmaxTable) -> None:
        """A lookup opens one drawer, a soft lookup every one by its weight: an image, before the numbers."""
        starts, reach = ((3.95, 7.25), 2.2) if self.flow.columns else ((3.75, 5.85), 1.1)
        hard, soft = (
            Drawers(
                opened,
                place=table.place,
                start=start,
                reach=reach,
                title=self.word(f"softmax_{word}"),
                theme=self.theme,
            )
            for opened, start, word in (
                (self.strongest_key, starts[0], "hard"),
                (self.weights, starts[1], "soft"),
            )
        )
        self.play(motion.appear(hard))
        self.play(hard.opening())
        self.play(motion.appear(soft))
        self.play(soft.opening())
        self.rest()
        self.play(motion.vanish(hard, *hard.trays, soft, *soft.trays))

    def _compute_weights(self, table: SoftmaxTable) -> None:
        """Step by step: the largest score is taken off, exp, the sum, the division."""
        largest = max(self.visible_keys, key=lambda key: self.attention("masked", self.asking, key).value)
        score = table.columns["score"]
        place = score.cell_box(largest, 0) if self.flow.columns else score.cell_box(0, largest)
        mark = outline(place, self.theme.text, pad=0.0)
        self.play(motion.appear(table.headings["score"], table.totals["score"], mark))
        self.play(motion.appear(table.headings["shifted"], table.columns["shifted"], shift=table.forward))
        self.play(motion.dim(score, table.headings["score"], table.totals["score"], share=QUIET), motion.vanish(mark))
        self.play(motion.appear(table.headings["exp"], table.columns["exp"], shift=table.forward))
        self.play(motion.dim(table.columns["shifted"], table.headings["shifted"], share=QUIET))
        self.play(motion.appear(table.totals["exp"]))
        self.rest()
        self.play(motion.appear(table.division, table.headings["pattern"]))
        self.play(motion.appear(table.columns["pattern"], shift=table.forward))
        self.play(motion.appear(table.bracket, table.totals["pattern"]))
        if self.flow.columns:
            self.play(LaggedStart(*(Create(bar) for bar in table.bars), lag_ratio=0.15), run_time=0.9)
        self.rest()
        quiet = [table.columns["exp"], table.headings["exp"], table.totals["exp"], table.division]
        self.play(motion.dim(*quiet, share=QUIET))

    def _show_weights(self, table: SoftmaxTable, dots: DotGrid, aside: list[Mobject]) -> None:
        """Lines along the sentence, width = weight; then the whole grid as dots, area = weight."""
        ribbons = Ribbons(self.weights, asking=self.asking, flow=self.flow, theme=self.theme)
        lines = RibbonLegend(
            ribbons,
            text=self.word("softmax_width"),
            left_out=(self.word("softmax_below"), self.word("softmax_left_out")),
            place=(0.88, 1.36),
            theme=self.theme,
        )
        areas = DotLegend(dots, self.word("softmax_area"))
        self.play(motion.appear(lines, ribbons.stems))
        if len(ribbons.ribbons):
            self.play(LaggedStart(*(Create(each) for each in ribbons.ribbons), lag_ratio=0.2), run_time=1.4)
        self.rest()
        lifted = VGroup(outline(dots.line_box(self.asking), self.theme.role("query"), pad=0.0))
        if self.flow.columns:
            lifted.add(dots.heading(self.asking, self.trace.spec.tokens[self.asking]))
        self.play(
            *([motion.vanish(*aside)] if aside else []),
            motion.appear(*dots.lines, lag=0.1),
            motion.appear(areas, lifted),
            run_time=1.0,
        )

    def value(self) -> None:
        """The third projection: what each token hands over."""
        strips = [self.strip(vector, token, 0, "data") for token, vector in enumerate(self.vectors)]
        self.clear_stage()
        self.rail += strips
        self.play(motion.appear(*strips))
        self.values = self._project("W_V", "value")

    def mix(self) -> None:
        """Weight × value for every key, added up; W_O turns the sum into the change ΔE."""
        self.rail = [each for each in self.rail if not isinstance(each, NumberMatrix)]
        self.clear_stage(*self.values)
        self.show_formula("mix")
        config = self.trace.spec.config
        place = {"layer": self.layer, "head": self.head}
        shown = 5 if config.d_head <= 4 else 4
        terms = weighted_terms(self.trace, **place, query=self.asking, shown=shown)
        layout = SumLayout(
            self.flow, len(terms.terms), len(window(config.d_head, shown=8)), len(window(config.d_model))
        )
        panel = WeightedSum(
            terms, layout=layout, tokens=self.trace.spec.tokens, theme=self.theme, word=self.word
        )
        own = [term.keys[0] for term in terms.terms if not term.rest]
        moves = [carry(self.values[key], new) for key, new in zip(own, panel.values, strict=False)]
        others = [each for key, each in enumerate(self.values) if key not in own]
        gone = [motion.vanish(*others)] if others else []
        self.play(*moves, *gone, motion.appear(*panel.labels, *panel.values[len(own) :], panel.headings[1]))
        self.play(motion.appear(*panel.weights, panel.headings[0], panel.weight_sum, panel.masked, lag=0.15))
        self.play(
            *(carry(old, new, leave=True) for old, new in zip(panel.values, panel.weighted, strict=True)),
            motion.appear(panel.headings[2]),
        )
        self.play(motion.appear(panel.signs, panel.symbol, panel.total, lag=0.4), run_time=0.8)
        self.rest()
        output = HeadOutput(
            self.trace, layout=layout, **place, token=self.asking, theme=self.theme,
            more=self.word("mix_more", n=config.d_model - len(window(config.d_model)) + 1),
        )
        self.say()
        self.play(
            motion.dim(*panel.values, share=0.5),
            motion.appear(output.matrix, output.symbols, shift=[0.3, 0, 0]),
        )
        if self.flow.columns:
            self.play(carry(panel.total, output.input, leave=True), motion.appear(output.signs))
        self.play(motion.appear(output.active, output.delta, *([] if self.flow.columns else [output.signs])))
        self.change = output.delta

    @cached_property
    def effect(self) -> Effect | None:
        """What this head's ΔE does to the next word."""
        return effect_of(self.trace, layer=self.layer, head=self.head, query=self.asking)

    @cached_property
    def addition(self) -> Addition:
        """The residual sum of the asking token."""
        return addition_of(self.trace, layer=self.layer, head=self.head, token=self.asking)

    def add_(self) -> None:
        """E + ΔE = E′: an arrow set on the tip of another; and what it does to the next word."""
        self.clear_stage(self.change)
        self.show_formula("add" if self.addition.alone else "add_heads")
        others = [self.word(key, n=self.addition.other_heads) for key in ("add_others", "add_heads")]
        post = self.trace.spec.config.norm_order == "post"
        panel = AdditionPanel(
            self.addition, flow=self.flow, theme=self.theme, others=others,
            then=self.word("add_then") if post else "",
        )
        first, second, *rest = panel.vectors
        self.play(motion.appear(first, panel.symbols[0], shift=[0, -0.2, 0]))
        self.play(carry(self.change, second), motion.appear(panel.symbols[1], panel.signs[0]))
        self.play(motion.appear(*panel.signs[1:], *panel.symbols[2:], *rest, panel.then, lag=0.1))
        third = "E'" if self.addition.alone else "E + Delta E"
        plane = ArrowPlane(
            Sum.of(self.addition.before, self.addition.change, self.addition.sum_of_two),
            box=Box(4.8, 2.1, 6.2, 5.4) if self.flow.columns else Box(2.3, 3.3, 7.1, 4.3),
            theme=self.theme,
            symbols=("E", "@delta(Delta E)", third),
            note=self.word("add_length"),
        )
        self.play(motion.appear(plane.guides, plane.first, plane.first_name))
        plane.second.shift(plane.second_at_origin())
        self.play(motion.appear(plane.second))
        self.play(plane.second.animate.shift(-plane.second_at_origin()), run_time=0.8)
        self.play(motion.appear(plane.second_name))
        self.play(motion.appear(plane.total, plane.total_name))
        self.rest()
        if self.effect:
            self._show_effect(self.effect, panel.vectors)

    def _show_effect(self, effect: Effect, vectors: list[NumberMatrix]) -> None:
        split = 1.75 if effect.claimed else 1.95
        bars = Box(11.5, 2.25, 3.6, 2.55) if self.flow.columns else Box(10.2, 3.5, 4.9, split)
        dots = Box(11.5, 5.2, 3.6, 2.4) if self.flow.columns else Box(10.2, 3.85 + split, 4.9, 3.75 - split)
        panel = EffectPanel(effect, bars=bars, dots=dots, theme=self.theme, word=self.word)
        self.say()
        self.play(motion.dim(*vectors, share=0.7))
        with_delta = [bars.lines[0] for bars in panel.bars]
        without = [bars.lines[1] for bars in panel.bars]
        self.play(motion.appear(panel.heading, panel.bars[-1].ticks, *with_delta))
        self.play(motion.appear(*without), run_time=0.6)
        self.rest()
        self.play(motion.appear(panel.dots_heading, panel.dots.axis, panel.dots.zero, panel.dots.others))
        self.play(motion.appear(*panel.dots.named, lag=0.3))

    def all(self) -> None:
        """Every token at once, as a few matrix products; then the grid turned over to the paper's form."""
        self.rail = [each for each in self.rail if not isinstance(each, NumberMatrix)]
        self.clear_stage()
        self.play(motion.dim(*self.rail))
        self.show_formula("all")
        panel = Overview(self.trace, self.flow, self.theme, self.layer, self.head)
        for stage in panel.stages(lambda query, key: self.attention("pattern", query, key)):
            self.play(motion.appear(*stage), run_time=0.5)
        count = Label(
            self.word("products", count=panel.products), size=frame.NUMBER_SIZE, color=self.theme.text
        )
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
