"""The softmax of one token as a short story: scores leave the grid, become weights, and the weights are drawn."""

from __future__ import annotations

from dataclasses import dataclass

from manim import Create, LaggedStart, Mobject, VGroup

from scenes.kit import motion
from scenes.kit.carry import carry
from scenes.kit.dots import DotGrid, DotLegend
from scenes.kit.drawers import Drawers
from scenes.kit.grid import ScoreGrid
from scenes.kit.head_scene import HeadScene
from scenes.kit.mark import outline
from scenes.kit.ribbons import RibbonLegend, Ribbons
from scenes.kit.softmax_table import SoftmaxTable
from scenes.kit.tokens import TokenBox

LOOK = 2.0
"""Seconds for an image that has to be understood before it goes."""

QUIET = 0.55
"""The share of light that earlier steps of the softmax table keep."""

TABLE_WORDS = ("score", "shifted", "exp", "pattern", "max", "attention", "attention_weight", "over_keys")
"""Words of the softmax table."""


@dataclass
class SoftmaxStory:
    """Plays the close-up in a scene, from its grid of masked scores."""

    scene: HeadScene
    grid: ScoreGrid
    key_labels: list[TokenBox]

    def play(self) -> None:
        """Lift the scores, open the drawers, compute the weights, draw them."""
        table = self.softmax_table()
        dots = DotGrid(
            lambda query, key: self.scene.attention("pattern", query, key),
            flow=self.scene.flow,
            theme=self.scene.theme,
            box=table.place.dots,
            asking=self.scene.asking,
        )
        aside = self.lift_scores(table, dots)
        self.open_drawers(table)
        self.scene.say()
        self.compute_weights(table)
        self.show_weights(table, dots, aside)

    def softmax_table(self) -> SoftmaxTable:
        """The softmax of the asking token, key by key."""
        return SoftmaxTable(
            self.scene.trace,
            flow=self.scene.flow,
            theme=self.scene.theme,
            layer=self.scene.layer,
            head=self.scene.head,
            query=self.scene.asking,
            words={name: self.scene.word(f"softmax_{name}") for name in TABLE_WORDS},
        )

    def lift_scores(self, table: SoftmaxTable, dots: DotGrid) -> list[Mobject]:
        """The asking token's scores leave the grid; the rest steps aside (columns) or makes room (rows)."""
        asked = self.grid.lines[self.scene.asking]
        rest = [each for each in self.grid.lines if each is not asked]
        self.scene.clear_stage(*self.grid.lines, *self.key_labels)
        labels = [
            TokenBox(text, box=table.place.key_label(key), theme=self.scene.theme, position=key, role="key")
            for key, text in enumerate(self.scene.trace.spec.tokens)
        ]
        aside: list[Mobject] = []
        if self.scene.flow.columns:
            aside = [
                line.part(digits=False, brackets=False, box=dots.line_box(query))
                for query, line in enumerate(self.grid.lines)
                if query != self.scene.asking
            ]
        moves = [carry(old, new) for old, new in zip(rest, aside, strict=True)] if aside else []
        if rest and not aside:
            moves.append(motion.vanish(*rest))
        closed = [label for key, label in enumerate(labels) if key not in self.scene.visible_keys]
        self.scene.play(
            motion.replace(self.key_labels, labels), carry(asked, table.columns["score"]), *moves, run_time=0.9
        )
        if closed or aside:
            self.scene.play(motion.dim(*closed, *aside, share=0.4))
        self.key_labels = labels
        return aside

    def open_drawers(self, table: SoftmaxTable) -> None:
        """A lookup opens one drawer, a soft lookup every one by its weight: an image, before the numbers."""
        starts, reach = ((3.95, 7.25), 2.2) if self.scene.flow.columns else ((3.75, 5.85), 1.1)
        hard, soft = (
            Drawers(
                opened,
                place=table.place,
                start=start,
                reach=reach,
                title=self.scene.word(f"softmax_{word}"),
                theme=self.scene.theme,
            )
            for opened, start, word in (
                (self.scene.strongest_key, starts[0], "hard"),
                (self.scene.weights, starts[1], "soft"),
            )
        )
        self.scene.play(motion.appear(hard))
        self.scene.play(hard.opening())
        self.scene.rest()
        self.scene.play(motion.appear(soft))
        self.scene.play(soft.opening())
        self.scene.rest(LOOK)
        self.scene.play(motion.vanish(hard, *hard.trays, soft, *soft.trays))

    def compute_weights(self, table: SoftmaxTable) -> None:
        """Step by step: the largest score is taken off, exp, the sum, the division."""
        largest = max(
            self.scene.visible_keys, key=lambda key: self.scene.attention("masked", self.scene.asking, key).value
        )
        score = table.columns["score"]
        place = score.cell_box(largest, 0) if self.scene.flow.columns else score.cell_box(0, largest)
        mark = outline(place, self.scene.theme.text, pad=0.0)
        self.scene.play(motion.appear(table.headings["score"], table.totals["score"], mark))
        self.scene.play(motion.appear(table.headings["shifted"], table.columns["shifted"], shift=table.forward))
        self.scene.rest()
        self.scene.play(
            motion.dim(score, table.headings["score"], table.totals["score"], share=QUIET), motion.vanish(mark)
        )
        self.scene.play(motion.appear(table.headings["exp"], table.columns["exp"], shift=table.forward))
        self.scene.rest()
        self.scene.play(motion.dim(table.columns["shifted"], table.headings["shifted"], share=QUIET))
        self.scene.play(motion.appear(table.totals["exp"]))
        self.scene.rest()
        self.scene.play(motion.appear(table.division, table.headings["pattern"]))
        self.scene.play(motion.appear(table.columns["pattern"], shift=table.forward))
        self.scene.play(motion.appear(table.bracket, table.totals["pattern"]))
        if self.scene.flow.columns:
            self.scene.play(LaggedStart(*(Create(bar) for bar in table.bars), lag_ratio=0.15), run_time=0.9)
        self.scene.rest()
        quiet = [table.columns["exp"], table.headings["exp"], table.totals["exp"], table.division]
        self.scene.play(motion.dim(*quiet, share=QUIET))

    def show_weights(self, table: SoftmaxTable, dots: DotGrid, aside: list[Mobject]) -> None:
        """Lines along the sentence, width = weight; then the whole grid as dots, area = weight."""
        ribbons = Ribbons(self.scene.weights, asking=self.scene.asking, flow=self.scene.flow, theme=self.scene.theme)
        lines = RibbonLegend(
            ribbons,
            text=self.scene.word("softmax_width"),
            left_out=(self.scene.word("softmax_below"), self.scene.word("softmax_left_out")),
            place=(0.88, 1.36),
            theme=self.scene.theme,
        )
        areas = DotLegend(dots, self.scene.word("softmax_area"))
        self.scene.play(motion.appear(lines, ribbons.stems))
        if len(ribbons.ribbons):
            self.scene.play(LaggedStart(*(Create(each) for each in ribbons.ribbons), lag_ratio=0.2), run_time=1.4)
        self.scene.rest()
        lifted = VGroup(outline(dots.line_box(self.scene.asking), self.scene.theme.role("query"), pad=0.0))
        if self.scene.flow.columns:
            lifted.add(dots.heading(self.scene.asking, self.scene.trace.spec.tokens[self.scene.asking]))
        self.scene.play(
            *([motion.vanish(*aside)] if aside else []),
            motion.appear(*dots.lines, lag=0.1),
            motion.appear(areas, lifted),
            run_time=1.0,
        )
