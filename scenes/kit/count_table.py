"""A small table of counts: headings over right-aligned columns, one line for each thing that is compared."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Line, VGroup

from scenes.kit import frame
from scenes.kit.frame import Box
from scenes.kit.text import BoundNumber, Glyphs, Label
from scenes.kit.theme import Theme
from transformer_core.trace import Cell

Entry = Cell | int
"""A number of the model, or a count that names the line."""

HEADING, GAP = 0.5, 0.3
"""The height of the line of headings; the least room between two columns."""


class CountTable(VGroup):
    """``heading`` and ``lines`` are groups of their own; ``marked`` lines are in full colour, the others quiet.

    ``decimals`` are those of the Cells, column by column; a heading too wide for its place is set smaller.
    """

    def __init__(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[Entry]],
        *,
        box: Box,
        theme: Theme,
        decimals: Sequence[int],
        marked: frozenset[int] = frozenset(),
        size: float = frame.NUMBER_SIZE,
        pitch: float = 0.56,
    ) -> None:
        super().__init__()
        self.box, self.theme, self.size = box, theme, size
        pitch = min(pitch, (box.height - HEADING) / max(1, len(rows)))
        texts = [
            [self._entry(entry, places, number in marked) for entry, places in zip(row, decimals, strict=True)]
            for number, row in enumerate(rows)
        ]
        titles = self._titles(headings, texts)
        rights = self._rights([titles, *texts])
        rule = Line(frame.at(box.left, box.top + HEADING), frame.at(box.right, box.top + HEADING))
        self.heading = VGroup(rule.set_stroke(theme.guide, width=2))
        for title, right in zip(titles, rights, strict=True):
            self.heading.add(title.place(right, box.top + HEADING / 2 - 0.02, "right"))
        self.lines = []
        for number, row in enumerate(texts):
            y = box.top + HEADING + (number + 0.5) * pitch + 0.06
            line = VGroup(*(text.place(right, y, "right") for text, right in zip(row, rights, strict=True)))
            self.lines.append(line)
        self.bottom = box.top + HEADING + len(rows) * pitch
        self.add(self.heading, *self.lines)

    def _entry(self, entry: Entry, decimals: int, marked: bool) -> Glyphs:
        colour, weight = (self.theme.text, "strong") if marked else (self.theme.note, "regular")
        if isinstance(entry, Cell):
            return BoundNumber(entry, size=self.size, color=colour, weight=weight, decimals=decimals)
        return Label(str(entry), size=self.size, color=colour, weight=weight)

    def _titles(self, headings: Sequence[str], texts: Sequence[Sequence[Glyphs]]) -> list[Label]:
        """The headings at one size, at which all columns fit side by side."""
        size = frame.LABEL_SIZE
        while True:
            titles = [Label(text, size=size, color=self.theme.note) for text in headings]
            if size <= frame.CONTEXT_SIZE or sum(self._widths([titles, *texts])) <= self._room(titles):
                return titles
            size = max(frame.CONTEXT_SIZE, size * 0.96)

    def _room(self, titles: Sequence[Label]) -> float:
        return self.box.width - GAP * (len(titles) - 1)

    @staticmethod
    def _widths(rows: Sequence[Sequence[Glyphs]]) -> list[float]:
        return [max(text.advance for text in column) for column in zip(*rows, strict=True)]

    def _rights(self, rows: Sequence[Sequence[Glyphs]]) -> list[float]:
        """The right edges of the columns, spread over the box."""
        widths = self._widths(rows)
        gap = (self.box.width - sum(widths)) / max(1, len(widths) - 1)
        edges, pen = [], self.box.left
        for width in widths:
            edges.append(pen + width)
            pen += width + gap
        return edges
