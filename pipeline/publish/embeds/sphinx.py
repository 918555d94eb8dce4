"""Sphinx, in reStructuredText: the player in HTML, the poster in LaTeX, PDF, EPUB and everything else."""

from __future__ import annotations

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._sphinx import argument, link_from
from pipeline.publish.embeds.html import themed

ENDINGS = (".rst", ".txt")
MARKS = _marks.Marks.comment(".. {}")


def snippet(shown: Embeddable, page: Page) -> str:
    """Two `only` directives, of which a builder keeps one."""
    asset = shown.asset
    lines = [
        "",
        ".. only:: html",
        "",
        "   .. raw:: html",
        "",
        *(f"      {line}" for line in themed(shown, link=link_from(page)).splitlines()),
        "",
        ".. only:: not html",
        "",
        f"   .. figure:: {argument(asset.poster, page)}",
        f"      :alt: {' '.join(asset.still.split()) or asset.label}",
        "      :width: 100%",
        "",
        f"      {escape(asset.label)}",
        "",
    ]
    return "\n".join(lines)


def escape(text: str) -> str:
    """The text with every sign that reStructuredText could take for markup behind a backslash."""
    return "".join(sign if sign.isalnum() or sign == " " else f"\\{sign}" for sign in text)


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The page with the video at its end."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=MARKS)
