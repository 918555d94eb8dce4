"""docsify: the figure, with addresses as seen from the site's `index.html`, which shows every page.

A transcript is a page as well.
"""

from __future__ import annotations

from pathlib import Path

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._element import Code
from pipeline.publish.embeds._page import Link, Page, below, not_copied
from pipeline.publish.embeds.html import themed

ENDINGS = (".md", ".markdown")


def snippet(shown: Embeddable, page: Page) -> str:
    """The figure."""
    return themed(shown, link=link_from(page))


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The page with the figure at its end."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=_marks.MARKDOWN)


def link_from(page: Page) -> Link:
    """Addresses as seen from the site's `index.html`."""
    root = page.root("index.html")
    if root is None:
        return page.relative

    def link(path: Path) -> Code:
        if below(root, path) is None:
            raise not_copied(path, root, tool="docsify")
        if path.suffix not in ENDINGS:
            return page.relative(path, start=root)
        return Code("#/" + page.relative(path.with_suffix(""), start=root))

    return link
