"""EmbedUnembed: a word becomes a vector, a vector becomes a guess."""

from __future__ import annotations

from collections.abc import Mapping

from manim import Create, FadeIn

from scenes.kit import frame, motion
from scenes.kit.belt import Belt
from scenes.kit.carry import carry
from scenes.kit.embedding_lookup import EmbeddingLookup
from scenes.kit.frame import Box
from scenes.kit.guess_story import GuessStory
from scenes.kit.journey import Journey
from scenes.kit.journey_panel import JourneyPanel
from scenes.kit.logit_plane import LogitPlane, places_of
from scenes.kit.mark import outline
from scenes.kit.matrix import NumberMatrix
from scenes.kit.next_word import NextWord
from scenes.kit.sentence import large_boxes, large_tokens, typed_sentence
from scenes.kit.staged_scene import StagedScene
from scenes.kit.text import Anchor, Label, Prose
from scenes.kit.texts import Field
from scenes.kit.tokens import TokenBox
from scenes.kit.unembedding import Unembedding
from scenes.kit.vocabulary_softmax import VocabularySoftmax

BREATH = 0.8
"""A short stillness within a beat."""


class EmbedUnembed(StagedScene):
    """A word becomes a vector, a vector becomes a guess: the way in and the way out of a language model."""

    name = "embedding"
    beats = ("belt", "tokens", "lookup", "through", "unembed", "softmax", "guess")
    default_model = "glass"
    poster = "belt"
    prompt_key = "answer_prompt"
    about_head = False

    def setup(self) -> None:
        """Follow the last position: it makes the next guess."""
        super().setup()
        self.position = len(self.trace.spec.ids) - 1
        self.journey = Journey(self.trace, self.position)
        self.guess_of = NextWord(self.trace, self.position)

    @property
    def fields(self) -> Mapping[str, Field]:
        """What the captions may quote."""
        spec, guess, journey = self.trace.spec, self.guess_of, self.journey
        best, second = guess.ranking[:2]
        cold, own, hot = guess.panels
        return {
            "n_tokens": len(spec.ids),
            "n_words": len(spec.vocabulary),
            "n_layers": spec.config.layer_count,
            "d_model": spec.config.d_model,
            "last": spec.tokens[-1],
            "last_id": spec.ids[-1],
            "best": spec.vocabulary[best],
            "best_zh": self._glossed(spec.vocabulary[best]),
            "second": spec.vocabulary[second],
            "score_first": journey.score(journey.stops[0], best),
            "score_last": journey.score(journey.last, best),
            "size_first": journey.stops[0].size,
            "size_last": journey.last.size,
            "p_best": own.words[0],
            "p_not": guess.not_best if guess.not_best is not None else own.total,
            "p_cold": cold.words[0],
            "p_hot": hot.words[0],
        }

    def _glossed(self, word: str) -> str:
        """A word with its meaning in Chinese, where the model's card has one."""
        meaning = self.trace.spec.card.get("gloss", {}).get(word)
        return f"{word}（{meaning}）" if meaning and word.isascii() else word

    @property
    def facts(self) -> frozenset[str]:
        """Which caption variants hold for this model and prompt."""
        config = self.trace.spec.config
        stated = {
            "positions": config.positions != "none",
            "post": config.norm_order == "post",
            "tied": config.tied,
            "columns": self.flow.columns,
            "several": len(self.trace.spec.vocabulary) > self.guess_of.count,
        }
        return frozenset(name for name, holds in stated.items() if holds)

    def belt(self) -> None:
        """The whole machine: its ends large, its middle quiet."""
        large = self.legend.large(Box(0.88, 7.25, 14.4, 0.4))
        belt = Belt(self.journey, self.guess_of, theme=self.theme, word=self.word)
        first, second, third = belt.cargo
        self.play(motion.appear(large), run_time=0.6)
        self.play(motion.appear(belt.entrance, shift=[0.3, 0, 0]))
        self.play(motion.appear(belt.embed, belt.arrows[0]))
        self.play(FadeIn(first, target_position=belt.embed.get_center()), run_time=motion.MOVE)
        self.play(motion.appear(belt.position))
        self.play(carry(first, second, leave=True))
        self.play(motion.appear(belt.layers, belt.arrows[1]))
        self.play(carry(second, third, leave=True), run_time=0.8)
        self.play(motion.appear(belt.unembed, belt.arrows[2]))
        self.play(motion.appear(belt.exit, shift=[0.3, 0, 0]), run_time=0.6)
        self.rest()
        self.play(motion.dim(belt.layers, share=0.45))
        self.rest()
        self.play(motion.vanish(large, run_time=0.3), motion.appear(self.legend))

    def tokens(self) -> None:
        """The prompt as it is typed, then cut, each piece with its number in the vocabulary."""
        spec = self.trace.spec
        self.clear_stage()
        self.play(motion.appear(typed_sentence(spec.prompt, y=2.75, theme=self.theme)))
        meanings = [self.gloss(place) for place in range(len(spec.tokens))]
        boxes = large_boxes(spec.tokens, top=3.85)
        if boxes[-1].top > boxes[0].top:
            boxes = large_boxes(spec.tokens, top=3.45, step=1.4 if any(meanings) else 1.25)
        self.pieces = large_tokens(spec.tokens, boxes, theme=self.theme)
        ids = [
            Label(str(number), size=frame.NUMBER_SIZE, color=self.theme.note).place(box.centre[0], box.bottom + 0.3)
            for number, box in zip(spec.ids, boxes, strict=True)
        ]
        self.play(motion.appear(*self.pieces, lag=0.3, shift=[0, -0.4, 0]), run_time=1.2)
        self.rest()
        glosses = [
            self._note(text, box.centre[0], box.bottom + 0.62) for text, box in zip(meanings, boxes, strict=True)
        ]
        self.play(motion.appear(*ids, *[each for each in glosses if each.text], lag=0.3), run_time=0.8)
        bottom = boxes[-1].bottom + (0.25 if any(meanings) else 0.0)
        for text, y in (("tokens_ids", bottom + 1.0), ("tokens_honest", bottom + 1.5)):
            if y < frame.WORK.bottom:
                note = Label(self.word(text, n=len(spec.vocabulary)), size=frame.LABEL_SIZE, color=self.theme.note)
                self.play(motion.appear(note.place(frame.WIDTH / 2, y)))

    def _note(self, text: str, x: float, y: float, anchor: Anchor = "center") -> Prose:
        return Prose(text, size=frame.NOTE_SIZE, color=self.theme.note).place(x, y, anchor)

    def lookup(self) -> None:
        """The last token's column of W_E lifts out and turns into data; its position is stamped on."""
        spec = self.trace.spec
        sentence = [
            TokenBox(text, box=self.flow.label(place), theme=self.theme, position=place)
            for place, text in enumerate(spec.tokens)
        ]
        moves = [carry(old, new) for old, new in zip(self.pieces, sentence, strict=True)]
        gone = self.on_stage(*self.pieces)
        self.play(*moves, motion.vanish(*gone), run_time=0.8)
        followed = outline(self.flow.label(self.position), self.theme.text, pad=0.03, width=4)
        self.rail = [*sentence, followed]
        panel = EmbeddingLookup(self.trace, position=self.position, flow=self.flow, theme=self.theme, word=self.word)
        table = panel.table
        self.show_formula("lookup" if "positions" in self.facts else "lookup_bare")
        self.play(motion.appear(followed))
        chosen = table.vectors[panel.id]
        others = [each for each in table.vectors.values() if each is not chosen]
        names = [each for word, each in table.names.items() if word != panel.id]
        self.play(motion.appear(*others, *names, table.gaps, table.names[panel.id], chosen, lag=0.05), run_time=1.2)
        mark = outline(chosen.box, self.theme.role("weight"), pad=0.04, width=4)
        self.play(motion.appear(mark, panel.name_of_matrix))
        self.rest()
        lifted = panel.lifted()
        self.add(lifted)
        self.play(carry(lifted, panel.token), motion.appear(panel.symbols[0]), run_time=1.2)
        self.rest()
        self.say()
        self.play(motion.dim(*others, *names, table.gaps, share=0.5))
        if panel.place is not None and panel.sum is not None:
            self.play(motion.appear(panel.place, panel.stamp, panel.symbols[1], panel.signs[0], shift=[0, -0.5, 0]))
            self.rest()
            self.play(motion.appear(panel.sum, panel.symbols[2], panel.signs[1]))
        self.vector: NumberMatrix = panel.sum if panel.sum is not None else panel.token

    def through(self) -> None:
        """The last position's vector through the layers, and its walk in the plane of two words' scores."""
        self.clear_stage(self.vector)
        self.show_formula("through_post" if "post" in self.facts else "through")
        panel = JourneyPanel(self.journey, flow=self.flow, theme=self.theme, word=self.word)
        plane = self._plane()
        first, *rest = panel.columns
        self.play(carry(self.vector, first.vector), motion.appear(first.heading, first.size, panel.note), run_time=0.8)
        self.play(motion.appear(plane.axes, plane.diagonal, plane.legend, *panel.dots))
        self.play(motion.appear(*plane.arrival(0)))
        places = {stop: number for number, stop in enumerate(self.journey.walk)}
        reached = 0
        for column in rest:
            if column.stop.kind == "change":
                self.play(motion.appear(column.vector, column.heading, column.size, shift=[0, -0.25, 0]))
                continue
            self.play(motion.appear(column.vector, column.heading, column.size))
            for number in range(reached, places[column.stop]):
                if len(plane.steps[number]):
                    self.play(Create(plane.steps[number]), run_time=motion.MOVE)
                self.play(motion.appear(*plane.arrival(number + 1)))
            reached = places[column.stop]
            self.rest(BREATH)
        self.play(motion.appear(plane.reading))
        self.vector = panel.columns[-1].vector

    def _plane(self) -> LogitPlane:
        best, second = self.guess_of.ranking[:2]
        words = self.trace.spec.vocabulary
        return LogitPlane(
            places_of(self.journey, (best, second)),
            words=(words[best], words[second]),
            box=Box(9.3, 2.3, 5.9, 5.25) if self.flow.columns else Box(8.0, 3.7, 6.0, 3.9),
            theme=self.theme,
            word=(
                self.word("through_score"),
                self.word("through_leads", best=words[best]),
                self.word("through_added"),
                self.word("through_norm"),
            ),
        )

    def unembed(self) -> None:
        """The last vector meets each word's weights: one dot product in full, then the logits."""
        self.clear_stage(self.vector)
        self.show_formula("unembed")
        panel = Unembedding(self.journey, self.guess_of, flow=self.flow, theme=self.theme, word=self.word)
        best = panel.table.vectors[self.guess_of.best]
        self.play(carry(self.vector, panel.vector), motion.appear(panel.symbols[0]), run_time=0.8)
        self.play(motion.appear(panel.table, *panel.symbols[1:3]), run_time=0.6)
        mark = outline(best.box, self.theme.role("weight"), pad=0.03, width=4)
        weights, vector, terms = panel.rows
        self.play(motion.appear(mark))
        self.play(carry(best, weights, leave=True), run_time=0.8)
        self.play(carry(panel.vector, vector, leave=True), motion.appear(panel.signs[0]), run_time=0.8)
        self.rest()
        self.play(motion.appear(terms, panel.signs[1]))
        self.rest()
        self.play(motion.appear(panel.sum))
        self.rest()
        self.play(carry(panel.sum[-1], panel.logits[0], leave=True), motion.appear(*panel.symbols[3:]))
        if panel.logits[1:]:
            self.play(motion.appear(*panel.logits[1:], lag=0.2), run_time=0.8)
        text = self.word("unembed_tied" if "tied" in self.facts else "unembed_own")
        place = (1.1, 7.34) if self.flow.columns else (2.75, 2.7)
        self.play(motion.appear(self._note(text, *place, anchor="left")))
        self.logits = panel.logits

    def softmax(self) -> None:
        """exp, divide by the sum, bars; then the same logits at other temperatures."""
        panel = VocabularySoftmax(self.guess_of, columns=self.flow.columns, theme=self.theme, word=self.word)
        logits, shifted, powers = (panel.steps[name] for name in panel.steps)
        self.clear_stage(*self.logits)
        self.show_formula("softmax")
        arrive = [carry(old, new) for old, new in zip(self.logits, logits, strict=True)]
        heads = panel.headings
        self.play(*arrive, motion.appear(panel.names, panel.over, heads["logits"]), run_time=0.8)
        self.play(motion.appear(shifted, heads["logits_shifted"]))
        self.play(motion.appear(powers, heads["logits_exp"]))
        self.play(motion.appear(panel.sum))
        self.rest()
        own = panel.panels[1]
        self.play(motion.appear(panel.divide))
        self.play(motion.appear(*own.lines, own.ticks, lag=0.15), run_time=1.2)
        self.play(motion.appear(panel.totals[1]))
        self.rest(2.0)
        self.say()
        gone = [shifted, powers, heads["logits_shifted"], heads["logits_exp"], panel.sum, panel.divide]
        self.play(motion.vanish(*gone, *panel.over[self.guess_of.count :]))
        self.show_formula("temperature")
        self.play(motion.appear(panel.titles[1]))
        for number in (0, 2):
            bars = panel.panels[number]
            self.play(motion.appear(panel.titles[number], *bars.lines, bars.ticks, panel.totals[number]), run_time=0.6)
            self.rest()
        self.bars = panel

    def guess(self) -> None:
        """The likeliest word is appended, and the machine runs again; the whole way in one line."""
        GuessStory(self, self.journey, self.guess_of, self.bars).play()
