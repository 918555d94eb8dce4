"""How a slide's room is shared between a scene's pictures and the captions below them.

The captions stand under the legend at the foot of the picture. All slides of a scene are divided alike, so that
nothing jumps from one beat to the next; where a beat has many lines the pictures give way, not the letters.

Places and sizes are in units of the frame: a slide has 16 × 9.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scenes.kit import frame

LARGEST, SMALLEST = 0.88, 0.6
"""The share of a slide's side that a picture may have."""
SIZES = (frame.LABEL_SIZE, 0.24)
"""Of letters: where there are few lines, and where there are more."""
FEW = 3
LEADING = 1.3
GAP = 0.2
"""Between the legend and the captions, and below them."""
ADVANCE = 0.5
"""The mean width of a letter in em, as measured on our captions; of an ideograph it is 1."""


@dataclass(frozen=True)
class Room:
    """The share of the slide's side that a picture has, and the size of the letters below it."""

    share: float
    size: float

    @property
    def left(self) -> float:
        """Where the captions begin: below what is drawn."""
        return round(frame.WIDTH * (1 - self.share) / 2 + frame.MARGIN_X * self.share, 3)

    @property
    def width(self) -> float:
        """How wide they may be."""
        return round(frame.WIDTH - 2 * self.left, 3)

    @property
    def top(self) -> float:
        """Where they begin."""
        return round(frame.LEGEND.bottom * self.share + GAP, 3)


def room_for(captions: Iterable[Sequence[str]]) -> Room:
    """The room of a scene. `captions`: the lines of each of its beats."""
    beats = list(captions)
    size = SIZES[0] if _most(beats, SIZES[0]) <= FEW else SIZES[1]
    left = frame.HEIGHT - 2 * GAP - _most(beats, size) * size * LEADING
    share = math.floor(100 * left / frame.LEGEND.bottom) / 100
    return Room(min(LARGEST, max(SMALLEST, share)), size)


def _most(beats: Iterable[Sequence[str]], size: float) -> int:
    """The lines of the beat that has most, long ones broken."""
    width = Room(LARGEST, size).width
    return max((sum(math.ceil(_advance(line) * size / width) for line in lines) for lines in beats), default=0)


def _advance(line: str) -> float:
    """The width of a line in em."""
    return sum(1 if unicodedata.east_asian_width(sign) in "WF" else ADVANCE for sign in line)
