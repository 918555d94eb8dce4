"""How far apart positions are: distances of all pairs as tones, and one wave alone against all of them."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, sin, sqrt

from manim import VGroup

from scenes.kit import frame
from scenes.kit.frame import Box
from scenes.kit.heat import HeatLegend, HeatMap, OpacityScale
from scenes.kit.mark import outline
from scenes.kit.offset_plot import OffsetPlot
from scenes.kit.reading import Reading
from scenes.kit.text import BoundNumber, Prose, Tick, line
from scenes.kit.theme import Theme
from scenes.kit.waves import frequency

HEAT = Box(1.35, 1.85, 5.28, 4.44)
PLOT = Box(8.6, 1.95, 6.4, 4.35)
KEY = 7.05
"""How far down the plot's key stands."""


class PlacesApart:
    """The matrix on the left, the plot on the right, each with names and legend."""

    def __init__(self, reading: Reading, *, theme: Theme, word: Callable[..., str]) -> None:
        self.of, self.theme, self.word = reading, theme, word
        high = 3.0 if reading.d_model <= 20 else 2.0 * reading.d_model**0.5 / 2**0.5
        scale = OpacityScale("distance tone", 0.0, high)
        places = range(reading.shown)
        self.heat = HeatMap([[reading.apart(p, q) for q in places] for p in places], box=HEAT, scale=scale, theme=theme)
        self.heat_legend = HeatLegend(self.heat, word("unique_distance"), place=(HEAT.left, HEAT.bottom + 0.4), steps=4)
        self.names = self._names()
        self.least = self._least()
        offsets = range(reading.farthest + 1)
        together = [reading.apart(0, offset) for offset in offsets]
        self.plot = OffsetPlot(
            together,
            [reading.apart_alone(0, offset) for offset in offsets],
            curves=(self._between(reading.d_model // 2), self._between(1)),
            high=float(ceil(max(cell.value for cell in together))),
            box=PLOT,
            theme=theme,
        )
        self.plot_names = self.plot.names(word("unique_offset"), word("unique_distance_from"))
        self.key = self.plot.key(word("unique_all"), word("unique_one"), place=(PLOT.left + 0.1, KEY))
        self.mark = self.plot.mark(
            reading.twin,
            reading.apart(0, reading.twin),
            reading.apart_alone(0, reading.twin),
            place=(PLOT.left + 4.0, KEY),
            text=word("unique_at", n=reading.twin),
        )

    def _between(self, pairs: int) -> Callable[[float], float]:
        """‖PE(p) − PE(p + k)‖ of the first pairs for any real k: √Σ (2 sin(ω k / 2))²."""
        rates = [frequency(self.of.trace, pair) for pair in range(pairs)]
        return lambda offset: sqrt(sum((2 * sin(rate * offset / 2)) ** 2 for rate in rates))

    def _names(self) -> VGroup:
        group = VGroup()
        for place in range(self.of.shown):
            cell = self.heat.cell_box(place, place)
            size, colour = frame.NOTE_SIZE, self.theme.note
            group.add(Tick(str(place), size=size, color=colour).place(cell.centre[0], HEAT.top - 0.22))
            group.add(Tick(str(place), size=size, color=colour).place(HEAT.left - 0.16, cell.centre[1], "right"))
        group.add(Prose("p", size=frame.LABEL_SIZE, color=self.theme.note).place(HEAT.left - 0.3, HEAT.top - 0.22))
        return group.add(
            Prose("q", size=frame.LABEL_SIZE, color=self.theme.note).place(HEAT.right + 0.2, HEAT.top - 0.22)
        )

    def _least(self) -> VGroup:
        p, q = self.of.least_pair
        marks = VGroup(
            *(outline(self.heat.cell_box(*place), self.theme.text, pad=0.0, width=4) for place in {(p, q), (q, p)})
        )
        words = Prose(self.word("unique_least") + " ", size=frame.NUMBER_SIZE, color=self.theme.text)
        number = BoundNumber(self.of.least, size=frame.NUMBER_SIZE, color=self.theme.text, weight="strong")
        line(words, number, x=HEAT.left, y=HEAT.bottom + 1.1)
        return VGroup(marks, words, number)
