"""The colours of a GIF: those seen most as they are, the rest by median cut; each pixel gets the nearest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

SIZE = 255
"""One less than a GIF may have: the last is the one that leaves a pixel as it was in the picture before."""
AS_THEY_ARE = 96
"""How many of the commonest colours are kept exactly: grounds, cells, texts, which cover all but the edges."""
CHUNK = 4096


@dataclass(frozen=True)
class Palette:
    """`colours` [colour, 3]; `nearest` [2**24]: for every colour that is in the film, its place in them."""

    colours: np.ndarray
    nearest: np.ndarray

    @classmethod
    def of(cls, pictures: Iterable[np.ndarray]) -> Self:
        """The palette of all pictures, RGBA [height, width, 4], together."""
        counts = np.zeros(1 << 24, np.int64)
        for pixels in pictures:
            packed, count = np.unique(_packed(pixels), return_counts=True)
            counts[packed] += count
        seen = np.flatnonzero(counts)
        order = seen[np.argsort(-counts[seen], kind="stable")]
        common = order if len(order) <= SIZE else order[:AS_THEY_ARE]
        colours = _unpacked(common)
        if len(common) < len(order):
            rest = order[AS_THEY_ARE:]
            colours = np.concatenate([colours, _median_cut(_unpacked(rest), counts[rest], SIZE - AS_THEY_ARE)])
        nearest = np.zeros(1 << 24, np.uint8)
        for start in range(0, len(order), CHUNK):
            some = order[start : start + CHUNK]
            apart = _unpacked(some)[:, None].astype(np.int32) - colours[None].astype(np.int32)
            nearest[some] = (apart**2).sum(axis=2).argmin(axis=1)
        return cls(colours, nearest)

    @property
    def argb(self) -> np.ndarray:
        """[256, 4] bytes; what is no colour of it is transparent."""
        table = np.zeros((256, 4), np.uint8)
        table[: len(self.colours), 0] = 255
        table[: len(self.colours), 1:] = self.colours
        return table

    def indices(self, pixels: np.ndarray) -> np.ndarray:
        """The place of each pixel's colour [height, width]."""
        return self.nearest[_packed(pixels)]


def _packed(pixels: np.ndarray) -> np.ndarray:
    parts = pixels[..., :3].astype(np.uint32)
    return (parts[..., 0] << 16) | (parts[..., 1] << 8) | parts[..., 2]


def _unpacked(packed: np.ndarray) -> np.ndarray:
    return np.stack([packed >> 16 & 255, packed >> 8 & 255, packed & 255], axis=-1).astype(np.uint8)


def _median_cut(colours: np.ndarray, counts: np.ndarray, size: int) -> np.ndarray:
    """At most `size` colours for these; a colour weighs as the root of its count, so that rare ones are not lost."""
    from PIL import Image

    weights = np.maximum(np.sqrt(counts), 1).astype(int)
    line = np.repeat(colours, weights, axis=0)[None]
    reduced = Image.fromarray(line).quantize(size, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    table = reduced.getpalette()
    assert table is not None
    return np.array(table, np.uint8).reshape(-1, 3)[:size]
