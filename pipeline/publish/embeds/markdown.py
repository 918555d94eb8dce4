"""Markdown that lets HTML through (CommonMark, pandoc), and also reads well where it does not.

A site that takes `<video>` away, as GitHub does, leaves the poster that links to the video; so does pandoc on
its way to PDF.
"""

from __future__ import annotations

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import MOVING, Asset, Embeddable
from pipeline.publish.embeds._element import Code, Element, Html, Served
from pipeline.publish.embeds._figure import CALM
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._picture import WEB, ShownPicture
from pipeline.publish.embeds._text import entities, paragraph
from pipeline.publish.embeds.html import themed

DARK_SYSTEM = Code("(prefers-color-scheme: dark)")
"""As GitHub knows it, where a reader's own choice of theme goes before the system's."""
ENDINGS = (".md", ".markdown", ".mdown")


def snippet(shown: Embeddable, page: Page) -> str:
    """The figure; inside the player, for those who see none, the poster as Markdown."""
    if isinstance(shown, ShownPicture):
        return picture(shown, page)
    return themed(shown, link=page.relative, fallback=f"\n{still(shown.asset, page)}\n")


def still(asset: Asset, page: Page) -> str:
    """The poster, which links to the video; it moves where the video is an image, for who did not ask for less."""
    alt, video = entities(f"{asset.label}. {asset.still}".strip()), page.relative(asset.video)
    image = f"![{alt}]({page.relative(asset.poster)})"
    if asset.moves:
        source = f'<source media="{CALM}" srcset="{video}" type="{MOVING[asset.video.suffix]}">'
        image = f"<picture>{source}{image}</picture>"
    return f"[{image}]({video})"


def picture(shown: ShownPicture, page: Page) -> str:
    """The picture as Markdown, which all readers know, and its name. The reader's system chooses the theme."""
    files = {theme: page.relative(each.file(*WEB, tool="Markdown")) for theme, each in shown.by_theme}
    first = dict(shown.by_theme).get("light", shown.asset)
    file = files.get("light") or next(iter(files.values()))
    image = f"![{entities(first.still or first.label)}]({file})"
    return f"{sized(image, first.width, first.height, dark=files.get('dark'))}\n\n{paragraph(first.label)}"


def sized(image: str, width: int, height: int, *, dark: Code | Served | None, writer: Html | None = None) -> str:
    """An image in Markdown inside what keeps its room free while it loads. `dark`: the address of its dark twin.

    Markdown has no words for a size, and HTML's `<img>` would be left out on the way to paper.
    """
    writer = writer or Html()
    style = Code(f"display:flex;flex-direction:column;max-width:{width}px;aspect-ratio:{width}/{height}")
    opening = f"<picture{writer.attribute('style', style)}>"
    return f"{opening}{night(dark, writer) if dark else ''}{image}</picture>"


def night(dark: Code | Served, writer: Html) -> str:
    """The source of an image for readers whose system is dark."""
    return writer.element(Element("source", {"media": DARK_SYSTEM, "srcset": dark}))


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The page with the figure at its end."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=_marks.MARKDOWN)
