"""Lines are drawn: from left to right, as pens draw side by side on one strip of paper, or each from its start."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, Mobject, VMobject

from scenes.kit.fade import COLOURS


class Pen(Animation):
    """Curves grow as far as the pen is, filled shapes come to light when it has passed them.

    The curves are graphs: a share of a curve's length from its left end is the same share of its width.
    """

    def __init__(self, mobject: Mobject, **kwargs: Any) -> None:
        super().__init__(mobject, introducer=True, **kwargs)

    def create_starting_mobject(self) -> Mobject:
        """The mobject itself: nothing but what `begin` keeps is needed."""
        return self.mobject  # type: ignore[return-value]

    def begin(self) -> None:
        """Keep every part's shape, colours and place."""
        parts = [part for part in self.mobject.family_members_with_points() if isinstance(part, VMobject)]
        self._parts = [_Part(part) for part in parts]
        self._left = min(part.left for part in self._parts)
        self._right = max(part.right for part in self._parts)
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        """Show what lies left of the pen."""
        pen = self._left + (self._right - self._left) * self.get_sub_alpha(alpha, 0, 1)
        for part in self._parts:
            part.show(pen)


class _Part:
    """One curve or shape, and how much of it is shown."""

    def __init__(self, mobject: VMobject) -> None:
        self.mobject, self.whole = mobject, mobject.copy()
        self.left, self.right = (float(edge) for edge in (mobject.points[:, 0].min(), mobject.points[:, 0].max()))
        self.filled = mobject.get_fill_opacity() > 0
        self.colours = {name: np.array(getattr(mobject, name)) for name in COLOURS}
        self.shown = -1.0

    def show(self, pen: float) -> None:
        """As much as lies left of the pen."""
        share = float(np.clip((pen - self.left) / max(self.right - self.left, 1e-9), 0.0, 1.0))
        if share == self.shown:
            return
        self.shown = share
        light = share if self.filled else float(share > 0.0)
        for name, own in self.colours.items():
            setattr(self.mobject, name, own * (1.0, 1.0, 1.0, light))
        if not self.filled and 0.0 < share < 1.0:
            self.mobject.pointwise_become_partial(self.whole, 0.0, share)
        elif not self.filled:
            self.mobject.points = np.array(self.whole.points)


class Reach(Animation):
    """The straight lines of one mobject, each of four points, reach from their starts to their ends together."""

    def __init__(self, mobject: VMobject, **kwargs: Any) -> None:
        super().__init__(mobject, introducer=True, **kwargs)

    def create_starting_mobject(self) -> Mobject:
        """The mobject itself: nothing but the points kept by `begin` is needed."""
        return self.mobject  # type: ignore[return-value]

    def begin(self) -> None:
        """Keep every point, and the start of its line."""
        self._own = np.array(self.mobject.points)
        self._starts = np.repeat(self._own[::4], 4, axis=0)
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        """Show the share ``alpha``, eased, of every line."""
        share = self.get_sub_alpha(alpha, 0, 1)
        self.mobject.points = self._own if share >= 1.0 else self._starts + share * (self._own - self._starts)
