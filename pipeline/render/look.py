"""A digest of what is on screen: outlines and colours, at a resolution finer than the eye's."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

STEPS = 4
"""Steps in a pixel and in a level of colour."""
OFFSET = 0.2718281828
"""Added before rounding, so that what lies on a round place is not carried over an edge by its last bit."""
INVISIBLE = 0.01


def look_of(scene: Any, *, width: int) -> str:
    """32 hex digits over every visible part in drawing order, for a picture `width` pixels wide.

    The same for two runs of a scene whose pictures cannot be told apart, whether their frames were drawn or skipped.
    """
    from manim import VMobject
    from manim.utils.family import extract_mobject_family_members

    camera = scene.camera
    scale = STEPS * width / camera.frame_width
    running = hashlib.sha256(_rounded(np.asarray(camera.frame_center), scale))
    for part in extract_mobject_family_members(
        scene.mobjects, use_z_index=camera.use_z_index, only_those_with_points=True
    ):
        colours: list[np.ndarray] = []
        if isinstance(part, VMobject):
            fill, stroke = part.get_fill_rgbas(), part.get_stroke_rgbas()
            lined = part.get_stroke_width() > 0 and stroke[:, 3].max(initial=0.0) > INVISIBLE
            if not lined and fill[:, 3].max(initial=0.0) <= INVISIBLE:
                continue
            colours = [fill, *([stroke, np.array([part.get_stroke_width() / 255])] if lined else [])]
        running.update(_rounded(np.asarray(part.points)[:, :2], scale))
        for colour in colours:
            running.update(_rounded(colour, 255 * STEPS))
    return running.hexdigest()[:32]


def _rounded(values: np.ndarray, scale: float) -> bytes:
    return np.floor(values * scale + OFFSET).astype("<i4").tobytes()
