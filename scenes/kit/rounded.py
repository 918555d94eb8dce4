"""Rectangles with rounded corners: Manim's `RoundedRectangle`, whose outline is made once for each size."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from manim import RoundedRectangle, VMobject

from scenes.kit import frame


class Rounded(VMobject):
    """A rectangle around the place ``centre`` whose corners are arcs of ``radius``; ``style`` as for any VMobject."""

    def __init__(
        self, *, width: float, height: float, radius: float, centre: tuple[float, float], **style: Any
    ) -> None:
        super().__init__(**style)
        points, middle = _outline(width, height, radius)
        self.points = points + (frame.at(*centre) - middle)


@cache
def _outline(width: float, height: float, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """The points of such a rectangle around Manim's origin, and their middle."""
    shape = RoundedRectangle(width=width, height=height, corner_radius=radius)
    return shape.points, shape.get_center()
