"""MyST Markdown, as MyST-Parser reads it for Sphinx and Jupyter Book 1: the player in HTML, the poster elsewhere."""

from __future__ import annotations

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._sphinx import argument, link_from
from pipeline.publish.embeds._text import paragraph
from pipeline.publish.embeds.html import themed

ENDINGS = (".md", ".markdown")
MARKS = _marks.Marks.comment("% {}", fenced=True)


def snippet(shown: Embeddable, page: Page) -> str:
    """Two `only` directives, of which a builder keeps one."""
    asset = shown.asset
    return "\n".join(
        [
            "````{only} html",
            "```{raw} html",
            themed(shown, link=link_from(page)),
            "```",
            "````",
            "",
            "````{only} not html",
            f"```{{figure}} {argument(asset.poster, page)}",
            f":alt: {yaml_text(asset.still or asset.label)}",
            ":width: 100%",
            "",
            paragraph(asset.label),
            "```",
            "````",
        ]
    )


def yaml_text(text: str) -> str:
    """The text as a YAML string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The page with the video at its end."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=MARKS)
