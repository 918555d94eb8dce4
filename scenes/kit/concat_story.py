"""The heads' results become one change, as a short story: side by side through W_O, then head by head."""

from __future__ import annotations

from dataclasses import dataclass

from manim import AnimationGroup, LaggedStart

from scenes.kit import motion
from scenes.kit.added_changes import AddedChanges
from scenes.kit.carry import carry
from scenes.kit.concat_layout import concat_layout
from scenes.kit.head_scene import HeadScene
from scenes.kit.head_sum import HeadSum
from scenes.kit.head_vectors import HeadVectors
from scenes.kit.sweep import shell, sweep
from scenes.kit.whole_product import WholeProduct


@dataclass
class ConcatStory:
    """Plays both ways in a scene that shows the sentence; a model with one head has the first alone."""

    scene: HeadScene

    def play(self) -> None:
        """The whole story."""
        scene = self.scene
        numbers = HeadSum(scene.trace, scene.layer, scene.asking)
        layout = concat_layout(
            scene.flow,
            [head is not None for head in numbers.heads],
            length=len(numbers.dimensions),
            features=len(numbers.features),
            bias=numbers.bias is not None,
        )
        draw = HeadVectors(numbers, layout, scene.theme)
        whole = WholeProduct(draw)
        self._side_by_side(whole)
        self._multiply(whole)
        if len(numbers.heads) > 1:
            scene.say()
            self._cut(whole, AddedChanges(draw, word=scene.word))

    def _side_by_side(self, whole: WholeProduct) -> None:
        """The heads' results arrive apart, and go to their places beside one another."""
        scene = self.scene
        asks = scene.rail[scene.asking]
        arrive = [carry(asks, each, leave=True) for each in whole.gathered]
        scene.play(LaggedStart(*arrive, lag_ratio=0.15), motion.appear(*whole.names), run_time=1.0)
        scene.rest()
        moves = [carry(old, new, run_time=0.8) for old, new in zip(whole.gathered, whole.stack, strict=True)]
        scene.play(*moves, motion.vanish(*whole.names), run_time=0.8)
        scene.play(motion.appear(whole.stack_edge, whole.letters[1]))

    def _multiply(self, whole: WholeProduct) -> None:
        """W_O meets them all; one line of it makes one entry of the change."""
        scene = self.scene
        scene.play(
            motion.appear(*whole.blocks, lag=0.15, shift=[0.3, 0, 0]),
            motion.appear(whole.matrix_edge, whole.letters[0], whole.signs[0]),
            run_time=0.8,
        )
        scene.rest(0.6)
        frame = [*shell(whole.product), whole.bias, *whole.letters[2:], *whole.signs[1:]]
        scene.play(motion.appear(*whole.active, *frame))
        sweep(scene, whole.product, list(zip(whole.active, whole.last, strict=True)))
        scene.play(motion.dim(*whole.rest, share=0.45))
        scene.rest()

    def _cut(self, whole: WholeProduct, parts: AddedChanges) -> None:
        """W_O falls into blocks, each with its own z; what they make is added up."""
        scene = self.scene
        gone = [*whole.active, *whole.signs, *whole.letters, *(digits for _, digits in whole.digits)]
        scene.play(motion.light(*(each.shades for each in whole.rest)), motion.vanish(*gone))
        for part, digits in whole.digits:
            part.remove(digits)
        scene.play(motion.appear(whole.seams))
        scene.rest(0.6)
        moves = [carry(old, new, run_time=0.8) for old, new in zip(whole.blocks, parts.blocks, strict=True)]
        moves += [carry(old, new, run_time=0.8) for old, new in zip(whole.stack, parts.results, strict=True)]
        moves.append(carry(whole.product, parts.kept, run_time=0.8))
        gone = motion.vanish(whole.seams, whole.stack_edge, whole.matrix_edge, whole.bias)
        scene.play(*moves, gone, run_time=0.8)
        plus = parts.group_signs
        scene.play(motion.appear(*parts.times, plus), motion.dim(parts.kept, share=0.5))
        arrive = [
            AnimationGroup(
                carry(parts.blocks[place], change, leave=True) if place < len(parts.heads) else motion.appear(change),
                motion.appear(parts.signs[place]),
            )
            for place, change in enumerate(parts.changes)
        ]
        # Side by side, the one with the shortest way goes first, so that none passes over another.
        order = reversed(arrive) if scene.flow.columns else arrive
        scene.play(LaggedStart(*order, lag_ratio=0.2), run_time=1.4)
        quiet = [*parts.blocks, *parts.results, *parts.times, plus]
        scene.play(motion.appear(parts.total, parts.signs[-1]), motion.dim(*quiet, share=0.5))
        scene.play(motion.light(parts.kept), motion.appear(parts.kept_letter, parts.note))
