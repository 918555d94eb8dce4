"""Quarto: the player in what is made for the web, the poster in PDF and in everything else.

Quarto copies what raw HTML names only where `resources:` lists it; docs/guide/embedding.md says how.
"""

from __future__ import annotations

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._text import entities
from pipeline.publish.embeds.html import themed

ENDINGS = (".qmd", ".md", ".rmd")


def snippet(shown: Embeddable, page: Page) -> str:
    """Two conditional divisions, of which Quarto keeps one."""
    asset = shown.asset
    named, alt = entities(asset.label), entities(asset.still)
    return "\n".join(
        [
            '::: {.content-visible when-format="html"}',
            "```{=html}",
            themed(shown, link=page.relative),
            "```",
            ":::",
            "",
            '::: {.content-visible unless-format="html"}',
            f'![{named}]({page.relative(asset.poster)}){{width=100% fig-alt="{alt}"}}',
            ":::",
        ]
    )


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The page with the video at its end."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=_marks.MARKDOWN)
