"""A beat as GIF, for places that take nothing else: one palette for all of it, no dithering."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.publish.formats._film import Film, told

if TYPE_CHECKING:
    from pipeline.render.encoder import Chapter

ENDING = ".gif"
ALPHA = False
WHOLE = False
TICKS = 100
"""GIF's, a second."""
HEADER = 13
COMMENT = b"\x21\xfe"


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


def renew(source: Path, path: Path, *, chapters: Iterable[Chapter], metadata: Mapping[str, str]) -> None:
    """The same pictures with another comment; it has no chapters."""
    del chapters
    data = source.read_bytes()
    start = end = _start(data)
    if data[start : start + 2] == COMMENT:
        end += len(COMMENT)
        while data[end]:
            end += 1 + data[end]
        end += 1
    path.write_bytes(_with_comment(data[:start] + data[end:], told(metadata)))


def mark(path: Path) -> str:
    """The file's comment."""
    from PIL import Image

    with Image.open(path) as picture:
        comment = picture.info.get("comment", b"")
    return comment.decode("utf-8", errors="replace")


def _with_comment(data: bytes, text: str) -> bytes:
    """The file with a comment before its first picture, in blocks of at most 255 bytes."""
    words, start = text.encode(), _start(data)
    blocks = (words[at : at + 255] for at in range(0, len(words), 255))
    comment = COMMENT + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"
    return data[:start] + comment + data[start:]


def _start(data: bytes) -> int:
    """Where what follows the header and the common colours begins."""
    table = data[10]
    return HEADER + (3 << ((table & 7) + 1) if table & 0x80 else 0)
