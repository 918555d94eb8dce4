"""A film as mp4: H.264, which every browser, player and slide program knows; encoded while it was drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.publish.formats._film import Film

if TYPE_CHECKING:
    from pipeline.render.encoder import Chapter

ENDING = ".mp4"
ALPHA = False
WHOLE = True


def write_film(film: Film, path: Path) -> None:
    """The stream of the render itself, with chapters and texts."""
    from pipeline.render.encoder import finish_video

    finish_video(film.streams, path, chapters=film.chapters, metadata=film.metadata)


def renew(source: Path, path: Path, *, chapters: Iterable[Chapter], metadata: Mapping[str, str]) -> None:
    """The same stream with other chapters and texts."""
    from pipeline.render.encoder import finish_video

    finish_video([source], path, chapters=chapters, metadata=metadata)


def mark(path: Path) -> str:
    """The text of the container's description."""
    from pipeline.publish.formats._stream import read_mark

    return read_mark(path)
