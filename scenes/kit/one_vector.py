"""Two sentences, one vector: a word stands in both, and what attention gives it is the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, VGroup

from scenes.kit import frame
from scenes.kit.elision import elided
from scenes.kit.flow import window
from scenes.kit.frame import Box
from scenes.kit.pair import SENTENCES, PairPicture
from scenes.kit.text import BoundNumber, Glyphs, Label, Prose, TokenText, line

LARGEST = 0.95
"""The em of a short sentence's words."""
SMALLEST = 0.42
"""The em below which a long sentence is cut instead."""
ROOM = 5.0
"""The width that one sentence may take."""


class OneVector(VGroup):
    """The sentences large, left and right; between them the one vector of the followed word.

    ``roles`` are what the word is in each; ``note`` names the vector, ``difference`` the number below it.
    """

    def __init__(self, picture: PairPicture, *, roles: Sequence[str], note: str, difference: str) -> None:
        super().__init__()
        self.picture, self.theme, self.pair = picture, picture.theme, picture.pair
        self.columns = picture.geometry.columns
        self.vector = self._vector()
        lines = [self._sentence(sentence) for sentence in SENTENCES]
        self.sentences = [VGroup(*words) for words, _ in lines]
        self.marked = [marked for _, marked in lines]
        self.roles = [self._role(text, glyphs) for text, glyphs in zip(roles, self.marked, strict=True)]
        self.arrows = VGroup(*(self._arrow(sentence) for sentence in SENTENCES))
        self.note = self._note(note)
        self.difference = self._difference(difference)
        self.add(*self.sentences, *self.roles, self.arrows, self.vector, self.note, self.difference)

    def _vector(self):
        cells = self.pair.of_token(0, "out", self.pair.followed)
        shown = window(len(cells), shown=16 if self.columns else 12)
        kept = [None if entry is None else cells[entry] for entry in shown]
        if self.columns:
            box = Box(7.45, 2.1, 1.1, len(kept) * 0.27)
        else:
            box = Box(8.0 - len(kept) * 0.39, 5.2, len(kept) * 0.78, 0.44)
        matrix = self.picture.matrix(kept, box, digits=True, size=frame.LABEL_SIZE * 0.88)
        return matrix.add(*elided(matrix))

    def _sentence(self, sentence: int) -> tuple[list[Glyphs], Glyphs]:
        """The words in a line, and the followed one; of a long sentence, the words around that one."""
        words, followed = self.pair.words(sentence), self.pair.place(sentence, self.pair.followed)
        spaced = 0.22 if all(word.isascii() for word in words) else 0.12
        first, last = followed, followed + 1
        while (first > 0 or last < len(words)) and self._wide(words[first:last], spaced) * SMALLEST < ROOM * 0.8:
            first, last = max(0, first - 1), min(len(words), last + 1)
        wide = self._wide(words[first:last], spaced) + 2 * (first > 0) + 2 * (last < len(words))
        size = min(LARGEST, ROOM / wide)
        pieces: list[Glyphs] = [self._word(words[i], size, strong=i == followed) for i in range(first, last)]
        marked = pieces[followed - first]
        if first > 0:
            pieces.insert(0, Prose("…", size=size, color=self.theme.note))
        if last < len(words):
            pieces.append(Prose("…", size=size, color=self.theme.note))
        line(*pieces, x=(3.4, 12.6)[sentence], y=3.9 if self.columns else 2.6, anchor="center", gap=spaced * size)
        return pieces, marked

    def _wide(self, words: Sequence[str], spaced: float) -> float:
        """The width of some words at an em of 1."""
        return sum(self._word(word, 1.0, strong=False).advance + spaced for word in words)

    def _word(self, word: str, size: float, *, strong: bool) -> TokenText:
        colour, weight = (self.theme.text, "strong") if strong else (self.theme.note, "regular")
        return TokenText(word, size=size, color=colour, weight=weight)

    def _role(self, text: str, word: Glyphs) -> Label:
        x, y = frame.place_of(word.get_center())
        return Label(text, size=frame.NUMBER_SIZE, color=self.theme.text).place(x, y - word.size * 0.62 - 0.24)

    def _arrow(self, sentence: int) -> VGroup:
        word, box = self.marked[sentence], self.vector.box
        x, y = frame.place_of(word.get_center())
        y += word.size * 0.5 + 0.12
        if self.columns:
            corner, end = (x, 5.35), (box.left - 0.28 if sentence == 0 else box.right + 0.28, 5.35)
        else:
            corner, end = (x, box.centre[1]), (box.left - 0.28 if sentence == 0 else box.right + 0.28, box.centre[1])
            if (corner[0] - end[0]) * (1 if sentence else -1) < 0.2:
                inside = min(max(x, box.left + 0.3), box.right - 0.3)
                corner, end = (inside, y), (inside, box.top - 0.2)
        places = [frame.at(x, y), frame.at(*corner), frame.at(*end)]
        along = (places[2] - places[1]) / max(float(np.linalg.norm(places[2] - places[1])), 1e-9)
        aside = np.array([-along[1], along[0], 0.0])
        head = [Line(places[2], places[2] - along * 0.16 + side * aside * 0.1) for side in (1, -1)]
        shaft = Line(places[0], places[1]), Line(places[1], places[2])
        return VGroup(*shaft, *head).set_stroke(self.theme.text, width=4)

    def _note(self, text: str) -> Prose:
        note = Prose(text, size=frame.LABEL_SIZE, color=self.theme.note)
        box = self.vector.box
        return note.place(8.0, box.top - 0.3)

    def _difference(self, text: str) -> VGroup:
        words = Prose(text + " ", size=frame.NUMBER_SIZE * 1.2, color=self.theme.text)
        number = BoundNumber(
            self.pair.apart[self.pair.followed], size=frame.NUMBER_SIZE * 1.5, color=self.theme.text, weight="strong"
        )
        line(words, number, x=8.0, y=self.vector.box.bottom + 0.5, anchor="center")
        return VGroup(words, number)
