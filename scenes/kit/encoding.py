"""Values shown as a shade, an area, a width or a length: computed from a Cell by a named scale.

An ``Encoding`` hangs on the mobject that carries it; the audit reads the drawn size back from the mobject and
compares. Each scale is linear in what the eye compares (area, not radius) and absolute, never fitted to one grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

from transformer_core.trace import Cell

Channel = Literal["shade", "area", "width", "length", "position", "height", "opacity"]


@dataclass(frozen=True)
class ShadeScale:
    """Size of a value in steps: ``level`` counts the thresholds that |value| reaches."""

    name: str = "shade"
    thresholds: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0)
    channel: Channel = "shade"

    def drawn(self, value: float) -> float:
        """The step of the scale, from 0."""
        return float(sum(abs(value) >= threshold for threshold in self.thresholds))


@dataclass(frozen=True)
class LinearScale:
    """``full`` units on the screen for a value of ``maximum``; the drawn size is proportional, from zero."""

    name: str
    channel: Channel
    full: float
    maximum: float = 1.0

    def drawn(self, value: float) -> float:
        """The drawn size in units (for ``area`` the diameter of the dot)."""
        share = value / self.maximum
        return self.full * (sqrt(share) if self.channel == "area" else share)


Scale = ShadeScale | LinearScale


@dataclass(frozen=True)
class Encoding:
    """One Cell, carried by one property of one mobject."""

    cell: Cell
    scale: Scale

    @property
    def drawn(self) -> float:
        """What the property must measure."""
        return self.scale.drawn(self.cell.value)


SHADE = ShadeScale()
