"""Markdown that lets HTML through (CommonMark, pandoc), and also reads well where it does not.

A site that takes `<video>` away, as GitHub does, leaves the poster that links to the video; so does pandoc on
its way to PDF.
"""

from __future__ import annotations

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Asset, Shown
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._text import entities
from pipeline.publish.embeds.html import themed

ENDINGS = (".md", ".markdown", ".mdown")


def snippet(shown: Shown, page: Page) -> str:
    """The figure; inside the player, for those who see none, the poster as Markdown."""
    return themed(shown, link=page.relative, fallback=f"\n{still(shown.asset, page)}\n")


def still(asset: Asset, page: Page) -> str:
    """The poster, which links to the video."""
    alt = entities(f"{asset.label}. {asset.still}".strip())
    return f"[![{alt}]({page.relative(asset.poster)})]({page.relative(asset.video)})"


def put(document: bytes | None, shown: Shown, page: Page) -> bytes:
    """The page with the figure at its end."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=_marks.MARKDOWN)
