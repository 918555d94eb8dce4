"""The change is added, as a short story: vectors, arrows tip to tail, and what it does to the next word."""

from __future__ import annotations

from dataclasses import dataclass

from scenes.kit import motion
from scenes.kit.addition import Addition, AdditionPanel
from scenes.kit.arrows import ArrowPlane, Sum
from scenes.kit.carry import carry
from scenes.kit.effect import Effect
from scenes.kit.effect_panel import EffectPanel
from scenes.kit.frame import Box
from scenes.kit.head_scene import HeadScene
from scenes.kit.matrix import NumberMatrix


@dataclass
class AddStory:
    """Plays the addition in a scene that shows ΔE; without an effect it ends with the arrows."""

    scene: HeadScene
    addition: Addition
    effect: Effect | None
    change: NumberMatrix

    def play(self) -> None:
        """Add the vectors, set the orange arrow on the tip of the grey one, show the effect."""
        panel = self._panel()
        self._add_vectors(panel)
        self._add_arrows(self._plane())
        if self.effect:
            self.scene.say()
            self.scene.play(motion.dim(*panel.vectors, share=0.7))
            self._show_effect(self._effect_panel(self.effect))

    def _panel(self) -> AdditionPanel:
        scene = self.scene
        post = scene.trace.spec.config.norm_order == "post"
        return AdditionPanel(
            self.addition,
            flow=scene.flow,
            theme=scene.theme,
            others=[scene.word(key, n=self.addition.other_heads) for key in ("add_others", "add_heads")],
            then=scene.word("add_then") if post else "",
        )

    def _add_vectors(self, panel: AdditionPanel) -> None:
        first, second, *rest = panel.vectors
        asks = self.scene.rail[self.scene.asking]
        self.scene.play(carry(asks, first, leave=True), motion.appear(panel.symbols[0]))
        self.scene.play(carry(self.change, second), motion.appear(panel.symbols[1], panel.signs[0]))
        self.scene.play(motion.appear(*panel.signs[1:], *panel.symbols[2:], *rest, panel.then, lag=0.1))
        self.scene.rest()

    def _plane(self) -> ArrowPlane:
        addition = self.addition
        return ArrowPlane(
            Sum.of(addition.before, addition.change, addition.sum_of_two),
            box=Box(4.8, 2.1, 6.2, 5.4) if self.scene.flow.columns else Box(2.3, 3.3, 7.1, 4.3),
            theme=self.scene.theme,
            symbols=("E", "@delta(Delta E)", "E'" if addition.alone else "E + Delta E"),
            note=self.scene.word("add_length"),
        )

    def _add_arrows(self, plane: ArrowPlane) -> None:
        scene = self.scene
        scene.play(motion.appear(plane.guides, plane.first, plane.first_name))
        plane.second.shift(plane.second_at_origin())
        scene.play(motion.appear(plane.second))
        scene.play(plane.second.animate.shift(-plane.second_at_origin()), run_time=0.8)
        scene.play(motion.appear(plane.second_name, plane.plumb))
        scene.rest()
        scene.play(motion.appear(plane.total, plane.total_name))

    def _effect_panel(self, effect: Effect) -> EffectPanel:
        split = 1.75 if effect.claimed else 1.95
        columns = self.scene.flow.columns
        return EffectPanel(
            effect,
            bars=Box(11.5, 2.25, 3.6, 2.55) if columns else Box(10.2, 3.5, 4.9, split),
            dots=Box(11.5, 5.2, 3.6, 2.4) if columns else Box(10.2, 3.85 + split, 4.9, 3.75 - split),
            theme=self.scene.theme,
            word=self.scene.word,
        )

    def _show_effect(self, panel: EffectPanel) -> None:
        scene, dots = self.scene, panel.dots
        scene.play(motion.appear(panel.heading, panel.bars[-1].ticks, *(bars.lines[0] for bars in panel.bars)))
        scene.play(motion.appear(*(bars.lines[1] for bars in panel.bars)), run_time=0.6)
        scene.rest()
        scene.play(motion.appear(panel.dots_heading, dots.axis, dots.zero, dots.others))
        scene.play(motion.appear(*dots.named, lag=0.3))
