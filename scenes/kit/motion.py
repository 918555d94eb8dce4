"""How things move: a few verbs, eased, short, with a lag along the reading direction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from manim import Animation, FadeIn, LaggedStart, Mobject, VMobject, smooth
from manim.animation.composition import AnimationGroup

from scenes.kit.fade import Appear, Vanish

MOVE, FADE, LAG = 0.6, 4 / 15, 0.12
DIM = 0.3
TICK = 1 / 15
"""Every duration is a multiple of this, so that all frame rates that it divides show the same times."""


def on_grid(seconds: float) -> float:
    """The duration rounded to whole ticks, at least one."""
    return max(1, round(seconds / TICK)) * TICK


class Light(Animation):
    """Bring things to a share of their own opacity: 1 lights them, less dims them. Shapes stay as they are."""

    def __init__(self, mobject: Mobject, share: float = 1.0, *, run_time: float = FADE, **kwargs: Any) -> None:
        self.share = share
        super().__init__(mobject, run_time=run_time, rate_func=smooth, **kwargs)

    def create_starting_mobject(self) -> Mobject:
        """The mobject itself: nothing but the opacities kept by `begin` is needed."""
        return self.mobject  # type: ignore[return-value]

    def begin(self) -> None:
        """Remember every part's opacity now and of its own."""
        self.parts = [
            (part, *_own_opacity(part), part.get_fill_opacity(), part.get_stroke_opacity())
            for part in self.mobject.family_members_with_points()
        ]
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        """Go from the opacity now to the share of the own one."""
        eased = self.rate_func(alpha)
        for part, own_fill, own_stroke, fill, stroke in self.parts:
            part.set_fill(opacity=fill + (own_fill * self.share - fill) * eased, family=False)
            part.set_stroke(opacity=stroke + (own_stroke * self.share - stroke) * eased, family=False)


def _own_opacity(part: VMobject) -> tuple[float, float]:
    if not hasattr(part, "own_opacity"):
        part.own_opacity = (part.get_fill_opacity(), part.get_stroke_opacity())
    return part.own_opacity


def dim(*mobjects: Mobject, share: float = DIM, run_time: float = FADE) -> AnimationGroup:
    """Push things back: they stay in place, quieter."""
    return AnimationGroup(*(Light(each, share, run_time=run_time) for each in mobjects))


def light(*mobjects: Mobject, run_time: float = FADE) -> AnimationGroup:
    """Bring dimmed things back to their own colours."""
    return AnimationGroup(*(Light(each, 1.0, run_time=run_time) for each in mobjects))


def appear(*mobjects: Mobject, lag: float = 0.0, run_time: float = FADE, shift: Any = None) -> Animation:
    """Fade things in, one after another where ``lag`` is given (a share of each one's time)."""
    if shift is None:
        fades: list[Animation] = [Appear(each, run_time=run_time) for each in mobjects]
    else:
        fades = [FadeIn(each, run_time=run_time, shift=np.asarray(shift, dtype=float)) for each in mobjects]
    return fades[0] if len(fades) == 1 else LaggedStart(*fades, lag_ratio=lag)


def vanish(*mobjects: Mobject, run_time: float = FADE) -> Animation:
    """Fade things out."""
    fades = [Vanish(each, run_time=run_time) for each in mobjects]
    return fades[0] if len(fades) == 1 else AnimationGroup(*fades)


def replace(old: Iterable[Mobject], new: Iterable[Mobject], run_time: float = FADE) -> Animation:
    """Numbers change by replacement: the old fade out while the new fade in, each already right."""
    return AnimationGroup(
        *(Vanish(each, run_time=run_time) for each in old),
        *(Appear(each, run_time=run_time) for each in new),
    )
