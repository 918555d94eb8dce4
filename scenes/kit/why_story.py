"""How many heads, as a short story: losses of trained models seed by seed, their means, the best, what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenes.kit import frame, motion
from scenes.kit.count_table import CountTable
from scenes.kit.frame import Box
from scenes.kit.head_costs import grid_cells
from scenes.kit.head_scene import HeadScene
from scenes.kit.loss_plot import LossPlot
from scenes.kit.text import Label
from scenes.kit.trained_heads import TrainedHeads, best_of, next_best_of
from scenes.kit.word_order import WordOrder, swappable

PLOT, TABLE = Box(2.0, 2.35, 6.9, 4.35), Box(9.75, 2.1, 5.4, 3.4)


@dataclass
class WhyStory:
    """Plays the comparison on an empty stage."""

    scene: HeadScene
    trained: Sequence[TrainedHeads]

    def play(self) -> None:
        """The axes; the dots from left to right; then their means and the table, and which is the lowest."""
        scene, best = self.scene, best_of(self.trained)
        plot = LossPlot(self.trained, best=best, box=PLOT, theme=scene.theme, floor_name=scene.word("why_floor"))
        table = self._table(best)
        scene.play(motion.appear(plot.axes, plot.names(scene.word("why_across"), scene.word("why_loss"))))
        scene.play(motion.appear(plot.floor, *self._notes()))
        for dots in plot.dots:
            scene.play(motion.appear(*dots, lag=0.2, shift=[0, -0.2, 0]), run_time=0.6)
        scene.say()
        scene.play(motion.appear(table.heading))
        for mean, line in zip(plot.means, table.lines, strict=True):
            scene.play(motion.appear(mean, line), run_time=0.4)
        facts = scene.facts
        self._look_at(plot, table, {self.trained[0], best} if "several_win" in facts else {best})
        if "overlap" in facts:
            scene.say()
            self._look_at(plot, table, {next_best_of(self.trained), best})
        scene.say()
        self._look_at(plot, table, set(self.trained))
        self._order()

    def _look_at(self, plot: LossPlot, table: CountTable, chosen: set[TrainedHeads]) -> None:
        """What is said now is of these models: the others step back."""
        lit, quiet = [], []
        for each, *parts in zip(self.trained, plot.dots, plot.means, table.lines, strict=True):
            (lit if each in chosen else quiet).extend(parts)
        self.scene.play(motion.light(*lit), *([motion.dim(*quiet)] if quiet else []), run_time=0.6)

    def _order(self) -> None:
        """The bridge to what comes next: the same words, two of them in each other's place."""
        scene = self.scene
        groups = scene.trace.spec.card.get("word_groups", {}).get("noun", {})
        tokens = scene.trace.spec.tokens
        swap = swappable(tokens, frozenset(word for words in groups.values() for word in words))
        if swap is None:
            return
        line = WordOrder(tokens, swap, question=scene.word("why_order"), theme=scene.theme)
        scene.play(motion.appear(*line.tokens, lag=0.1), run_time=0.8)
        scene.play(motion.appear(line.question), *line.swapped())

    def _table(self, best: TrainedHeads) -> CountTable:
        scene = self.scene
        names = ("copies_h", "copies_d_head", "copies_weights", "copies_cells", "why_mean")
        return CountTable(
            [scene.word(name) for name in names],
            [
                (each.heads, each.d_head, each.weights, grid_cells(scene.trace, each.heads), each.mean)
                for each in self.trained
            ],
            box=TABLE,
            theme=scene.theme,
            decimals=(0, 0, 0, 0, 3),
            marked=frozenset({self.trained.index(best)}),
            pitch=0.6,
        )

    def _notes(self) -> list[Label]:
        """Which models these are, how often each was trained, and on what the loss is measured."""
        scene, first = self.scene, self.trained[0]
        words = (
            scene.word("why_models", names=", ".join(each.name for each in self.trained)),
            scene.word("why_trained", d_model=first.d_model, seeds=len(first.losses)),
            scene.word("why_words", n=first.words),
        )
        return [
            Label(text, size=frame.NOTE_SIZE, color=scene.theme.note).place(TABLE.left, 6.02 + 0.36 * number, "left")
            for number, text in enumerate(words)
        ]
