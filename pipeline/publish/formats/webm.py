"""A film as WebM for pages: AV1; with the ground left out VP9, the one whose alpha browsers play.

Measured on 29 s of qkv's softmax, 720p30: ms CPU a frame, MB, PSNR of the blocks that are not flat.

    AV1 preset 8 (the settings here)     14.8    0.47    35.8
    AV1 preset 10                         8.9    0.59    35.6
    VP9 good, speed 5                    37.5    0.66    34.5
    VP9 realtime, speed 8                 5.3    0.84    34.4
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.publish.formats._film import Film

if TYPE_CHECKING:
    from pipeline.render.encoder import Chapter

ENDING = ".webm"
ALPHA = True
WHOLE = True
AV1 = {"preset": "8", "crf": "30", "svtav1-params": "lp=1:scm=1"}
"""One thread, so that every machine makes the same video; the tools for drawn content."""
VP9 = {"deadline": "realtime", "cpu-used": "6", "crf": "20", "b": "0", "auto-alt-ref": "0"}
"""libvpx encodes alpha only without pictures that are never shown."""


def write_film(film: Film, path: Path) -> None:
    """The WebM file."""
    from pipeline.publish.formats._stream import write_stream

    if film.transparent:
        write_stream(film, path, container="webm", codec="libvpx-vp9", pixel_format="yuva420p", options=VP9)
    else:
        write_stream(film, path, container="webm", codec="libsvtav1", pixel_format="yuv420p", options=AV1)


def renew(source: Path, path: Path, *, chapters: Iterable[Chapter], metadata: Mapping[str, str]) -> None:
    """The same stream with other chapters and texts."""
    from pipeline.publish.formats._stream import copy_stream

    copy_stream(source, path, container="webm", chapters=chapters, metadata=metadata)


def mark(path: Path) -> str:
    """The text of the container's description."""
    from pipeline.publish.formats._stream import read_mark

    return read_mark(path)
