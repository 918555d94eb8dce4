"""A figure as PNG: the pixels of the video's frame, losslessly, with the same texts as the other forms."""

from __future__ import annotations

import io

from pipeline.publish.formats._figure import CREATOR, Figure

RASTER = True


def write(figure: Figure) -> bytes:
    """The PNG file."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    texts = PngInfo()
    for key, text in (
        ("Title", figure.title),
        ("Description", figure.alt),
        ("Keywords", figure.numbers),
        ("Source", figure.command),
        ("Software", CREATOR),
    ):
        texts.add_itxt(key, " ".join(text.split()), lang=figure.language)
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
