"""Docusaurus: the figure as JSX, with addresses below `static/`, whatever the base of the site is."""

from __future__ import annotations

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._element import Jsx
from pipeline.publish.embeds._page import Link, Page, served_from
from pipeline.publish.embeds.html import themed

ENDINGS = (".mdx", ".md")
CONFIGS = tuple(f"docusaurus.config.{ending}" for ending in ("ts", "js", "mts", "mjs", "cts", "cjs"))
MARKS = _marks.Marks.comment("{/* {} */}", fenced=True)


def snippet(shown: Embeddable, page: Page) -> str:
    """The figure."""
    return themed(shown, link=link_from(page), writer=Jsx())


def link_from(page: Page) -> Link:
    """Addresses from the root of the site."""
    root = page.root(*CONFIGS)
    return served_from(root / "static" if root else page.folder, tool="Docusaurus")


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The page with the figure at its end."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=MARKS)
