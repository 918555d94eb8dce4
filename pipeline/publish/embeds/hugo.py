"""Hugo: the figure inside a shortcode, which lets HTML through whatever Goldmark is set to.

Files below `static/` are found whatever the base and the permalinks of the site are; those of a page bundle lie
beside the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._element import Code
from pipeline.publish.embeds._page import Link, Page, below, not_copied
from pipeline.publish.embeds.html import themed

ENDINGS = (".md", ".markdown")
CONFIGS = tuple(f"{name}.{ending}" for name in ("hugo", "config") for ending in ("toml", "yaml", "yml", "json"))
BUNDLES = ("index", "_index")
STATIC = "@static/"
"""What the shortcode replaces by the base of the site. No data holds it: entities has no plain `@`."""
SHORTCODE = Path("layouts/shortcodes/attention-video.html")
TEMPLATE = f'{{{{ replace .Inner "{STATIC}" (relURL "") | safeHTML }}}}\n'
MARKS = _marks.Marks('{{< attention-video "{}" >}}', "{{< /attention-video >}}", fenced=True)


def snippet(shown: Embeddable, page: Page) -> str:
    """The shortcode with the figure."""
    return "\n".join(MARKS.around(_inner(shown, page), shown.asset.name))


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The page with the shortcode at its end."""
    return _marks.put(document, _inner(shown, page), shown=shown, page=page, marks=MARKS)


def beside(page: Page) -> Mapping[Path, bytes]:
    """The shortcode's template, for a site that has none yet."""
    root = page.root(*CONFIGS)
    path = root / SHORTCODE if root else None
    return {path: TEMPLATE.encode()} if path and not path.exists() else {}


def _inner(shown: Embeddable, page: Page) -> str:
    return themed(shown, link=link_from(page))


def link_from(page: Page) -> Link:
    """How the page names a file: from the root of the site, or beside it in a bundle."""
    root = page.root(*CONFIGS)

    def link(path: Path) -> Code:
        static = below((root or page.folder) / "static", path)
        if static is not None:
            return Code(STATIC + quote(static.as_posix(), safe="/~"))
        if root is None or (page.file.stem in BUNDLES and below(page.folder, path) is not None):
            # What is Markdown beside a page is a page, or part of it, and is not copied.
            return Code() if root and path.suffix in ENDINGS else page.relative(path)
        raise not_copied(path, root / "static", tool="Hugo")

    return link
