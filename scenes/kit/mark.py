"""Marks: an outline around what is talked about, in the colour of its role."""

from __future__ import annotations

from scenes.kit.frame import Box
from scenes.kit.rounded import Rounded


def outline(box: Box, colour: str, *, pad: float = 0.04, width: float = 3.0) -> Rounded:
    """A rounded outline around a box."""
    return Rounded(
        width=box.width + 2 * pad,
        height=box.height + 2 * pad,
        radius=min(0.07, box.height / 2),
        centre=box.centre,
        stroke_color=colour,
        stroke_width=width,
        fill_opacity=0,
        z_index=5,
    )
