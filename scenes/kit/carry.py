"""A vector goes to another place: the same numbers leave one spot and arrive at the other, never counting."""

from __future__ import annotations

from manim import FadeIn, FadeOut, Mobject
from manim.animation.composition import AnimationGroup

from scenes.kit import motion


def carry(old: Mobject, new: Mobject, *, run_time: float = motion.MOVE, leave: bool = False) -> AnimationGroup:
    """``old`` travels to ``new`` and becomes it; with ``leave`` it stays, and ``new`` comes out of it."""
    share = _share(old, new)
    arriving = FadeIn(new, target_position=old.get_center(), scale=share, run_time=run_time)
    if leave:
        return AnimationGroup(arriving)
    leaving = FadeOut(old, target_position=new.get_center(), scale=1 / share, run_time=run_time)
    return AnimationGroup(leaving, arriving)


def _share(old: Mobject, new: Mobject) -> float:
    """How large the old is beside the new: by their heights, or, where one stands and one lies, by their lengths."""
    if not new.height or not new.width:
        return 1.0
    turned = (old.height > old.width) != (new.height > new.width)
    return max(old.height, old.width) / max(new.height, new.width) if turned else old.height / new.height
