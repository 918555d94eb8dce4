"""Text on screen, each kind of digit declared for what it is.

A ``Glyphs`` is one run of text in one colour, one mobject whose outlines come from the glyph atlas. The audit
asks every visible run what its digits are: a number of the model is a ``BoundNumber``; anything else says so by
its class.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from manim import VMobject

from scenes.kit import frame, glyphs
from scenes.kit.record import ShownCell
from transformer_core.display import show
from transformer_core.trace import Cell

Anchor = Literal["left", "center", "right"]
_SHARE = {"left": 0.0, "center": 0.5, "right": 1.0}


class Glyphs(VMobject):
    """One run of text. Its digits are undeclared: use a subclass for text that has any."""

    def __init__(self, text: str, *, size: float, color: str, weight: str = "regular", **kwargs: Any) -> None:
        super().__init__(stroke_width=0, fill_color=color, fill_opacity=1, **kwargs)
        self.text = text
        self.size = size
        self.weight = weight
        self.points = glyphs.points_at(text, size, 0.0, 0.0, weight=weight)

    @property
    def advance(self) -> float:
        """The width that the text takes in a line, in units."""
        return glyphs.width(self.text, self.size, self.weight)

    def place(self, x: float, y: float, anchor: Anchor = "center") -> Self:
        """Put the text at a place: ``y`` is the middle of its capitals, ``x`` the anchor of its advance width."""
        left = x - self.advance * _SHARE[anchor]
        baseline = frame.at(0, y)[1] - self.size * glyphs.CAP_HEIGHT / 2
        self.points = glyphs.points_at(self.text, self.size, left - frame.WIDTH / 2, baseline, weight=self.weight)
        return self


class Prose(Glyphs):
    """Words without digits: titles, notes, captions."""


class Label(Glyphs):
    """Names an index, a dimension, a step or a count; its digits are not values of the model."""


class TokenText(Glyphs):
    """A token of the prompt, or a word of the vocabulary; its digits are the prompt's own."""


class Constant(Glyphs):
    """A fixed number that belongs to a formula: 10000, a temperature, the d_k under the root."""


class Tick(Glyphs):
    """A number on an axis or in a legend."""


class BoundNumber(Glyphs):
    """One number of the model: the text of a Cell, and nothing else."""

    def __init__(
        self,
        cell: Cell,
        *,
        size: float,
        color: str,
        decimals: int = 2,
        weight: str = "regular",
        prefix: str = "",
        **kwargs: Any,
    ) -> None:
        self.cell = cell
        self.prefix = prefix
        self.decimals = decimals
        shown = show(cell, decimals=decimals)
        self.shown = ShownCell(cell, shown.text, shown.kind)
        super().__init__(prefix + shown.text, size=size, color=color, weight=weight, **kwargs)


class Captioned(Glyphs):
    """A line of caption text whose digits all come from the Cells it quotes."""

    def __init__(self, text: str, quoted: tuple[ShownCell, ...], **kwargs: Any) -> None:
        self.quoted = quoted
        super().__init__(text, **kwargs)


def line(*pieces: Glyphs, x: float, y: float, anchor: Anchor = "left", gap: float = 0.0) -> None:
    """Set several runs one after another on one line, as if they were one text."""
    total = sum(piece.advance for piece in pieces) + gap * (len(pieces) - 1)
    pen = x - total * _SHARE[anchor]
    for piece in pieces:
        piece.place(pen, y, "left")
        pen += piece.advance + gap


def box_of(mobject: VMobject) -> tuple[float, float, float, float]:
    """(left, top, right, bottom) of what a mobject draws, from the frame's top left corner."""
    points = np.concatenate([each.points for each in mobject.family_members_with_points()])
    low, high = points.min(axis=0), points.max(axis=0)
    left, bottom = frame.place_of(low)
    right, top = frame.place_of(high)
    return left, top, right, bottom
