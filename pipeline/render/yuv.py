"""The picture as the encoder takes it, kept from frame to frame; only what changed is converted."""

from __future__ import annotations

from functools import lru_cache

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter

PIXEL_FORMAT = "yuv420p"
SMALLEST = 4
KEPT_SIZES = 32
"""Getting ready for another size takes as long as converting 150,000 pixels."""
CONVERSION = Interpolation.AREA | Interpolation.ACCURATE_RND | Interpolation.FULL_CHR_H_INP


class YuvPicture:
    """A yuv420p picture in BT.709, TV range. `frame` shares its memory with it and may be encoded again and again."""

    def __init__(self, size: tuple[int, int]) -> None:
        width, height = size
        memory = np.zeros((height * 3 // 2, width), np.uint8)
        chroma = memory[height:].reshape(2, height // 2, width // 2)
        self._planes = (memory[:height], chroma[0], chroma[1])
        self._reformatter_for = lru_cache(KEPT_SIZES)(lambda width, height: VideoReformatter())
        self.frame = av.VideoFrame.from_numpy_buffer(memory, format=PIXEL_FORMAT)

    def paste(self, pixels: np.ndarray, *, at: tuple[int, int] = (0, 0)) -> None:
        """Replace the part from `at` (x, y) on by RGBA pixels [height, width, 4].

        A chroma sample is the mean of two by two pixels and of nothing else, so a part whose place and sides are even
        becomes what it would have become within the whole; two pixels alone are converted in another way. Raises
        ValueError for another part.
        """
        (left, top), (height, width) = at, pixels.shape[:2]
        right, bottom = left + width, top + height
        full_height, full_width = self._planes[0].shape
        small = min(width, height) < SMALLEST and (width, height) != (full_width, full_height)
        if small or any(side % 2 for side in (left, top, width, height)):
            raise ValueError(f"a part of {width}×{height} at {left}, {top}: its sides have to be even, four or more")
        if left < 0 or top < 0 or right > full_width or bottom > full_height:
            raise ValueError(f"a part of {width}×{height} at {left}, {top} of a picture of {full_width}×{full_height}")
        converted = to_bt709(pixels, self._reformatter_for(width, height))
        for plane, source, step in zip(self._planes, converted.planes, (1, 2, 2), strict=True):
            rows = np.frombuffer(source, np.uint8).reshape(-1, source.line_size)  # type: ignore[call-overload]
            part = plane[top // step : bottom // step, left // step : right // step]
            part[...] = rows[: part.shape[0], : part.shape[1]]


def to_bt709(pixels: np.ndarray, reformatter: VideoReformatter | None = None) -> av.VideoFrame:
    """An opaque RGBA picture as yuv420p in BT.709, TV range."""
    height, width = pixels.shape[:2]
    frame = av.VideoFrame.from_numpy_buffer(np.ascontiguousarray(pixels).reshape(height, width, 4), format="rgba")
    return (reformatter or VideoReformatter()).reformat(
        frame,
        format=PIXEL_FORMAT,
        dst_colorspace=Colorspace.ITU709,
        src_color_range=ColorRange.JPEG,
        dst_color_range=ColorRange.MPEG,
        interpolation=CONVERSION,
    )
