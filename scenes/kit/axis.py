"""An axis: where a value lies on the screen, and the round numbers that its ticks say."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Literal

from manim import Line, VGroup

from scenes.kit import frame
from scenes.kit.text import Tick
from scenes.kit.theme import Theme
from transformer_core.display import show_value

TICK_LENGTH = 0.07


@dataclass(frozen=True)
class AxisScale:
    """A value's place in Manim's units, along x (position) or y (height): ``zero`` + ``unit`` · value."""

    name: str
    zero: float
    unit: float
    channel: Literal["position", "height"] = "position"

    def drawn(self, value: float) -> float:
        """The place of a value."""
        return self.zero + self.unit * value


def nice_step(span: float, *, count: int = 5) -> float:
    """The smallest of 1, 2, 5 × 10ⁿ that cuts ``span`` into at most ``count`` parts."""
    if span <= 0:
        return 1.0
    power = 10.0 ** floor(log10(span / count))
    return next(step * power for step in (1, 2, 5, 10) if span / (step * power) <= count + 1e-9)


def nice_ticks(low: float, high: float, *, count: int = 5) -> list[float]:
    """Round numbers from ``low`` to ``high``, 0 among them where it lies between."""
    step = nice_step(high - low, count=count)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(place * step, 10) for place in range(first, last + 1)]


def tick_text(value: float) -> str:
    """A tick's number with as many decimals as it has, and a true minus."""
    decimals = next((d for d in range(4) if abs(round(value, d) - value) < 1e-9), 4)
    return show_value(value, decimals=decimals, masked=False).text


def axis_line(scale: AxisScale, ticks: list[float], *, y: float, theme: Theme, size: float = frame.NOTE_SIZE) -> VGroup:
    """A horizontal axis at height ``y`` (from the top) through its ticks, numbers below."""
    middle = frame.at(0, y)[1]
    ends = [[scale.drawn(ticks[0]), middle, 0], [scale.drawn(ticks[-1]), middle, 0]]
    group = VGroup(Line(*ends).set_stroke(theme.guide, width=2))
    for value in ticks:
        x = scale.drawn(value)
        mark = Line([x, middle, 0], [x, middle - TICK_LENGTH, 0]).set_stroke(theme.guide, width=2)
        number = Tick(tick_text(value), size=size, color=theme.note)
        group.add(mark, number.place(x + frame.WIDTH / 2, y + TICK_LENGTH + size * 0.62))
    return group
