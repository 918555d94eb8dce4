"""Things turn about a point, as a rigid whole, and come to rest where they are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, Mobject, smooth


class Turn(Animation):
    """A mobject comes to its place on a circle: it begins ``angle`` (radians, anticlockwise) before it."""

    def __init__(self, mobject: Mobject, angle: float, *, about: np.ndarray, **kwargs: Any) -> None:
        self.angle, self.about = angle, about
        super().__init__(mobject, introducer=True, rate_func=smooth, **kwargs)

    def create_starting_mobject(self) -> Mobject:
        """The mobject itself: nothing but the points kept by `begin` is needed."""
        return self.mobject  # type: ignore[return-value]

    def begin(self) -> None:
        """Keep every point where it will end."""
        self._own = [(part, np.array(part.points)) for part in self.mobject.family_members_with_points()]
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        """Turn back by what is left of the way."""
        left = self.angle * (self.rate_func(alpha) - 1.0)
        turned = np.array([[np.cos(left), np.sin(left), 0.0], [-np.sin(left), np.cos(left), 0.0], [0.0, 0.0, 1.0]])
        for part, own in self._own:
            part.points = own if alpha >= 1.0 else (own - self.about) @ turned + self.about
