"""From logits to probabilities: step by step for a few words, then as horizontal bars at three temperatures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from manim import Line, VGroup

from scenes.kit import frame
from scenes.kit.bars import Bars, Reading
from scenes.kit.frame import Box
from scenes.kit.next_word import NextWord, Shares
from scenes.kit.text import BoundNumber, Constant, Glyphs, Label, Prose, TokenText, line
from scenes.kit.theme import Theme
from scenes.kit.tokens import fit
from transformer_core.display import show

STEPS = ("logits", "logits_shifted", "logits_exp")


@dataclass(frozen=True)
class Places:
    """Words run down in columns; in rows they run across above, and down again beside the bars."""

    columns: bool
    lines: int

    @property
    def pitch(self) -> float:
        """The distance between neighbouring words of the bars."""
        return min(0.58, (4.1 if self.columns else 2.6) / self.lines)

    @property
    def top(self) -> float:
        """Where the bars begin."""
        return 2.62 if self.columns else 4.0

    @property
    def left(self) -> float:
        """Where the bars' words begin."""
        return 0.88 if self.columns else 2.5

    def name(self, place: int) -> tuple[float, float]:
        """Where a word stands by its bars: left end and middle."""
        return self.left, self.top + (place + 0.5) * self.pitch

    def panel(self, number: int) -> Box:
        """The bars of one temperature."""
        starts = (3.5, 7.55, 11.6) if self.columns else (3.95, 7.75, 11.55)
        return Box(starts[number], self.top, 3.45, self.lines * self.pitch)

    def step(self, name: str, place: int) -> tuple[float, float]:
        """The right end and middle of one number of the table."""
        number = STEPS.index(name)
        if self.columns:
            return (3.1, 4.55, 5.95)[number], self.top + (place + 0.5) * self.pitch
        pitch = min(1.5, 9.4 / self.lines)
        return 4.95 + (place + 0.68) * pitch, (1.88, 2.25, 2.62)[number]

    def heading(self, name: str) -> tuple[float, float]:
        """Where a step is named: its right end."""
        if self.columns:
            return self.step(name, 0)[0], self.top - 0.3
        return 4.6, self.step(name, 0)[1]

    def word(self, place: int) -> tuple[float, float]:
        """A word over its column of the table, in rows: its right end."""
        return self.step("logits", place)[0] + 0.1, 1.48


class VocabularySoftmax(VGroup):
    """``word`` gives ``softmax_logit``, ``_shifted``, ``_exp``, ``_other`` and ``_rest``."""

    def __init__(self, guess: NextWord, *, columns: bool, theme: Theme, word: Callable[..., str]) -> None:
        super().__init__()
        self.guess, self.theme, self.word_of = guess, theme, word
        self.size = frame.NUMBER_SIZE if columns else frame.LABEL_SIZE
        self.places = Places(columns, len(guess.panels[1].parts))
        self.names = VGroup(*(self._name(place, *self.places.name(place)) for place in range(self.places.lines)))
        self.over = VGroup()
        if not columns:
            for place in range(self.places.lines):
                right, y = self.places.word(place)
                self.over.add(self._name(place, right, y, anchor="right", room=1.3))
        self.steps = {name: self._step(name) for name in STEPS}
        self.headings = {name: self._heading(name) for name in STEPS}
        self.sum = self._sum()
        self.panels = [self._panel(number, shares) for number, shares in enumerate(guess.panels)]
        self.titles = [self._title(number, shares) for number, shares in enumerate(guess.panels)]
        self.totals = [self._total(number, shares) for number, shares in enumerate(guess.panels)]
        self.divide = self._divide()

    def _name(self, place: int, x: float, y: float, *, anchor: str = "left", room: float = 1.35) -> Glyphs:
        if place == self.guess.count:
            text = self.word_of("softmax_other" if self.places.columns else "softmax_rest", n=self.guess.others)
            room = 2.15 if anchor == "left" and self.places.columns else room
            size = min(
                frame.LABEL_SIZE,
                frame.LABEL_SIZE * room / Label(text, size=frame.LABEL_SIZE, color=self.theme.note).advance,
            )
            return Label(text, size=max(size, frame.CONTEXT_SIZE), color=self.theme.note).place(x, y, anchor)
        text = self.guess.trace.spec.vocabulary[self.guess.named[place]]
        size, shown = fit(text, Box(0, 0, room, 0.42), frame.LABEL_SIZE)
        weight = "strong" if place == 0 else "regular"
        return TokenText(shown, size=size, color=self.theme.text, weight=weight).place(x, y, anchor)

    def _step(self, name: str) -> VGroup:
        group, cells = VGroup(), list(self.guess.cells(name))
        rest = self.guess.rest(name) if name == "logits_exp" else None
        if rest is not None:
            cells.append(rest)
        for place, cell in enumerate(cells):
            colour = self.theme.text if place == 0 else self.theme.role("data")
            number = BoundNumber(cell, size=self.size, color=colour, weight="strong" if place == 0 else "regular")
            group.add(number.place(*self.places.step(name, place), "right"))
        return group

    def _heading(self, name: str) -> Prose:
        text = self.word_of({"logits": "softmax_logit", "logits_shifted": "softmax_shifted"}.get(name, "softmax_exp"))
        heading = Prose(text, size=frame.LABEL_SIZE * 0.92, color=self.theme.note)
        return heading.place(*self.places.heading(name), "right")

    def _sum(self) -> VGroup:
        """Σ exp over the whole vocabulary, under its column or after its row."""
        cell = self.guess.trace.cell("logits_sum", position=self.guess.position)
        number = BoundNumber(cell, size=self.size, color=self.theme.text, weight="strong")
        sign = Prose("Σ = " if show(cell).kind == "exact" else "Σ ≈ ", size=self.size, color=self.theme.note)
        right, y = self.places.step("logits_exp", self.places.lines - 1)
        if not self.places.columns:
            line(sign, number, x=right, y=y + 0.4, anchor="right")
            return VGroup(sign, number)
        y += self.places.pitch / 2 + 0.3
        line(sign, number, x=right, y=y, anchor="right")
        rule = Line(frame.at(right - 1.1, y - 0.26), frame.at(right, y - 0.26)).set_stroke(self.theme.guide, width=2)
        return VGroup(sign, number, rule)

    def _divide(self) -> Prose:
        """``÷ Σ`` between the exponentials and the bars."""
        sign = Prose("÷ Σ", size=frame.LABEL_SIZE, color=self.theme.note)
        if self.places.columns:
            return sign.place(6.75, self.places.top - 0.3)
        return sign.place(self.places.panel(1).left, self.places.top - 0.86, "left")

    def _panel(self, number: int, shares: Shares) -> Bars:
        readings = [Reading([], cell, strong=place < self.guess.count) for place, cell in enumerate(shares.parts)]
        return Bars(
            readings,
            box=self.places.panel(number),
            theme=self.theme,
            pitch=self.places.pitch,
            height=self.places.pitch * 0.52,
            names=1e-6,
            size=self.size,
            decimals=shares.decimals,
        )

    def _title(self, number: int, shares: Shares) -> VGroup:
        box = self.places.panel(number)
        before = Prose("T = ", size=frame.LABEL_SIZE, color=self.theme.note)
        text = f"{shares.temperature.value:g}"
        value = Constant(text, size=frame.LABEL_SIZE, color=self.theme.text, weight="strong")
        line(before, value, x=box.left, y=box.top - 0.3)
        return VGroup(before, value)

    def _total(self, number: int, shares: Shares) -> VGroup:
        box, cell = self.places.panel(number), shares.total
        sign = Prose("Σ = " if show(cell).kind == "exact" else "Σ ≈ ", size=frame.LABEL_SIZE, color=self.theme.note)
        value = BoundNumber(cell, size=frame.LABEL_SIZE, color=self.theme.text, decimals=shares.decimals)
        track = self.panels[number].scale_of_probability.full
        line(sign, value, x=box.left + track + 0.14 - sign.advance, y=box.bottom + 0.46)
        return VGroup(sign, value)
