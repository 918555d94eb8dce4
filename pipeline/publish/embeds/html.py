"""A page of HTML: the figure, with addresses as seen from the page."""

from __future__ import annotations

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._element import Html
from pipeline.publish.embeds._figure import LIGHT, figure, theme_rules
from pipeline.publish.embeds._page import Link, Page

ENDINGS = (".html", ".htm", ".xhtml")


def snippet(shown: Embeddable, page: Page) -> str:
    """The figure, after the style that two themes need."""
    return themed(shown, link=page.relative)


def themed(
    shown: Embeddable, *, link: Link, fallback: str = "", writer: Html | None = None, light: tuple[str, ...] = LIGHT
) -> str:
    """The figure, and before it the style that chooses between two videos or pictures.

    `light`: how the site says that its light theme is shown.
    """
    writer, rules = writer or Html(), theme_rules(shown, light=light)
    style = [writer.style(rules)] if rules else []
    return "\n".join([*style, figure(shown, link=link, writer=writer, fallback=fallback)])


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The page with the figure before the end of its main part."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=_marks.HTML)
