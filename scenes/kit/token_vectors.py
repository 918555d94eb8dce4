"""The sentence and what stands for it: a vector under every token, the asking one's in digits, and notes beside."""

from __future__ import annotations

from manim import Mobject

from scenes.kit import frame, glyphs
from scenes.kit.flow import DIGIT_HEIGHT, DIGIT_WIDTH
from scenes.kit.head_scene import HeadScene
from scenes.kit.mark import outline
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import Glyphs, Label, Prose
from scenes.kit.tokens import TokenBox

ADDED_POSITIONS = ("sinusoidal", "learned")
"""The ways of giving a token its place that are in its vector before the first layer reads it."""


class TokenVectors:
    """The parts of the picture; nothing is on stage until the scene brings it."""

    def __init__(self, scene: HeadScene) -> None:
        self.scene, self.flow, self.theme = scene, scene.flow, scene.theme
        self.tokens = [
            TokenBox(text, box=self.flow.label(i), theme=self.theme, position=i)
            for i, text in enumerate(scene.trace.spec.tokens)
        ]
        self.mark = outline(self.flow.label(scene.asking), self.theme.role("query"), pad=0.03, width=4)
        self.vectors = [self._vector(token) for token in range(self.flow.tokens)]
        self.notes: list[Mobject] = [*self._about(), *self._glosses()]

    def question(self, key: str) -> Prose:
        """What the asking token wants to know: the scene's word ``key``, under its vector or above the rows."""
        question = Prose(self.scene.word(key), size=frame.NUMBER_SIZE, color=self.theme.role("query"))
        if self.flow.columns:
            return question.place(frame.within(self.flow.middle(self.scene.asking), question.advance), 6.76)
        return question.place(12.92, 2.3, "right")

    def _about(self) -> list[Glyphs]:
        """How long each vector is, and that the token's place is already in it."""
        config = self.scene.trace.spec.config
        x, y = (0.88, 3.7) if self.flow.columns else (3.0, 2.3)
        text = self.scene.word("numbers_each", d_model=config.d_model)
        notes: list[Glyphs] = [Label(text, size=frame.LABEL_SIZE, color=self.theme.note).place(x, y, "left")]
        if config.positions in ADDED_POSITIONS:
            inside = Prose(self.scene.word("position_inside"), size=frame.NOTE_SIZE, color=self.theme.note)
            notes.append(inside.place(x, y + 0.42, "left"))
        return notes

    def _glosses(self) -> list[Glyphs]:
        """What the words mean, where the prompt is in another language than the captions."""
        asked = [self.scene.asking] if self.flow.crowded else range(self.flow.tokens)
        return [self._gloss(token, text) for token in asked if (text := self.scene.gloss(token))]

    def _gloss(self, token: int, text: str) -> Prose:
        size = min(frame.NOTE_SIZE, frame.NOTE_SIZE * 1.2 / glyphs.width(text, frame.NOTE_SIZE))
        gloss = Prose(text, size=size, color=self.theme.note)
        middle = self.flow.middle(token)
        return gloss.place(middle, 6.34) if self.flow.columns else gloss.place(13.15, middle, "left")

    def _vector(self, token: int) -> NumberMatrix:
        panel = self.scene.projection("W_Q", "query")
        cells = [None if f is None else panel.input_cell(token, f) for f in panel.features]
        start, cell = (2.05, (0.62, 0.25)) if self.flow.columns else (3.0, (DIGIT_WIDTH, DIGIT_HEIGHT))
        down, across = self.flow.vector_axes("position", "d_model")
        return NumberMatrix(
            self.flow.lay(cells),
            box=self.flow.vector(token, len(cells), start=start, cell=cell),
            role="data",
            theme=self.theme,
            down=down,
            across=across,
            digits=token == self.scene.asking,
            brackets=not self.flow.crowded,
        )
