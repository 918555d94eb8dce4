"""Marks: an outline around what is talked about, in the colour of its role."""

from __future__ import annotations

from manim import RoundedRectangle

from scenes.kit import frame
from scenes.kit.frame import Box


def outline(box: Box, colour: str, *, pad: float = 0.04, width: float = 3.0) -> RoundedRectangle:
    """A rounded outline around a box."""
    return RoundedRectangle(
        width=box.width + 2 * pad,
        height=box.height + 2 * pad,
        corner_radius=min(0.07, box.height / 2),
        stroke_color=colour,
        stroke_width=width,
        fill_opacity=0,
        z_index=5,
    ).move_to(frame.at(*box.centre))
