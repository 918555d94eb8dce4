"""A sheet is turned over its diagonal: columns become rows, and every dot keeps its size."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import PI, Animation, Mobject
from manim.utils.space_ops import rotation_matrix

DIAGONAL = np.array([1.0, -1.0, 0.0])
"""From the top left to the bottom right corner: half a turn about it exchanges rows and columns."""


class TurnOver(Animation):
    """A copy of ``old`` turns about its diagonal on the way to the place of ``new``, and is ``new`` there."""

    def __init__(self, old: Mobject, new: Mobject, *, run_time: float = 1.6, **kwargs: Any) -> None:
        self.middle = old.get_center()
        self.way = new.get_center() - self.middle
        super().__init__(old.copy(), introducer=True, remover=True, run_time=run_time, **kwargs)

    def interpolate_submobject(self, submobject: Mobject, starting_submobject: Mobject, alpha: float) -> TurnOver:
        """The share ``alpha`` of the turn and of the way."""
        turned = rotation_matrix(alpha * PI, DIAGONAL)
        submobject.points = (starting_submobject.points - self.middle) @ turned.T + self.middle + alpha * self.way
        submobject.points[:, 2] = 0.0
        return self
