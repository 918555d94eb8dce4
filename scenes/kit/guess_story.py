"""The guess as a short story: the likeliest word leaves the bars for the sentence; then the whole way in one line."""

from __future__ import annotations

from dataclasses import dataclass

from manim import Create, FadeOut

from scenes.kit import frame, motion
from scenes.kit.carry import carry
from scenes.kit.journey import Journey
from scenes.kit.next_word import NextWord
from scenes.kit.one_line import OneLine
from scenes.kit.sentence import large_boxes, large_tokens
from scenes.kit.staged_scene import StagedScene
from scenes.kit.text import BoundNumber, Prose, line
from scenes.kit.tokens import TokenBox
from scenes.kit.vocabulary_softmax import VocabularySoftmax

CLEAR = 0.45
"""How far under the large sentence the likeliest word's bar is at least."""


@dataclass
class GuessStory:
    """Plays the guess from the bars that are on stage."""

    scene: StagedScene
    journey: Journey
    guess: NextWord
    bars: VocabularySoftmax

    def play(self) -> None:
        """The sentence becomes large, the word goes to its end, the machine's way is drawn under it."""
        self._make_room()
        self.scene.show_formula("guess")
        self._join()
        self.scene.rest()
        self._whole_way()

    def _make_room(self) -> None:
        """The sentence grows; of the bars only that of the likeliest word stays."""
        scene, spec = self.scene, self.scene.trace.spec
        self.word = spec.vocabulary[self.guess.best]
        self.boxes = large_boxes([*spec.tokens, self.word], top=1.5, step=0.72)
        sentence = large_tokens(spec.tokens, self.boxes[:-1], theme=scene.theme)
        names, likeliest = self.bars.names, self.bars.panels[1].lines[0]
        stage = [*scene.on_stage(names, likeliest), *names[1:]]
        *tokens, followed = scene.rail
        scene.rail = []
        moves = [carry(old, new) for old, new in zip(tokens, sentence, strict=True)]
        down = self.boxes[-1].bottom + CLEAR - self.bars.places.name(0)[1]
        if down > 0:
            moves += [each.animate.shift([0, -down, 0]) for each in (names[0], likeliest)]
        scene.play(motion.vanish(*stage), *moves, FadeOut(followed), run_time=0.8)

    def _join(self) -> None:
        """The word and its probability go to the end of the sentence."""
        scene, theme, box = self.scene, self.scene.theme, self.boxes[-1]
        new = TokenBox(
            self.word,
            box=box,
            theme=theme,
            position=len(scene.trace.spec.ids),
            role="probability",
            size=frame.TITLE_SIZE,
        )
        new.outline.set_stroke(theme.role("probability"), width=4)
        p = Prose("P ≈ ", size=frame.NUMBER_SIZE, color=theme.note)
        share = self.guess.probability(self.guess.best)
        decimals = self.guess.panels[1].decimals
        number = BoundNumber(share, size=frame.NUMBER_SIZE, color=theme.text, weight="strong", decimals=decimals)
        line(p, number, x=box.centre[0], y=box.bottom + 0.3, anchor="center")
        *bar, shown = self.bars.panels[1].lines[0]
        moves = carry(self.bars.names[0], new, run_time=0.8), carry(shown, number, run_time=0.8)
        scene.play(*moves, motion.vanish(*bar), motion.appear(p))

    def _whole_way(self) -> None:
        """Word, vector, refined vector, guess: each comes out of the one before."""
        scene, box = self.scene, self.boxes[-1]
        end = (box.centre[0], box.bottom + 0.66)
        whole = OneLine(self.journey, self.guess, end=end, theme=scene.theme, word=scene.word)
        scene.play(motion.appear(whole.stations[0]))
        for before, way, station in zip(whole.stations, whole.arrows, whole.stations[1:], strict=False):
            thing, name = station
            out = carry(before[0], thing, leave=True)
            scene.play(motion.appear(way, shift=[0.2, 0, 0]), out, motion.appear(name))
        scene.play(Create(whole.back), run_time=motion.MOVE)
