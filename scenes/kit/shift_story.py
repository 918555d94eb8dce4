"""A step of k positions as a short story: hands turn by it, the same turn goes round, and the products are even."""

from __future__ import annotations

from dataclasses import dataclass

from manim import Create, VGroup

from scenes.kit import motion
from scenes.kit.reading import Reading
from scenes.kit.shift_panel import ShiftPanel
from scenes.kit.staged_scene import StagedScene
from scenes.kit.turning import Turn


@dataclass
class ShiftStory:
    """Plays the step on an empty stage."""

    scene: StagedScene
    reading: Reading

    def play(self) -> None:
        """The dials, the step from one start, its blocks, the same step from another start, the products."""
        scene = self.scene
        panel = ShiftPanel(self.reading, columns=scene.flow.columns, theme=scene.theme, word=scene.word)
        scene.play(motion.appear(*panel.dials, panel.dial_names, lag=0.2), run_time=0.6)
        scene.play(motion.appear(panel.starts[0], panel.start_names[0]))
        self._step(panel)
        heads = (head for _, head in panel.turns[0])
        scene.play(motion.appear(*heads), motion.appear(*panel.blocks, panel.block_name, lag=0.2), run_time=0.6)
        scene.rest()
        self._start_elsewhere(panel)
        scene.say()
        scene.play(motion.appear(panel.products, panel.product_names))
        scene.play(motion.appear(panel.marks))

    def _step(self, panel: ShiftPanel) -> None:
        """Every hand turns from the start to the end of the step; the arc grows behind it."""
        start, ends, arcs = panel.places[0], panel.ends[0], panel.turns[0]
        turns = [
            Turn(end, dial.sweep(start, start + self.reading.step), about=dial.middle)
            for dial, end in zip(panel.dials, ends, strict=True)
        ]
        grow = [Create(arc) for arc, _ in arcs]
        self.scene.play(*turns, *grow, motion.appear(panel.end_names[0]), run_time=0.7)

    def _start_elsewhere(self, panel: ShiftPanel) -> None:
        """Both hands and the arc go round as one: the angle between them stays what it is."""
        first, second = panel.places
        old, new = (
            VGroup(*(VGroup(*parts) for parts in zip(panel.starts[i], panel.turns[i], panel.ends[i], strict=True)))
            for i in (0, 1)
        )
        self.scene.remove(*old.get_family())
        turns = [
            Turn(group, dial.sweep(first, second), about=dial.middle)
            for dial, group in zip(panel.dials, new, strict=True)
        ]
        names = [motion.replace([names[0]], [names[1]], run_time=0.5) for names in (panel.start_names, panel.end_names)]
        self.scene.play(*turns, *names, run_time=0.8)
