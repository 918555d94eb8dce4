"""A figure as SVG: outlines only, so that it looks the same without its fonts, and a text for who cannot see it.

It measures 16 × 9 units and is as large as a slide (1280 × 720 CSS pixels) where nobody says another size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from pipeline.publish.formats._figure import CREATOR, Figure
from pipeline.publish.formats._paths import STEP, on_grid
from pipeline.render.drawing import HEIGHT, WIDTH, Paint, Shape, Stroke, Subpath

RASTER = False
PIXELS_PER_UNIT = 80
Part = tuple[float, float, float, float]
WHOLE: Part = (0, 0, WIDTH, HEIGHT)
MITER_LIMIT = 10
"""Cairo's, and PDF's; SVG's own would be 4."""


def write(figure: Figure, *, part: Part = WHOLE) -> bytes:
    """The SVG file, in UTF-8; of the frame only a `part`, (left, top, width, height) in its units."""
    left, top, width, height = part
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}" '
        f'width="{width * PIXELS_PER_UNIT:g}" height="{height * PIXELS_PER_UNIT:g}" role="img" '
        f'xml:lang="{figure.language}">',
        f"<title>{_text(figure.title)}</title>",
        f"<desc>{_text(figure.alt)}</desc>",
        _metadata(figure),
        f'<path fill="{figure.drawing.ground}" d="M{left:g} {top:g}h{width:g}v{height:g}h{-width:g}z"/>',
        f'<g transform="scale({STEP:.4f})" fill="none" stroke-miterlimit="{MITER_LIMIT}">',
        *_shapes(figure.drawing.shapes),
        "</g>",
        "</svg>",
    ]
    return ("\n".join(lines) + "\n").encode()


def digest(data: bytes) -> str:
    """The digest in the file's metadata."""
    found = re.search(rb"<dc:identifier>sha256:([0-9a-f]{64})</dc:identifier>", data)
    return found[1].decode() if found else ""


def _metadata(figure: Figure) -> str:
    """What the file says of itself, in Dublin Core."""
    rows = {
        "title": figure.title,
        "description": figure.alt,
        "language": figure.language,
        "identifier": figure.numbers,
        "source": figure.command,
        "creator": CREATOR,
    }
    told = "".join(f"<dc:{name}>{_text(text)}</dc:{name}>" for name, text in rows.items())
    return f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{told}</metadata>'


def _shapes(shapes: tuple[Shape, ...]) -> Iterator[str]:
    """A path for each shape; neighbours of one look share a group."""
    for look, alike in groupby(shapes, key=_look):
        paths = [f'<path d="{"".join(_path(each) for each in shape.subpaths)}"/>' for shape in alike]
        yield paths[0].replace("<path", f"<path{look}", 1) if len(paths) == 1 else f"<g{look}>{''.join(paths)}</g>"


def _look(shape: Shape) -> str:
    parts = [*_paint("fill", shape.fill), *_stroke(shape.stroke)]
    return "".join(f" {name}={quoteattr(value)}" for name, value in parts)


def _paint(kind: str, paint: Paint | None) -> Iterator[tuple[str, str]]:
    if paint:
        yield kind, paint.colour
        if paint.opacity < 1:
            yield f"{kind}-opacity", f"{paint.opacity:.4g}"


def _stroke(stroke: Stroke | None) -> Iterator[tuple[str, str]]:
    if stroke:
        yield from _paint("stroke", stroke.paint)
        yield "stroke-width", f"{stroke.width / STEP:.4g}"
        if stroke.cap != "butt":
            yield "stroke-linecap", stroke.cap
        if stroke.join != "miter":
            yield "stroke-linejoin", stroke.join


def _path(subpath: Subpath) -> str:
    """The subpath in SVG's relative commands, which take half the room of absolute ones."""
    (x, y), pieces = on_grid(subpath)
    words, last = [f"M{_numbers([x, y])}"], ""
    for piece in pieces:
        letter = "l" if len(piece) == 2 else "c"
        steps = [each - (x, y)[place % 2] for place, each in enumerate(piece)]
        numbers = _numbers(steps)
        words.append(letter + numbers if letter != last else numbers if numbers.startswith("-") else f" {numbers}")
        last, (x, y) = letter, piece[-2:]
    return "".join(words) + ("z" if subpath.closed else "")


def _numbers(values: list[int]) -> str:
    return " ".join(map(str, values)).replace(" -", "-")


def _text(text: str) -> str:
    return escape(" ".join(text.split()))
