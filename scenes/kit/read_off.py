"""The line that reads waves goes along them: its dots ride on the curves until they stand where they are read."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, VGroup, smooth

from scenes.kit.waves import WaveLanes


class ReadOff(Animation):
    """The reading of ``end`` comes from the position ``start`` of ``lanes``."""

    def __init__(self, lanes: WaveLanes, reading: VGroup, *, start: int, end: int, **kwargs: Any) -> None:
        self.lanes, self.start, self.end = lanes, start, end
        super().__init__(reading, introducer=True, rate_func=smooth, **kwargs)

    def create_starting_mobject(self) -> VGroup:
        """The reading itself: nothing but the points kept by `begin` is needed."""
        return self.mobject  # type: ignore[return-value]

    def begin(self) -> None:
        """Keep where line and dots will stand."""
        self._own = [np.array(part.points) for part in self.mobject]
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        """Show the line at the share ``alpha``, eased, of its way."""
        place = self.start + (self.end - self.start) * self.rate_func(alpha)
        across = self.lanes.x(place) - self.lanes.x(self.end)
        rises = np.subtract(self.lanes.heights(place), self.lanes.heights(self.end))
        for part, own, rise in zip(self.mobject, self._own, (0.0, *rises), strict=True):
            part.points = own + np.array([across, rise, 0.0]) if alpha < 1.0 else own
