"""A matrix over the vocabulary with one vector for each word: a few words shown, the others counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from manim import VGroup

from scenes.kit import frame
from scenes.kit.elision import elided
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import Label, Prose, TokenText
from scenes.kit.theme import Theme
from scenes.kit.tokens import fit
from transformer_core.trace import Cell

BARE, LIT = 0.46, 0.84
"""How thick a standing vector is: shades alone, and with digits."""


@dataclass(frozen=True)
class Gap:
    """Words that are not shown, and how many they are."""

    words: int


Slot = int | Gap


def around(word: int, *, total: int, first: int = 3, last: int = 2) -> list[Slot]:
    """The first words of a vocabulary, one word in its place, and the last words; gaps between them counted."""
    shown = sorted({*range(min(first, total)), word, *range(max(0, total - last), total)})
    slots: list[Slot] = []
    for place, each in enumerate(shown):
        before = shown[place - 1] if place else -1
        if each - before > 1:
            slots.append(Gap(each - before - 1))
        slots.append(each)
    return slots


class WordTable(VGroup):
    """Vectors of words in role ``role``: side by side with ``across``, else under each other.

    ``vectors`` holds each word's Cells along d_model (``None`` where elided), ``lit`` the words with digits,
    ``strong`` those that are named in bold though they have none; ``more`` gives the text of a
    gap from its count. Where ``ids`` is set each word says its id.
    """

    def __init__(
        self,
        vectors: Mapping[int, Sequence[Cell | None]],
        slots: Sequence[Slot],
        *,
        vocabulary: Sequence[str],
        box: Box,
        across: bool,
        theme: Theme,
        more: Mapping[int, str],
        lit: frozenset[int] = frozenset(),
        strong: frozenset[int] = frozenset(),
        ids: bool = False,
        role: str = "weight",
        size: float = frame.CONTEXT_SIZE,
    ) -> None:
        super().__init__()
        self.box, self.across, self.theme, self.role, self.size = box, across, theme, role, size
        self.slots, self.more = list(slots), more
        self.pitch = (box.width if across else box.height) / len(self.slots)
        self.vectors: dict[int, NumberMatrix] = {}
        self.names: dict[int, VGroup] = {}
        self.gaps = VGroup()
        for place, slot in enumerate(self.slots):
            if isinstance(slot, Gap):
                self.gaps.add(self._gap(place, slot))
                continue
            self.vectors[slot] = self._vector(place, vectors[slot], slot in lit)
            self.names[slot] = self._name(place, vocabulary[slot], slot, ids=ids, strong=slot in lit | strong)
        self.add(*self.vectors.values(), *self.names.values(), self.gaps)

    def middle(self, place: int) -> float:
        """Where a slot's middle is along the words."""
        return (self.box.left if self.across else self.box.top) + (place + 0.5) * self.pitch

    def _vector(self, place: int, cells: Sequence[Cell | None], lit: bool) -> NumberMatrix:
        middle = self.middle(place)
        if self.across:
            thick = min(LIT if lit else BARE, self.pitch * 0.92)
            box = Box(middle - thick / 2, self.box.top, thick, self.box.height)
            grid, axes = [[cell] for cell in cells], ("d_model", "vocab")
        else:
            thick = self.pitch * 0.8
            box = Box(self.box.left, middle - thick / 2, self.box.width, thick)
            grid, axes = [list(cells)], ("vocab", "d_model")
        matrix = NumberMatrix(
            grid,
            box=box,
            role=self.role,
            theme=self.theme,
            down=axes[0],
            across=axes[1],
            size=self.size,
            digits=lit,
            brackets=False,
        )
        return matrix.add(elided(matrix)) if any(cell is None for cell in cells) else matrix

    def _name(self, place: int, word: str, number: int, *, ids: bool, strong: bool) -> VGroup:
        middle, weight = self.middle(place), "strong" if strong else "regular"
        colour = self.theme.text if strong else self.theme.note
        wanted = frame.LABEL_SIZE if strong else frame.NOTE_SIZE
        if self.across:
            size, text = fit(word, Box(0, 0, self.pitch + 0.08, 0.4), wanted)
            name = TokenText(text, size=size, color=colour, weight=weight).place(middle, self.box.top - 0.25)
            label = Label(str(number), size=frame.CONTEXT_SIZE, color=colour).place(middle, self.box.top - 0.56)
        else:
            room = 1.3
            size, text = fit(word, Box(0, 0, room, min(0.4, self.pitch)), wanted)
            right = self.box.left - 0.16
            name = TokenText(text, size=size, color=colour, weight=weight).place(right, middle, "right")
            label = Label(str(number), size=frame.CONTEXT_SIZE, color=colour)
            label.place(right - room - 0.05, middle, "right")
        return VGroup(name, label) if ids else VGroup(name)

    def _gap(self, place: int, gap: Gap) -> VGroup:
        middle = self.middle(place)
        text = Label(self.more[gap.words], size=frame.CONTEXT_SIZE, color=self.theme.note)
        if self.across:
            dots = Prose("⋯", size=frame.NUMBER_SIZE, color=self.theme.note)
            y = self.box.centre[1]
            return VGroup(dots.place(middle, y - 0.16), text.place(middle, y + 0.16))
        return VGroup(text.place(self.box.left + 0.06, middle, "left"))
