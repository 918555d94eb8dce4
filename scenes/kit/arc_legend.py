"""What the width of an arc stands for, and how much weight is too little to be drawn."""

from __future__ import annotations

from manim import Line, VGroup

from scenes.kit import frame
from scenes.kit.dots import LEGEND, QUIET
from scenes.kit.encoding import LinearScale
from scenes.kit.ribbons import THINNEST
from scenes.kit.text import BoundNumber, Constant, Prose, Tick, line
from scenes.kit.theme import Theme
from transformer_core.trace import Cell

SAMPLE = 0.5


class ArcLegend(VGroup):
    """On one line: samples for 1, 0.5 and 0.1, what they measure, and the sum of what is left out.

    ``left_out`` are the words before and after the threshold.
    """

    def __init__(
        self,
        scale: LinearScale,
        undrawn: Cell | None,
        *,
        text: str,
        left_out: tuple[str, str],
        place: tuple[float, float],
        theme: Theme,
        size: float = frame.NOTE_SIZE,
        all_heads: bool = False,
    ) -> None:
        super().__init__()
        self.all_heads, (pen, y), ink = all_heads, place, theme.note
        for value in LEGEND:
            sample = Line(frame.at(pen, y), frame.at(pen + SAMPLE, y))
            self.add(sample.set_stroke(theme.faint("pattern", QUIET), width=100 * scale.drawn(value)))
            tick = Tick(f"{value:g}", size=size, color=ink)
            self.add(tick.place(pen + SAMPLE + 0.08, y, "left"))
            pen += SAMPLE + 0.08 + tick.advance + 0.26
        name = Prose(text, size=size, color=ink)
        self.add(name.place(pen, y, "left"))
        self.right = pen + name.advance
        if undrawn is not None:
            self._leave_out(undrawn, left_out, y=y, theme=theme, size=size)

    def _leave_out(self, undrawn: Cell, words: tuple[str, str], *, y: float, theme: Theme, size: float) -> None:
        number = BoundNumber(undrawn, size=size, color=theme.text)
        number.all_heads = self.all_heads
        pieces = (
            Prose(words[0] + " ", size=size, color=theme.note),
            Constant(f"{THINNEST:g}", size=size, color=theme.note),
            Prose(f" {words[1]} Σ ", size=size, color=theme.note),
            number,
        )
        line(*pieces, x=frame.WIDTH - frame.MARGIN_X, y=y, anchor="right")
        self.add(*pieces)
