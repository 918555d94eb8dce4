"""The effect of a head's ΔE, drawn: the next word's probability with and without it, every word's logit."""

from __future__ import annotations

from collections.abc import Callable

from manim import VGroup

from scenes.kit import frame
from scenes.kit.bars import Bars, Reading
from scenes.kit.effect import Effect
from scenes.kit.frame import Box
from scenes.kit.strip_plot import StripPlot
from scenes.kit.text import Constant, Glyphs, Prose, TokenText, line
from scenes.kit.theme import Theme
from transformer_core.trace import Cell

Word = Callable[..., str]


class EffectPanel(VGroup):
    """Bars above, dots below.

    ``word`` gives ``add_next``, ``add_next_most``, ``add_with``, ``add_without``,
    ``add_change`` and ``add_change_all``.
    """

    def __init__(self, effect: Effect, *, bars: Box, dots: Box, theme: Theme, word: Word) -> None:
        super().__init__()
        self.effect, self.theme, self.word = effect, theme, word
        self.heading = self._heading(bars)
        self.bars = self._bars(Box(bars.left, bars.top + 0.34, bars.width, bars.height - 0.34))
        key = "add_change" if effect.claimed else "add_change_all"
        title = Prose(word(key), size=frame.NOTE_SIZE, color=theme.note).place(dots.left, dots.top, "left")
        self.dots_heading = title
        self.dots = StripPlot(
            [(each.text, each.change) for each in effect.group],
            named=frozenset(each.text for each in effect.named),
            box=Box(dots.left, dots.top + 0.22, dots.width, dots.height - 0.22),
            theme=theme,
        )
        self.add(self.heading, *self.bars, self.dots_heading, self.dots)

    def _heading(self, box: Box) -> VGroup:
        """What the bars measure: P of the words that depend on the named ones."""
        size = frame.LABEL_SIZE
        key = "add_next" if self.effect.claimed else "add_next_most"
        before = Prose(self.word(key), size=size, color=self.theme.note)
        pieces: list[Glyphs] = [before]
        if self.effect.claimed:
            for number, each in enumerate(self.effect.dependents):
                if number:
                    pieces.append(Prose(" / ", size=size, color=self.theme.note))
                pieces.append(TokenText(each.text, size=size, color=self.theme.text, weight="strong"))
            pieces.append(Prose(")", size=size, color=self.theme.note))
        share = min(1.0, box.width / (sum(piece.advance for piece in pieces) * 1.01))
        if share < 1.0:
            pieces = [type(p)(p.text, size=size * share, color=p.get_fill_color(), weight=p.weight) for p in pieces]
        line(*pieces, x=box.left, y=box.top)
        return VGroup(*pieces)

    def _bars(self, box: Box) -> list[Bars]:
        def readings(given: Cell, cut: Cell) -> list[Reading]:
            return [Reading(self._name(True), given), Reading(self._name(False), cut, strong=False)]

        if self.effect.claimed:
            pitch = min(0.9, box.height / 2.2)
            given = readings(self.effect.given, self.effect.cut)
            return [Bars(given, box=box, theme=self.theme, pitch=pitch, height=min(0.32, pitch * 0.36))]
        groups, share = [], box.height / 2
        names = max(sum(piece.advance for piece in self._name(given)) for given in (True, False)) + 0.15
        for number, each in enumerate(self.effect.dependents):
            top = box.top + number * share
            word = TokenText(each.text, size=frame.LABEL_SIZE * 0.9, color=self.theme.text, weight="strong")
            word.place(box.left, top + 0.14, "left")
            bars = Bars(
                readings(each.given, each.cut),
                box=Box(box.left, top + 0.28, box.width, share - 0.28),
                theme=self.theme,
                pitch=(share - 0.32) / 2,
                height=0.17,
                names=names,
                size=frame.LABEL_SIZE,
            )
            bars.lines[0].add(word)
            groups.append(bars)
        return groups

    def _name(self, given: bool) -> list[Glyphs]:
        size, colour = frame.LABEL_SIZE if self.effect.claimed else frame.NOTE_SIZE, self.theme.text
        if given:
            return [Prose(self.word("add_with"), size=size, color=colour)]
        without = Prose(self.word("add_without"), size=size, color=colour)
        return [without, Constant("0", size=size, color=colour)]
