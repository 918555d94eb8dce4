"""What a fixed formula gives, neither learned nor data: grey, in a dashed outline."""

from __future__ import annotations

from manim import DashedVMobject, Rectangle, VGroup

from scenes.kit import frame
from scenes.kit.frame import Box
from scenes.kit.text import Prose
from scenes.kit.theme import Theme

DASH = 0.09


def dashed(box: Box, theme: Theme, *, pad: float = 0.07, width: float = 2.5) -> DashedVMobject:
    """A dashed outline around a box."""
    wide, tall = box.width + 2 * pad, box.height + 2 * pad
    outline = Rectangle(width=wide, height=tall, stroke_color=theme.role("data"), stroke_width=width)
    outline.move_to(frame.at(*box.centre))
    return DashedVMobject(outline, num_dashes=max(8, round((wide + tall) * 2 / (2 * DASH))))


class FixedLegend(VGroup):
    """A small dashed swatch and what it means; ``place`` is its left end, or its right end for ``right``."""

    def __init__(self, text: str, *, place: tuple[float, float], theme: Theme, right: bool = False) -> None:
        super().__init__()
        x, y = place
        words = Prose(text, size=frame.NOTE_SIZE, color=theme.note)
        left = x - words.advance - 0.46 if right else x
        self.add(dashed(Box(left, y - 0.1, 0.34, 0.2), theme, pad=0.0), words.place(left + 0.46, y, "left"))
