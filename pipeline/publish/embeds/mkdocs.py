"""MkDocs and Zensical: the figure, with addresses as seen from the built page.

Both copy everything below `docs_dir`, rewrite addresses in Markdown and leave those in HTML alone; with
`use_directory_urls`, the default, a page is built one folder deeper than its source lies. A transcript is a page, too.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._element import Code
from pipeline.publish.embeds._page import Link, Page, below, not_copied
from pipeline.publish.embeds.html import themed

ENDINGS = (".md", ".markdown")
CONFIGS = ("mkdocs.yml", "mkdocs.yaml", "zensical.toml")
FLAT = ("index", "readme")
"""Pages that are built where they lie."""


def snippet(shown: Embeddable, page: Page) -> str:
    """The figure."""
    return themed(shown, link=link_from(page))


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The page with the figure at its end."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=_marks.MARKDOWN)


def link_from(page: Page) -> Link:
    """Addresses as seen from the built page."""
    root = page.root(*CONFIGS)
    if root is None:
        return page.relative
    docs, directories = _settings(root)
    start = built_as(page)

    def link(path: Path) -> Code:
        if below(docs, path) is None:
            raise not_copied(path, docs, tool="MkDocs")
        if path.suffix not in ENDINGS:
            return page.relative(path, start=start)
        return Code(page.relative(path.with_suffix(""), start=start) + ("/" if directories else ".html"))

    return link


def built_as(page: Page) -> Path:
    """The folder that the page's addresses are seen from."""
    root = page.root(*CONFIGS)
    deeper = root and _settings(root)[1] and page.file.stem.lower() not in FLAT
    return page.folder / page.file.stem if deeper else page.folder


def _settings(root: Path) -> tuple[Path, bool]:
    """The folder of the pages, and whether each page is built as a folder."""
    path = next(root / name for name in CONFIGS if (root / name).is_file())
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        project = tomllib.loads(text).get("project", {})
        return root / project.get("docs_dir", "docs"), project.get("use_directory_urls", True)
    folder = re.search(r"""^docs_dir:\s*["']?([^"'#\n]+)""", text, re.MULTILINE)
    flat = re.search(r"^use_directory_urls:\s*(false|no|off)\b", text, re.MULTILINE | re.IGNORECASE)
    return root / (folder[1].strip() if folder else "docs"), not flat
