"""MultiHead: the same mechanism several times over, and what each copy looks at."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from manim import AnimationGroup, LaggedStart, Mobject, Transform

from scenes.kit import motion
from scenes.kit.arcs import QUIET
from scenes.kit.carry import carry
from scenes.kit.concat_story import ConcatStory
from scenes.kit.copies_story import CopiesStory
from scenes.kit.head_costs import head_costs
from scenes.kit.head_grids import HeadGrids
from scenes.kit.head_scene import HeadScene
from scenes.kit.mark import outline
from scenes.kit.one_head import OneHead
from scenes.kit.relation import relation_facts, relation_fields
from scenes.kit.relation_story import RelationStory
from scenes.kit.texts import Field
from scenes.kit.tokens import TokenBox
from scenes.kit.trained_heads import TrainedHeads, trained_facts, trained_fields, trained_heads
from scenes.kit.why_story import WhyStory


class MultiHead(HeadScene):
    """Several small heads read the same sentence, each in its own way; their changes are added up."""

    name = "multihead"
    beats = ("one", "copies", "grids", "relations", "concat", "why")
    default_model = "relations"
    companions = ("heads1", "heads4", "heads8", "heads16")
    default_claim = "relation.subject"
    poster = "relations"
    about_head = False

    @property
    def fields(self) -> Mapping[str, Field]:
        """What the captions may quote."""
        config = self.trace.spec.config
        return {
            "query": self.trace.spec.tokens[self.asking],
            "head": self.head + 1,
            "n_heads": config.head_count,
            "n_tokens": len(self.trace.spec.ids),
            "d_model": config.d_model,
            "d_head": config.d_head,
            "products": head_costs(self.trace)[-1].products,
            "key": self.trace.spec.tokens[self.best_key],
            "weight": self.attention("pattern", self.asking, self.best_key),
            **relation_fields(self.heads_story.relations, self.layer),
            **self.heads_story.spoken,
            **trained_fields(self.trained),
        }

    @property
    def facts(self) -> frozenset[str]:
        """Which caption variants hold."""
        stated = {
            "causal": self.trace.spec.config.causal,
            "looks_away": self.best_key != self.asking,
            "columns": self.flow.columns,
            **relation_facts(self.heads_story.relations, self.layer, self.trace.spec.config.head_count),
            **trained_facts(self.trained),
        }
        return frozenset(name for name, holds in stated.items() if holds)

    @cached_property
    def heads_story(self) -> RelationStory:
        """The heads that the beat ``relations`` sets side by side."""
        return RelationStory(self)

    @cached_property
    def trained(self) -> tuple[TrainedHeads, ...]:
        """The models that the beat ``why`` compares."""
        return trained_heads(self.trace, self.companions)

    def one(self) -> None:
        """One head's pattern as arcs over the sentence: word by word, then the asking one's in numbers."""
        tokens = self.trace.spec.tokens
        panel = OneHead(
            lambda query, key: self.attention("pattern", query, key),
            tokens=tokens,
            asking=self.asking,
            theme=self.theme,
            word=self.word,
            gloss=self.gloss,
            name=self.heads_story.name_of(self.layer, self.head),
        )
        self.play(motion.appear(*panel.tokens, lag=0.2), motion.appear(self.legend), run_time=0.8)
        self.play(motion.appear(panel.name, *panel.glosses, panel.legend))
        seconds = min(0.6, 5.4 / len(tokens))
        quiet, lit = self.theme.faint("pattern", QUIET), self.theme.role("pattern")
        mark = panel.mark(0)
        self.play(motion.appear(mark))
        before: list[Mobject] = []
        for query in range(len(tokens)):
            back = [arcs.animate.set_stroke(color=quiet) for arcs in before]
            self.play(Transform(mark, panel.mark(query)), *back, run_time=0.2)
            self.play(panel.arcs.grow(query, run_time=seconds))
            before = [panel.arcs.of[query]]
            if query == len(tokens) // 2:
                self.say()
        self.say()
        asked = panel.arcs.of[self.asking]
        back = [arcs.animate.set_stroke(color=quiet) for arcs in before if arcs is not asked]
        to = Transform(mark, panel.mark(self.asking))
        self.play(to, asked.animate.set_stroke(color=lit), *back, run_time=0.6)
        asked.set_z_index(2)
        self.play(motion.appear(*panel.looked_at, panel.takes))

    @property
    def bias_or_not(self) -> str:
        """How the name of a formula ends: attention with biases has one more term."""
        return "_bias" if self.trace.spec.config.attention_bias else ""

    def show_sentence(self) -> None:
        """The sentence goes to the place where scenes of one head have it, on an empty stage."""
        old = list(dict.fromkeys([*self.rail, *self.on_stage()]))
        boxes = {each.position: each for each in old if isinstance(each, TokenBox)}
        tokens = [
            TokenBox(text, box=self.flow.label(i), theme=self.theme, position=i)
            for i, text in enumerate(self.trace.spec.tokens)
        ]
        asking = outline(self.flow.label(self.asking), self.theme.role("query"), pad=0.03, width=4)
        self.rail = [*tokens, asking]
        moves = [carry(boxes[new.position], new) if new.position in boxes else motion.appear(new) for new in tokens]
        gone = [each for each in old if each not in boxes.values()]
        self.play(*moves, *([motion.vanish(*gone)] if gone else []), run_time=0.6)
        self.play(motion.appear(asking))

    def copies(self) -> None:
        """The head several times over, each copy with its own small matrices."""
        self.show_sentence()
        self.show_formula("copies" + self.bias_or_not)
        story = CopiesStory(self)
        story.play()
        self.small_grids = story.grids

    def _put_away(self, *keep: Mobject) -> None:
        """Empty the stage but for what is kept, the sentence and the formula too."""
        gone = dict.fromkeys([*self.rail, *([self.formula] if self.formula else []), *self.on_stage(*keep)])
        self.rail, self.formula = [], None
        if gone:
            self.play(motion.vanish(*gone))

    def grids(self) -> None:
        """Every head's pattern as a small grid of dots."""
        self._put_away(*self.small_grids.values())
        heads = range(self.trace.spec.config.head_count)
        panel = HeadGrids(
            self.trace,
            layer=self.layer,
            flow=self.flow,
            theme=self.theme,
            asking=self.asking,
            names=[self.word("head", head=head + 1) for head in heads],
            notes=self.heads_story.kinds_of(self.layer),
        )
        axes = self.word("grids_columns" if self.flow.columns else "grids_rows")
        self.play(motion.appear(*panel.words, panel.legend(self.word("grids_area"), axes)))
        small = self.small_grids
        arrive = [
            AnimationGroup(carry(small[head], grid) if head in small else motion.appear(grid), motion.appear(name))
            for head, (grid, name) in enumerate(zip(panel.grids, panel.names, strict=True))
        ]
        self.play(LaggedStart(*arrive, lag_ratio=0.25), run_time=1.6)
        self.rest()
        self.play(motion.appear(*panel.marks))
        if panel.notes:
            self.say()
            self.play(motion.appear(*panel.notes, lag=0.3), run_time=0.8)

    def relations(self) -> None:
        """Three heads under each other as arcs."""
        self._put_away()
        self.heads_story.play()

    def concat(self) -> None:
        """The heads' outputs side by side through W_O, and the same sum head by head."""
        self.show_sentence()
        self.show_formula(("concat" if "several" in self.facts else "concat_one") + self.bias_or_not)
        ConcatStory(self).play()

    def why(self) -> None:
        """Losses of models with different numbers of heads."""
        self.rail, gone = [], [*self.rail, *self.on_stage(), *([self.formula] if self.formula else [])]
        self.formula = None
        self.play(motion.vanish(*dict.fromkeys(gone)))
        WhyStory(self, self.trained).play()
