"""reveal.js: one slide with the player, its chapters and its text; the text is also the speaker's notes."""

from __future__ import annotations

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Shown
from pipeline.publish.embeds._element import Code, Element, Html
from pipeline.publish.embeds._figure import chapter_list, player, text_alternative
from pipeline.publish.embeds._page import Page

ENDINGS = (".html", ".htm")
MARKS = _marks.Marks.comment("<!-- {} -->", at=(r"</section>[ \t]*\r?\n", r'<div class="slides">[ \t]*\r?\n'))
SMALL = Code("position:relative;display:flex;gap:2em;font-size:0.4em;text-align:left")
OVER = Code(
    "position:absolute;z-index:1;left:0;right:0;bottom:100%;max-height:22em;overflow:auto;padding:0.5em 1em;"
    "background:var(--r-background-color,#fff)"
)
"""What is opened lies over the player, not below the slide."""


def snippet(shown: Shown, page: Page) -> str:
    """The slide. The player takes the room that title and chapters leave."""
    asset = shown.asset
    told = text_alternative(asset)
    video = player(asset, link=page.relative, inline=shown.inline, look="r-stretch")
    details = Element("div", {"style": SMALL}, tuple(map(_over, (chapter_list(asset, page.relative), told))))
    notes = Element("aside", {"class": Code("notes")}, told.children[1:])
    title = Element("h2", {}, (Element("bdi", {}, (asset.title,)),))
    attributes = {"class": Code("attention-video mathjax_ignore tex2jax_ignore"), "lang": Code(asset.language)}
    return Html().element(Element("section", attributes, (title, video, details, notes)))


def _over(details: Element) -> Element:
    """The details with what they open in a box that scrolls, with the keyboard as well."""
    summary, *rest = details.children
    assert isinstance(summary, Element)
    box = {"style": OVER, "tabindex": 0, "role": Code("group"), "aria-label": str(summary.children[0])}
    return Element("details", {}, (summary, Element("div", box, tuple(rest))))


def put(document: bytes | None, shown: Shown, page: Page) -> bytes:
    """The deck with the slide after its last one."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=MARKS)
