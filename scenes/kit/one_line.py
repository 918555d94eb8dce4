"""The whole way in one line: word, vector, refined, decoded, with what leads from each to the next."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from manim import ArcBetweenPoints, Polygon, VGroup

from scenes.kit import frame
from scenes.kit.belt import arrow
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.journey import Journey, Stop
from scenes.kit.matrix import NumberMatrix
from scenes.kit.next_word import NextWord
from scenes.kit.text import Label, Prose
from scenes.kit.theme import Theme
from scenes.kit.tokens import TokenBox

TALL, STARTS, WIDE = 2.1, (0.95, 5.0, 8.85, 12.75), 2.3


class OneLine(VGroup):
    """``stations`` from the word to the guess, ``arrows`` between them, ``back`` from the guess to ``end``.

    ``word`` gives ``guess_word``, ``guess_vector``, ``guess_refined``, ``guess_decoded`` and ``guess_layers``.
    """

    def __init__(
        self, journey: Journey, guess: NextWord, *, end: tuple[float, float], theme: Theme, word: Callable[..., str]
    ) -> None:
        super().__init__()
        self.top = max(4.2, end[1] + 0.6)
        self.theme, self.word = theme, word
        spec, position = journey.trace.spec, journey.position
        self.stations = [
            VGroup(self._token(0, spec.tokens[position], position, "data")),
            VGroup(self._vector(1, journey.stops[0])),
            VGroup(self._vector(2, journey.last)),
            VGroup(self._token(3, spec.vocabulary[guess.best], position + 1, "probability")),
        ]
        for number, key in enumerate(("word", "vector", "refined", "decoded")):
            name = Prose(word(f"guess_{key}"), size=frame.NUMBER_SIZE, color=theme.text)
            self.stations[number].add(name.place(self._middle(number), self.top + TALL + 0.42))
        layers = Label(word("guess_layers", n=spec.config.layer_count), size=frame.LABEL_SIZE, color=theme.note)
        steps = [Formula("@weight(W_E)", size=frame.TITLE_SIZE, theme=theme), layers]
        steps.append(Formula("@weight(W_U)", size=frame.TITLE_SIZE, theme=theme))
        self.arrows = [self._arrow(number, step) for number, step in enumerate(steps)]
        self.back = self._back(end)
        self.add(*self.stations, *self.arrows, self.back)

    def _middle(self, number: int) -> float:
        return STARTS[number] + WIDE / 2

    def _token(self, number: int, text: str, position: int, role: str) -> TokenBox:
        box = Box(STARTS[number], self.top + TALL / 2 - 0.34, WIDE, 0.68)
        return TokenBox(text, box=box, theme=self.theme, position=position, role=role, size=frame.TITLE_SIZE)

    def _vector(self, number: int, stop: Stop) -> NumberMatrix:
        return NumberMatrix(
            [[cell] for cell in stop.cells[:16]],
            box=Box(self._middle(number) - 0.25, self.top, 0.5, TALL),
            role="data",
            theme=self.theme,
            down="d_model",
            across="position",
            digits=False,
        )

    def _arrow(self, number: int, step: Formula | Label) -> VGroup:
        reach = (WIDE / 2 + 0.15, 0.55, 0.55)[number]
        until = (0.55, 0.55, WIDE / 2 + 0.15)[number]
        start, end = self._middle(number) + reach, self._middle(number + 1) - until
        y = self.top + TALL / 2
        if isinstance(step, Label):
            step.place((start + end) / 2, y - 0.32)
        else:
            step.move_to(frame.at((start + end) / 2, y - 0.36))
        return VGroup(arrow(start, end, y, self.theme), step)

    def _back(self, end: tuple[float, float]) -> VGroup:
        """From the guess up to its place in the sentence."""
        colour = self.theme.role("probability")
        start, stop = frame.at(self._middle(3), self.top + TALL / 2 - 0.46), frame.at(*end)
        bend = 0.0 if abs(start[0] - stop[0]) < 0.3 else float(np.sign(start[0] - stop[0])) * 0.5
        arc = ArcBetweenPoints(start, stop, angle=bend).set_stroke(colour, width=4)
        tangent = stop - arc.point_from_proportion(0.93)
        tangent /= np.linalg.norm(tangent)
        aside = np.array([-tangent[1], tangent[0], 0.0]) * 0.1
        tip = Polygon(stop + tangent * 0.12, stop - tangent * 0.1 + aside, stop - tangent * 0.1 - aside, stroke_width=0)
        return VGroup(arc, tip.set_fill(colour, opacity=1))
