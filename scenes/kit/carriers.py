"""What carries an encoding, and how its drawn size is read back from the mobject itself.

A mobject that stands for values has an ``encodings`` attribute: a tuple of Encodings (one for a simple shape), or
a method for a matrix of shaded cells. ``measure`` reads the property from the points and the style as they are now.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from manim import Mobject

from scenes.kit.encoding import Encoding
from scenes.kit.matrix import NumberMatrix


@dataclass(frozen=True)
class Carried:
    """One encoding and the mobject (and grid place) that carries it."""

    mobject: Mobject
    encoding: Encoding
    place: tuple[int, int] | None = None


def carried_by(mobject: Mobject) -> list[Carried]:
    """Every encoding that a mobject itself carries (not its parts)."""
    if isinstance(mobject, NumberMatrix):
        return [Carried(mobject, encoding, (row, column)) for row, column, encoding in mobject.encodings()]
    return [Carried(mobject, encoding) for encoding in getattr(mobject, "encodings", ())]


def measure(carried: Carried) -> float:
    """The size that is drawn now: diameter, stroke width in units, length along its direction, place along x or y."""
    mobject, channel = carried.mobject, carried.encoding.scale.channel
    if channel == "width":
        return mobject.get_stroke_width() / 100
    if channel == "area":
        return mobject.width
    if channel == "length":
        ends = getattr(mobject, "ends", None)
        if ends is not None:
            return float(np.linalg.norm(ends[1] - ends[0]))
        return max(mobject.width, mobject.height)
    if channel == "position":
        return float(mobject.get_center()[0])
    if channel == "height":
        return float(mobject.get_center()[1])
    raise ValueError(f"channel {channel} is measured on its grid")
