"""What films that play without a player are held to: such an image is loaded whole before it moves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pipeline.publish.formats._film import Film
from transformer_core.errors import CheckFailed

WIDEST = 960
FASTEST = 25
"""Frames a second: GIF counts in hundredths, and browsers slow down what asks for one or two of them."""
LARGEST = 10_000_000
"""Bytes."""


def small_pictures(film: Film) -> Iterator[tuple[np.ndarray, float, float]]:
    """Each picture, at most `WIDEST` pixels wide, with the seconds at which it comes and goes.

    Above `FASTEST` only every second, third … frame is kept, beginning from the end, so that the last one is.
    """
    step = -(-film.frames_per_second // FASTEST)
    at = 0
    for pixels, repeat in film.pictures():
        first, at = at, at + repeat
        begin, end = (_kept_before(frame, film.frames, step) for frame in (first, at))
        if end > begin:
            seconds = [min(kept * step, film.frames) / film.frames_per_second for kept in (begin, end)]
            yield _fitted(pixels), seconds[0], seconds[1]


def check_small(path: Path) -> None:
    """Raises CheckFailed for a file that no page should have."""
    size = path.stat().st_size
    if size > LARGEST:
        told = f"{size / 1e6:.1f} MB, more than {LARGEST / 1e6:.0f} MB: give --format webm, or --quality draft"
        raise CheckFailed(f"format {path.suffix[1:]}", told)


def _kept_before(frame: int, frames: int, step: int) -> int:
    """How many kept frames come before a frame: of every `step` the last, and the very last."""
    return -(-frames // step) if frame == frames else frame // step


def _fitted(pixels: np.ndarray) -> np.ndarray:
    from PIL import Image

    height, width = pixels.shape[:2]
    if width <= WIDEST:
        return pixels
    smaller = (WIDEST, round(height * WIDEST / width))
    return np.asarray(Image.fromarray(pixels).resize(smaller, Image.Resampling.BOX))
