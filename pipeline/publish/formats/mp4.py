"""A film as mp4: H.264, which every browser, player and slide program knows; encoded while it was drawn."""

from __future__ import annotations

from pathlib import Path

from pipeline.publish.formats._film import Film

ENDING = ".mp4"
ALPHA = False
WHOLE = True


def write_film(film: Film, path: Path) -> None:
    """The stream of the render itself, with chapters and texts."""
    from pipeline.render.encoder import finish_video

    finish_video(film.video, path, chapters=film.chapters, metadata=film.metadata)


def mark(path: Path) -> str:
    """The text of the container's description."""
    from pipeline.publish.formats._stream import read_mark

    return read_mark(path)
