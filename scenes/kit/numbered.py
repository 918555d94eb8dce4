"""A symbol with a number as its subscript: the letter is a formula, the number a label that counts."""

from __future__ import annotations

import numpy as np
from manim import VGroup

from scenes.kit import frame
from scenes.kit.formula import Formula
from scenes.kit.text import Label
from scenes.kit.theme import Theme

SHARE = 0.68
"""The em of the subscript, as a share of the letter's."""


class Numbered(VGroup):
    """``source`` (Typst maths), centred on a place with ``number`` below its right end in the role's colour."""

    def __init__(
        self, source: str, number: int, *, place: tuple[float, float], size: float, theme: Theme, role: str
    ) -> None:
        super().__init__()
        letter = Formula(source, size=size, theme=theme)
        index = Label(str(number), size=max(size * SHARE, frame.CONTEXT_SIZE), color=theme.role(role))
        wide = letter.width + 0.02 + index.advance
        letter.move_to(frame.at(place[0] - wide / 2, place[1]), aligned_edge=np.array([-1.0, 0, 0]))
        index.place(place[0] + wide / 2, place[1] + size * 0.32, "right")
        self.add(letter, index)
