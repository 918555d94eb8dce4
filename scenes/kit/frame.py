"""The frame: 16 × 9 units, its bands, and the four sizes of type.

Places are given as (x, y) from the top left corner, as in the layouts of a page; ``at`` turns them into
Manim's coordinates. One unit is a ninth of the frame's height.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

WIDTH, HEIGHT = 16.0, 9.0
MARGIN_X, MARGIN_Y = 0.8, 0.45

TITLE_SIZE = HEIGHT / 25
LABEL_SIZE = HEIGHT / 32
NUMBER_SIZE = HEIGHT / 30
NOTE_SIZE = HEIGHT / 42
CONTEXT_SIZE = HEIGHT / 45


def at(x: float, y: float) -> np.ndarray:
    """The Manim point of a place measured from the frame's top left corner."""
    return np.array([x - WIDTH / 2, HEIGHT / 2 - y, 0.0])


def place_of(point: np.ndarray) -> tuple[float, float]:
    """The place, from the top left corner, of a Manim point."""
    return float(point[0] + WIDTH / 2), float(HEIGHT / 2 - point[1])


def within(x: float, width: float) -> float:
    """The middle nearest to ``x`` at which something of that width stays inside the margins."""
    half = width / 2
    return max(MARGIN_X + half, min(x, WIDTH - MARGIN_X - half))


@dataclass(frozen=True)
class Box:
    """A rectangle on the frame: left, top, width, height, in units from the top left corner."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    @property
    def centre(self) -> tuple[float, float]:
        """The middle, as a place."""
        return self.left + self.width / 2, self.top + self.height / 2


TITLE = Box(MARGIN_X, 0.45, 8.4, 0.5)
FORMULA = Box(8.6, 0.40, 6.6, 0.8)
WORK = Box(MARGIN_X, 1.85, 14.4, 5.7)
CAPTION = Box(MARGIN_X, 7.72, 14.4, 0.5)
LEGEND = Box(MARGIN_X, 8.27, 14.4, 0.28)
