"""PNG, losslessly: a figure is the pixels of the video's frame, a film a folder with a picture for each frame."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipeline.publish.formats._figure import CREATOR, Figure
from pipeline.publish.formats._film import Film

RASTER = True
ENDING = ".frames"
ALPHA = True
WHOLE = True
FIRST = 1
"""The number of the first frame, as editors expect it."""


def write(figure: Figure) -> bytes:
    """The PNG file."""
    from PIL import Image

    rows = (("Title", figure.title), ("Description", figure.alt), ("Keywords", figure.numbers))
    texts = _texts((*rows, ("Source", figure.command), ("Software", CREATOR)), figure.language)
    data = io.BytesIO()
    with Image.open(figure.pixels) as picture:
        picture.save(data, "PNG", pnginfo=texts, optimize=True)
    return data.getvalue()


def digest(data: bytes) -> str:
    """The digest in the file's texts; a video's poster has none."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as picture:
        kind, _, found = str(picture.info.get("Keywords", "")).partition(":")
    return found if kind == "sha256" else ""


def write_film(film: Film, path: Path) -> None:
    """The folder: `00001.png` and so on."""
    from PIL import Image

    told = film.metadata
    rows = (("Title", told["title"]), ("Keywords", told["description"]), ("Source", told["comment"]))
    texts = _texts((*rows, ("Software", CREATOR)), film.language)
    path.mkdir()
    number = FIRST
    for pixels, repeat in film.pictures():
        data = io.BytesIO()
        Image.fromarray(pixels).convert("RGBA" if film.transparent else "RGB").save(data, "PNG", pnginfo=texts)
        for each in range(number, number + repeat):
            (path / f"{each:05d}.png").write_bytes(data.getvalue())
        number += repeat


def mark(path: Path) -> str:
    """What the first frame says."""
    from PIL import Image

    with Image.open(path / f"{FIRST:05d}.png") as picture:
        return str(picture.info.get("Keywords", ""))


def _texts(rows: Iterable[tuple[str, str]], language: str) -> Any:
    from PIL.PngImagePlugin import PngInfo

    texts = PngInfo()
    for key, text in rows:
        texts.add_itxt(key, " ".join(text.split()), lang=language)
    return texts
