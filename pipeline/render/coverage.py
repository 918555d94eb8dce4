"""What an outline covers, kept: a fill that is seen through is not worked out again while only its colour changes."""

from __future__ import annotations

import cairo

from pipeline.render.camera import CairoPath
from pipeline.render.damage import Rectangle

SEEN_THROUGH = 0.99
"""Below this opacity cairo itself works out the coverage first and then lays the colour on through it: the very same
bytes. An opaque colour (from 255/256 on) it mixes in another way, which rounds differently."""


class Coverage:
    """How much of each pixel of a place lies inside a path."""

    def __init__(self, path: CairoPath, view: tuple[float, ...], place: Rectangle, size: tuple[int, int]) -> None:
        """`view` starts with cairo's matrix; of the place only what lies in a picture of `size` is kept."""
        self._left, self._top = max(0, place.left), max(0, place.top)
        width, height = min(size[0], place.right) - self._left, min(size[1], place.bottom) - self._top
        self._surface = cairo.ImageSurface(cairo.FORMAT_A8, width, height)
        # Moved by whole pixels after the matrix, no place is rounded in another way than in the picture.
        self._surface.set_device_offset(-self._left, -self._top)
        context = cairo.Context(self._surface)
        context.set_matrix(cairo.Matrix(*view[:6]))
        path.become_current(context)
        context.fill()
        self._surface.set_device_offset(0, 0)

    def fill(self, context: cairo.Context) -> None:
        """Lay the context's colour on, as filling the path would."""
        context.save()
        context.identity_matrix()
        context.mask_surface(self._surface, self._left, self._top)
        context.restore()
