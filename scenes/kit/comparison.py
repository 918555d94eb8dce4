"""One word's vector in two sentences, side by side, entry by entry; and how far every word's two lie apart."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Line, VGroup

from scenes.kit import frame
from scenes.kit.bars import Bar
from scenes.kit.elision import elided
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.flow import window
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.pair import PairPicture
from scenes.kit.text import BoundNumber, Glyphs, Label, Prose, TokenText
from transformer_core.trace import Cell

MOST = {"columns": 4, "rows": 5}
"""So many words have a bar of their own."""
PANEL = {"columns": Box(10.75, 1.5, 4.45, 6.0), "rows": Box(8.95, 1.62, 6.25, 5.85)}


class Comparison(VGroup):
    """first − second = difference for the followed word; below, each word's distance as a bar and a number.

    ``headings`` name the two sentences and the difference; ``note`` says what the bars measure.
    """

    def __init__(self, picture: PairPicture, *, headings: Sequence[str], note: str, more: str) -> None:
        super().__init__()
        self.picture, self.theme, self.pair = picture, picture.theme, picture.pair
        self.box = PANEL[picture.geometry.layout]
        word = self.pair.words(0)[self.pair.followed]
        sides = [self.pair.of_token(sentence, "out", self.pair.followed) for sentence in (0, 1)]
        self.vectors = [self._vector(cells, place) for place, cells in enumerate((*sides, self.pair.differences))]
        self.vectors[2].brackets.set_stroke(self.theme.text)
        self.title = TokenText(word, size=frame.NUMBER_SIZE * 1.2, color=self.theme.text, weight="strong")
        self.headings = [self._heading(text, place) for place, text in enumerate(headings)]
        self.signs = VGroup(*(self._sign(text, place) for place, text in enumerate(("−", "="))))
        self.note, self.lines = self._lines(note, more)
        self._place_title()
        self.add(self.title, *self.vectors, *self.headings, self.signs, self.note, *self.lines)

    @property
    def columns(self) -> bool:
        """Whether vectors stand."""
        return self.picture.geometry.columns

    def _vector_box(self, place: int, length: int) -> Box:
        if self.columns:
            return Box(self.box.left + 0.12 + place * 1.62, self.box.top + 0.86, 0.85, min(3.36, length * 0.25))
        return Box(self.box.right - length * 0.64 - 0.06, self.box.top + 0.5 + place * 0.98, length * 0.64, 0.44)

    def _vector(self, cells: Sequence[Cell], place: int) -> NumberMatrix:
        shown = window(len(cells), shown=16 if self.columns else 8)
        kept = [None if entry is None else cells[entry] for entry in shown]
        matrix = self.picture.matrix(kept, self._vector_box(place, len(kept)), digits=True)
        matrix.add(*elided(matrix))
        return matrix

    def _heading(self, text: str, place: int) -> Prose:
        heading = Prose(text, size=frame.NOTE_SIZE, color=self.theme.note)
        box = self.vectors[place].box
        if self.columns:
            return heading.place(box.centre[0], box.top - 0.24)
        return heading.place(box.left - 0.2, box.centre[1], "right")

    def _sign(self, text: str, place: int) -> Prose:
        sign = Prose(text, size=frame.NUMBER_SIZE * 1.2, color=self.theme.text)
        left, right = self.vectors[place].box, self.vectors[place + 1].box
        if self.columns:
            return sign.place((left.right + right.left) / 2, left.centre[1])
        return sign.place(left.centre[0], (left.bottom + right.top) / 2)

    def _place_title(self) -> None:
        if self.columns:
            self.title.place(self.vectors[0].box.right + 0.385, self.box.top + 0.2)
        else:
            self.title.place(self.box.left, self.box.top + 0.12, "left")

    def _lines(self, note: str, more: str) -> tuple[VGroup, list[VGroup]]:
        tokens = list(range(self.pair.tokens))
        most = MOST[self.picture.geometry.layout]
        moved = [token for token in tokens if self.pair.place(1, token) != token]
        first = dict.fromkeys([self.pair.followed, *moved, *tokens])
        shown = tokens if len(tokens) <= most else sorted(list(first)[: most - 1])
        top = self.vectors[2].box.bottom + (0.42 if self.columns else 0.6)
        heading = VGroup(Prose(note, size=frame.NOTE_SIZE, color=self.theme.note).place(self.box.left, top, "left"))
        if len(shown) < len(tokens):
            rest = Label(more, size=frame.NOTE_SIZE, color=self.theme.note)
            heading.add(rest.place(self.box.right, top, "right"))
        pitch = min(0.5, (self.box.bottom - top - 0.2) / len(shown))
        size, words = min(frame.LABEL_SIZE, pitch * 0.85), self.pair.words(0)
        names = [TokenText(words[token], size=size, color=self.theme.text) for token in shown]
        names_wide = max(name.advance for name in names) + 0.2
        largest = max((cell.value for cell in self.pair.apart), default=0.0)
        full = self.box.width - names_wide - 1.25
        maximum = next(step for step in (1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 1e6) if largest <= step)
        scale = LinearScale("distance", "length", full=full, maximum=maximum)
        lines = []
        for row, (token, name) in enumerate(zip(shown, names, strict=True)):
            y = top + 0.22 + (row + 0.5) * pitch
            lines.append(self._line(token, name, y, names_wide, pitch, scale))
        return heading, lines

    def _line(self, token: int, name: Glyphs, y: float, names: float, pitch: float, scale: LinearScale) -> VGroup:
        left, cell, height = self.box.left + names, self.pair.apart[token], min(0.26, pitch * 0.6)
        line = VGroup(name.place(self.box.left, y, "left"))
        line.add(Line(frame.at(left, y - height / 2), frame.at(left, y + height / 2)).set_stroke(self.theme.guide, 2))
        reach = scale.drawn(cell.value)
        if reach > 0.01:
            colour = self.theme.role("data") if token == self.pair.followed else self.theme.faint("data", 0.6)
            line.add(Bar(left, y, height=height, colour=colour, encoding=Encoding(cell, scale)))
        size = min(frame.NUMBER_SIZE * 1.1, pitch * 0.85)
        number = BoundNumber(cell, size=size, color=self.theme.text, weight="strong")
        line.add(number.place(left + reach + 0.14, y, "left"))
        return line
