"""reveal.js: one slide with the player, its chapters and its text; the text is also the speaker's notes."""

from __future__ import annotations

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._element import Code, Element, Html
from pipeline.publish.embeds._figure import details, image, player, text_alternative
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._picture import ShownPicture

ENDINGS = (".html", ".htm")
LAST = r"</section>[ \t]*\r?\n(?:[ \t]*<!-- end of attention-video [^\n]*\n)?"
"""The end of the deck's last slide, and of its marks where it is one of ours."""
MARKS = _marks.Marks.comment("<!-- {} -->", at=(LAST, r'<div class="slides">[ \t]*\r?\n'))
SMALL = Code("position:relative;display:flex;gap:2em;font-size:0.4em;text-align:left")
OVER = Code(
    "position:absolute;z-index:1;left:0;right:0;bottom:100%;max-height:22em;overflow:auto;padding:0.5em 1em;"
    "background:var(--r-background-color,#fff)"
)
"""What is opened lies over the player, not below the slide."""


def snippet(shown: Embeddable, page: Page) -> str:
    """The slide. The player, or the picture, takes the room that title and chapters leave."""
    asset = shown.asset
    title = Element("h2", {}, (Element("bdi", {}, (asset.title,)),))
    if isinstance(shown, ShownPicture):
        picture = image(shown.asset, link=page.relative, look="r-stretch")
        told = tuple(Element("p", {}, (Element("bdi", {}, (text,)),)) for text in (asset.label, asset.still) if text)
        return _slide(asset.language, title, picture, _notes(told))
    video = player(shown.asset, link=page.relative, inline=shown.inline, look="r-stretch")
    opened = Element("div", {"style": SMALL}, tuple(map(_over, details(shown.asset, page.relative))))
    return _slide(asset.language, title, video, opened, _notes(text_alternative(shown.asset).children[1:]))


def _slide(language: str, *parts: Element) -> str:
    attributes = {"class": Code("attention-video mathjax_ignore tex2jax_ignore"), "lang": Code(language)}
    return Html().element(Element("section", attributes, parts))


def _notes(told: tuple[Element | str, ...]) -> Element:
    return Element("aside", {"class": Code("notes")}, told)


def _over(opened: Element) -> Element:
    """The details with what they open in a box that scrolls, with the keyboard as well."""
    summary, *rest = opened.children
    assert isinstance(summary, Element)
    box = {"style": OVER, "tabindex": 0, "role": Code("group"), "aria-label": str(summary.children[0])}
    return Element("details", {}, (summary, Element("div", box, tuple(rest))))


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The deck with the slide after its last one."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=MARKS)
