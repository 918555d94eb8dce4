"""A scene with a rail that stays, a stage that is cleared from beat to beat, and one formula in its corner."""

from __future__ import annotations

from manim import Mobject

from scenes.kit import frame, motion
from scenes.kit.flow import FORMULA_PLACE, Flow
from scenes.kit.formula import Formula
from scenes.kit.scene import LectureScene


class StagedScene(LectureScene):
    """The base of scenes whose sentence stays in one place while what is computed comes and goes."""

    def setup(self) -> None:
        """Lay out the sentence."""
        super().setup()
        self.flow = Flow(self.brief.layout, len(self.trace.spec.ids))
        self.rail: list[Mobject] = []
        self.formula: Formula | None = None

    def gloss(self, token: int) -> str:
        """What a token means, by the model's card, where it is not in the language of the captions."""
        text = self.trace.spec.tokens[token]
        foreign = any("\u4e00" <= letter <= "\u9fff" for letter in text) != (self.language == "zh")
        return self.trace.spec.card.get("gloss", {}).get(text, "") if foreign else ""

    def show_formula(self, key: str) -> None:
        """Put the beat's formula into its corner."""
        new = Formula(self.texts.formulas[self.brief.layout][key], size=frame.TITLE_SIZE * 1.15, theme=self.theme)
        new.move_to(frame.at(*FORMULA_PLACE), aligned_edge=[1, 0, 0])
        old = [self.formula] if self.formula else []
        self.formula = new
        self.play(motion.replace(old, [new]))

    def on_stage(self, *keep: Mobject) -> list[Mobject]:
        """Everything shown but the rail (tokens, strips), heading, formula, legend and what is kept."""
        stay = {id(each) for each in (*self.rail, *keep, self.legend, self.heading, self.formula, self.burnt)}
        return [each for each in self.mobjects if id(each) not in stay]

    def clear_stage(self, *keep: Mobject) -> None:
        """Fade out everything on stage."""
        if gone := self.on_stage(*keep):
            self.play(motion.vanish(*gone))
