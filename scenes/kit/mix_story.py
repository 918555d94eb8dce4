"""Values mixed by weight, as a short story: values arrive, are weighed, added up, and W_O turns the sum into ΔE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from manim import AnimationGroup

from scenes.kit import motion
from scenes.kit.carry import carry
from scenes.kit.flow import window
from scenes.kit.head_output import HeadOutput
from scenes.kit.head_scene import HeadScene
from scenes.kit.matrix import NumberMatrix
from scenes.kit.sum_layout import SumLayout
from scenes.kit.sweep import shell, sweep
from scenes.kit.terms import WeightedTerms, weighted_terms
from scenes.kit.weighted_sum import WeightedSum

TERMS, TERMS_OF_LONG = 5, 4
"""So many keys have a term of their own; fewer where a value has more than four entries."""


@dataclass
class MixStory:
    """Plays the weighted sum in a scene that shows every token's value vector."""

    scene: HeadScene
    values: Sequence[NumberMatrix]

    def play(self) -> NumberMatrix:
        """The whole story; returns ΔE, which stays on screen."""
        scene, terms = self.scene, self._terms()
        panel = WeightedSum(
            terms,
            layout=self._layout(terms),
            tokens=scene.trace.spec.tokens,
            theme=scene.theme,
            word=scene.word,
        )
        self._arrive(panel)
        self._weigh(panel)
        scene.say()
        return self._write(panel)

    def _terms(self) -> WeightedTerms:
        scene = self.scene
        shown = TERMS if scene.trace.spec.config.d_head <= 4 else TERMS_OF_LONG
        return weighted_terms(scene.trace, layer=scene.layer, head=scene.head, query=scene.asking, shown=shown)

    def _layout(self, terms: WeightedTerms) -> SumLayout:
        config = self.scene.trace.spec.config
        return SumLayout(
            self.scene.flow, len(terms.terms), len(window(config.d_head, shown=8)), len(window(config.d_model))
        )

    def _arrive(self, panel: WeightedSum) -> None:
        """The values that have a term go there, the others leave."""
        own = [term.keys[0] for term in panel.terms.terms if not term.rest]
        moves = [carry(self.values[key], new) for key, new in zip(own, panel.values, strict=False)]
        others = [each for key, each in enumerate(self.values) if key not in own]
        gone = [motion.vanish(*others)] if others else []
        names = motion.appear(*panel.labels, *panel.values[len(own) :], panel.headings[1])
        self.scene.play(*moves, *gone, names)

    def _weigh(self, panel: WeightedSum) -> None:
        """Weights, weighted values, sum."""
        weights = motion.appear(*panel.weights, panel.headings[0], panel.weight_sum, panel.masked, lag=0.3)
        self.scene.play(weights, run_time=0.8)
        pairs = zip(panel.values, panel.weighted, strict=True)
        weighted = [carry(old, new, leave=True) for old, new in pairs]
        self.scene.play(*weighted, motion.appear(panel.headings[2]), run_time=0.6)
        self.scene.play(motion.appear(panel.signs, panel.symbol, panel.total, lag=0.5), run_time=0.6)
        self.scene.rest()

    def _write(self, panel: WeightedSum) -> NumberMatrix:
        """W_O meets z: ΔE."""
        scene, width = self.scene, self.scene.trace.spec.config.d_model
        output = HeadOutput(
            scene.trace,
            layout=panel.layout,
            layer=scene.layer,
            head=scene.head,
            token=scene.asking,
            theme=scene.theme,
            more=scene.word("mix_more", n=width - len(window(width)) + 1),
        )
        quiet = motion.dim(*panel.values, share=0.5)
        if scene.flow.columns:
            quiet = AnimationGroup(quiet, carry(panel.total, output.input, leave=True))
        scene.play(quiet)
        scene.play(motion.appear(output.matrix, output.symbols, output.signs, shift=[0.3, 0, 0]))
        scene.rest()
        scene.play(motion.appear(*output.active, *shell(output.delta)))
        sweep(scene, output.delta, list(zip(output.active, output.last, strict=True)))
        return output.delta
