"""QKVAttention: one head of attention, from the tokens' vectors to the change it writes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from manim import Animation, FadeOut, Mobject

from scenes.kit import motion
from scenes.kit.add_story import AddStory
from scenes.kit.addition import Addition, addition_of
from scenes.kit.carry import carry
from scenes.kit.effect import Effect, effect_fields, effect_of
from scenes.kit.frame import Box
from scenes.kit.head_scene import HeadScene
from scenes.kit.matrix import NumberMatrix
from scenes.kit.mix_story import MixStory
from scenes.kit.overview_story import OverviewStory
from scenes.kit.projection_story import ProjectionStory
from scenes.kit.scores_story import ScoresStory
from scenes.kit.softmax_story import SoftmaxStory
from scenes.kit.texts import Field
from scenes.kit.token_vectors import TokenVectors
from transformer_core import derive


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
        panel = TokenVectors(self)
        self.tokens, self.vectors = panel.tokens, panel.vectors
        self.rail = [*self.tokens, panel.mark]
        large = self.legend.large(Box(0.88, 7.2 if self.flow.columns else 1.5, 14.4, 0.4))
        self.play(motion.appear(large), run_time=0.6)
        self.play(motion.appear(*self.tokens, lag=0.3), run_time=1.2)
        vectors = motion.appear(*self.vectors, lag=0.2, shift=[0, -0.2, 0])
        self.play(vectors, motion.appear(*panel.notes), run_time=1.2)
        self.rest()
        question = panel.question("question" if "claimed" in self.facts else "question_neutral")
        self.play(motion.appear(panel.mark), motion.appear(question))
        self.rest()
        self.play(motion.vanish(large, run_time=0.3), motion.appear(self.legend))
        self.leaving = [*panel.notes, question]

    def query(self) -> None:
        """W_Q times one vector, one entry written out; then all queries at once."""
        self.strips = [self.strip(vector, token, 0, "data") for token, vector in enumerate(self.vectors)]
        self.rail += self.strips
        story = ProjectionStory(self, "W_Q", "query", self.strips)
        pairs = zip(self.vectors, self.strips, strict=True)
        gone: list[Animation] = [FadeOut(each, target_position=strip, scale=0.3) for each, strip in pairs]
        if self.flow.columns:
            gone[self.asking] = carry(self.vectors[self.asking], story.vector)
        else:
            gone.append(motion.appear(story.vector))
        self.play(*gone, motion.appear(*self.strips), motion.vanish(*self.leaving), run_time=0.6)
        self.queries = story.play_worked()

    def key(self) -> None:
        """The same with W_K, quicker."""
        self.query_strips = self._dock(self.queries, 1, "query")
        self.keys = ProjectionStory(self, "W_K", "key", self.strips).play()

    def _dock(self, results: list[NumberMatrix], order: int, role: str) -> list[NumberMatrix]:
        """Every token's result shrinks to a strip on the rail; what else is on stage leaves."""
        strips = [self.strip(each, token, order, role) for token, each in enumerate(results)]
        gone = [FadeOut(each, target_position=strip, scale=0.3) for each, strip in zip(results, strips, strict=True)]
        self.rail += strips
        others = self.on_stage(*results)
        self.play(*gone, motion.appear(*strips), *([motion.vanish(*others)] if others else []), run_time=0.6)
        return strips

    def scores(self) -> None:
        """Every query meets every key; one dot product written out in full."""
        self._clear_rail(*self.strips, *self.query_strips, *self.keys)
        self.show_formula("scores")
        self.table = ScoresStory(self, self.queries, self.keys)
        self.table.play(tokens=self.tokens, queries=self.query_strips, keys=self.keys, others=self.strips)

    def _clear_rail(self, *keep: Mobject) -> None:
        """Only the sentence stays on the rail, and on stage what is kept."""
        self.rail = [each for each in self.rail if not isinstance(each, NumberMatrix)]
        self.clear_stage(*keep)

    def scale(self) -> None:
        """Divide by √d_k."""
        self.show_formula("scale")
        self.table.scale()

    def mask(self) -> None:
        """Words to come must not be seen: −∞."""
        if "masks" in self.facts:
            self.show_formula("mask")
            self.table.mask()

    def softmax(self) -> None:
        """Scores become weights: shift, exp, divide by the sum; lines as wide and dots as large as the weights."""
        self.show_formula("softmax")
        SoftmaxStory(self, self.table.grid, self.table.key_labels).play()
        self.say()

    def value(self) -> None:
        """The third projection: what each token hands over."""
        self.clear_stage()
        self.rail += self.strips
        self.play(motion.appear(*self.strips))
        self.values = ProjectionStory(self, "W_V", "value", self.strips).play()

    def mix(self) -> None:
        """Weight × value for every key, added up; W_O turns the sum into the change ΔE."""
        self._clear_rail(*self.values)
        self.show_formula("mix")
        self.change = MixStory(self, self.values).play()

    def add_(self) -> None:
        """E + ΔE = E′: an arrow set on the tip of another; and what it does to the next word."""
        self.clear_stage(self.change)
        self.show_formula("add" if self.addition.alone else "add_heads")
        AddStory(self, self.addition, self.effect, self.change).play()

    def all(self) -> None:
        """Every token at once, as a few matrix products; then the grid turned over to the paper's form."""
        self._clear_rail()
        self.play(motion.dim(*self.rail))
        self.show_formula("all")
        OverviewStory(self).play()
