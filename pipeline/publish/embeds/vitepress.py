"""VitePress: the figure as a Vue template, with addresses below `public/` and the base of the site."""

from __future__ import annotations

import re
from pathlib import Path

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._element import Served, Vue
from pipeline.publish.embeds._figure import LIGHT
from pipeline.publish.embeds._page import Link, Page, served_from
from pipeline.publish.embeds.html import themed

ENDINGS = (".md",)
CONFIGS = tuple(f".vitepress/config.{ending}" for ending in ("mts", "ts", "mjs", "js", "cts", "cjs"))


def snippet(shown: Embeddable, page: Page) -> str:
    """The figure. The style comes first and apart, where VitePress takes it for the page's own."""
    return themed(shown, link=link_from(page), writer=Vue(), light=(*LIGHT, "html:not(.dark)"))


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The page with the figure at its end."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=_marks.MARKDOWN)


def link_from(page: Page) -> Link:
    """Addresses from the root of the site, with its base."""
    root = page.root(*CONFIGS)
    if root is None:
        return served_from(page.folder, tool="VitePress")
    config = next(root / name for name in CONFIGS if (root / name).is_file()).read_text(encoding="utf-8")
    base = _setting(config, "base").strip("/")
    local = served_from(root / _setting(config, "srcDir") / "public", tool="VitePress")

    def link(path: Path) -> Served:
        return Served(f"/{base}{local(path)}" if base else local(path))

    return link


def _setting(config: str, name: str) -> str:
    """A setting that is written out as a string; empty where it is not."""
    found = re.search(rf"""^\s*{name}:\s*["'`]([^"'`]*)["'`]""", config, re.MULTILINE)
    return found[1] if found else ""
