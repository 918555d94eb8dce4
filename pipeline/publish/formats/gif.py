"""A beat as GIF, for places that take nothing else: one palette for all of it, no dithering."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from pipeline.publish.formats._film import Film

ENDING = ".gif"
ALPHA = False
WHOLE = False
TICKS = 100
"""GIF's, a second."""
HEADER = 13


def write_film(film: Film, path: Path) -> None:
    """The GIF file."""
    import av

    from pipeline.publish.formats._palette import Palette
    from pipeline.publish.formats._small import check_small, small_pictures

    palette = Palette.of(pixels for pixels, _, _ in small_pictures(film))
    stream = None
    with av.open(str(path), "w", format="gif", options={"loop": "0"}) as file:
        for pixels, begin, end in small_pictures(film):
            if stream is None:
                stream = file.add_stream("gif", rate=TICKS)
                stream.height, stream.width = pixels.shape[:2]
                stream.pix_fmt = "pal8"
            picture: Any = (palette.indices(pixels), palette.argb)
            frame = av.VideoFrame.from_ndarray(picture, format="pal8")
            frame.pts, frame.time_base = round(begin * TICKS), Fraction(1, TICKS)
            for packet in stream.encode(frame):
                packet.duration = round(end * TICKS) - round(begin * TICKS)
                file.mux(packet)
    path.write_bytes(_with_comment(path.read_bytes(), film.told))
    check_small(path)


def mark(path: Path) -> str:
    """The file's comment."""
    from PIL import Image

    with Image.open(path) as picture:
        comment = picture.info.get("comment", b"")
    return comment.decode("utf-8", errors="replace")


def _with_comment(data: bytes, text: str) -> bytes:
    """The file with a comment before its first picture, in blocks of at most 255 bytes."""
    told, table = text.encode(), data[10]
    start = HEADER + (3 << ((table & 7) + 1) if table & 0x80 else 0)
    blocks = (told[at : at + 255] for at in range(0, len(told), 255))
    comment = b"\x21\xfe" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"
    return data[:start] + comment + data[start:]
