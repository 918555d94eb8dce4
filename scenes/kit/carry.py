"""A vector goes to another place: the same numbers leave one spot and arrive at the other, never counting."""

from __future__ import annotations

from manim import FadeIn, FadeOut, Mobject, Transform
from manim.animation.composition import AnimationGroup

from scenes.kit import motion

SOON = 0.25
"""The share of the way after which what travels has its own colours, so that the eye can follow it."""


def carry(old: Mobject, new: Mobject, *, run_time: float = motion.MOVE, leave: bool = False) -> AnimationGroup:
    """``old`` travels to ``new`` and becomes it; with ``leave`` it stays, and ``new`` comes out of it."""
    share = _share(old, new)
    arriving = Arrive(new, target_position=old.get_center(), scale=share, run_time=run_time)
    if leave:
        return AnimationGroup(arriving)
    leaving = Leave(old, target_position=new.get_center(), scale=1 / share, run_time=run_time)
    return AnimationGroup(leaving, arriving)


class Arrive(FadeIn):
    """A fade in on the way that is over after the first part of it."""

    def interpolate_submobject(
        self, submobject: Mobject, starting_submobject: Mobject, target_copy: Mobject, alpha: float
    ) -> Transform:
        """The place after ``alpha``, the colours ahead of it."""
        super().interpolate_submobject(submobject, starting_submobject, target_copy, alpha)
        submobject.interpolate_color(starting_submobject, target_copy, min(1.0, alpha / SOON))
        return self


class Leave(FadeOut):
    """A fade out on the way that begins when what arrives is there, and is over soon after."""

    def interpolate_submobject(
        self, submobject: Mobject, starting_submobject: Mobject, target_copy: Mobject, alpha: float
    ) -> Transform:
        """The place after ``alpha``, the colours as long as they are needed."""
        super().interpolate_submobject(submobject, starting_submobject, target_copy, alpha)
        gone = min(1.0, max(0.0, alpha / SOON - 1))
        submobject.interpolate_color(starting_submobject, target_copy, gone)
        return self


class Enter(FadeOut):
    """A way into something else: what travels keeps its colours until it is nearly there."""

    def interpolate_submobject(
        self, submobject: Mobject, starting_submobject: Mobject, target_copy: Mobject, alpha: float
    ) -> Transform:
        """The place after ``alpha``, the colours until the last part of it."""
        super().interpolate_submobject(submobject, starting_submobject, target_copy, alpha)
        gone = max(0.0, (alpha - 1) / SOON + 1)
        submobject.interpolate_color(starting_submobject, target_copy, gone)
        return self


def _share(old: Mobject, new: Mobject) -> float:
    """How large the new is to be so as to come out of the old; where one stands and one lies, by their lengths."""
    if not new.height or not new.width:
        return 1.0
    if (old.height > old.width) != (new.height > new.width):
        return max(old.height, old.width) / max(new.height, new.width)
    return min(old.height / new.height, old.width / new.width)
