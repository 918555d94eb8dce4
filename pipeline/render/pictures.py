"""The single pictures that a render process leaves in its folder: of the ends of beats, and of a scene that failed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.render.job import DRAWINGS, LAST, STILLS


def write_last(scene: Any) -> None:
    """The picture as it was when the scene failed, for whoever looks into it."""
    from PIL import Image

    draft = Path(f"{LAST}.{os.getpid()}.part")
    with contextlib.suppress(Exception):
        Image.fromarray(scene.renderer.get_frame()).convert("RGB").save(draft, "png")
        os.replace(draft, LAST)


def write_stills(stills: Mapping[str, Any], *, left_out: str) -> None:
    """Write the pixels of beats as PNG; `left_out` is the colour of a ground that is to be transparent, or empty."""
    from PIL import Image

    from pipeline.render.frames import straight

    if stills:
        Path(STILLS).mkdir(exist_ok=True)
    for beat, pixels in stills.items():
        picture = Image.fromarray(straight(pixels, left_out) if left_out else pixels)
        picture.convert("RGBA" if left_out else "RGB").save(Path(STILLS) / f"{beat}.png")


def write_drawings(drawings: Mapping[str, Any]) -> None:
    """Write the outlines of beats."""
    if drawings:
        Path(DRAWINGS).mkdir(exist_ok=True)
    for beat, drawing in drawings.items():
        drawing.save(Path(DRAWINGS) / f"{beat}.npz")
