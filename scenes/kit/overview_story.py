"""The whole head at once, as a short story: product after product, their count, and the grid turned over."""

from __future__ import annotations

from scenes.kit import frame, motion
from scenes.kit.carry import carry
from scenes.kit.head_scene import HeadScene
from scenes.kit.overview import Overview
from scenes.kit.text import Label
from scenes.kit.turn_over import TurnOver
from transformer_core.trace import Cell


class OverviewStory:
    """Plays the overview on a stage that holds the sentence alone."""

    def __init__(self, scene: HeadScene) -> None:
        self.scene = scene
        self.panel = Overview(scene.trace, scene.flow, scene.theme, scene.layer, scene.head)

    def play(self) -> None:
        """The products in their order and how many they are; then the paper's form."""
        scene, panel = self.scene, self.panel
        for stage in panel.stages(self._weight):
            made = [carry(stage.source, stage.result, leave=True)] if stage.source and stage.result else []
            scene.play(motion.appear(*stage.shown), *made, run_time=0.5)
        count = Label(scene.word("products", count=panel.products), size=frame.NUMBER_SIZE, color=scene.theme.text)
        count.place(*panel.note, "left")
        scene.play(motion.appear(count))
        scene.rest()
        scene.say()
        self._turn()

    def _weight(self, query: int, key: int) -> Cell:
        return self.scene.attention("pattern", query, key)

    def _turn(self) -> None:
        scene = self.scene
        words = {"here": scene.word("columns_sum"), "paper": scene.word("rows_sum")}
        turned = self.panel.turned(self._weight, **words)
        if turned.here is not None:
            scene.play(motion.appear(turned.here), run_time=0.5)
            scene.play(TurnOver(turned.here[-1], turned.grid), motion.appear(turned.way))
            scene.add(turned.grid)
        scene.play(motion.appear(turned.words), run_time=0.5)
        scene.play(motion.appear(turned.formula), run_time=0.5)
