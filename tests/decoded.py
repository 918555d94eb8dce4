"""Colours of decoded video, by the formulas of BT.709 and not by the library that encoded it."""

import av

# 8-bit luma and chroma at half resolution cannot say every colour: the project promises this much.
SWATCH_TOLERANCE = 3


def decode_bt709(frame: av.VideoFrame, row: int, column: int) -> tuple[int, ...]:
    """A pixel's colour by the formulas of BT.709 in TV range, not by the library that encoded it."""
    planes, height, width = frame.to_ndarray(format="yuv420p"), frame.height, frame.width
    flat = planes.reshape(-1)
    quarter = (height // 2) * (width // 2)
    at = (row // 2) * (width // 2) + column // 2
    luma = (int(planes[row, column]) - 16) / 219
    blue = (int(flat[height * width + at]) - 128) / 224 * 1.8556
    red = (int(flat[height * width + quarter + at]) - 128) / 224 * 1.5748
    return tuple(
        round(255 * each) for each in (luma + red, luma - (0.2126 * red + 0.0722 * blue) / 0.7152, luma + blue)
    )
