"""A film as ProRes in QuickTime, for editors and for Keynote: 4444 with its alpha, else 422 HQ."""

from __future__ import annotations

from pathlib import Path

from pipeline.publish.formats._film import Film

ENDING = ".mov"
ALPHA = True
WHOLE = True
FLAGS = "faststart+use_metadata_tags"


def write_film(film: Film, path: Path) -> None:
    """The QuickTime file."""
    from pipeline.publish.formats._stream import write_stream

    profile, pixel_format = ("4444", "yuva444p10le") if film.transparent else ("hq", "yuv422p10le")
    options = {"profile": profile, "vendor": "apl0"} | ({"alpha_bits": "16"} if film.transparent else {})
    write_stream(
        film, path, container="mov", codec="prores_ks", pixel_format=pixel_format, options=options, flags=FLAGS
    )


def mark(path: Path) -> str:
    """The text of the container's description."""
    from pipeline.publish.formats._stream import read_mark

    return read_mark(path)
