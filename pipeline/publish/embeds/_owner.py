"""Whose a marked piece of a document is: two assets of one name, from two folders, may stand on one page."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from pipeline.publish.embeds._asset import Asset
    from pipeline.publish.embeds._page import Page
    from pipeline.publish.embeds._picture import Picture

SERVED = ("", "static", "public", "docs", "_static", "assets", "content")
"""Folders whose files a site serves from its root."""
MOST_ABOVE = 6
FORMS = (*(re.escape(form) for form in (".mp4", ".webm", ".webp", ".gif", ".svg", ".pdf", ".png")), "")
"""The endings of what is shown, the film before its poster; a name may have its own."""
TEX = (".tex", ".ltx")


@dataclass(frozen=True)
class Owner:
    """An asset on its way into a page. `snippet`: the text that goes there, with the asset's addresses."""

    asset: Asset | Picture
    page: Page
    snippet: str

    @property
    def long_mark(self) -> str:
        """The name with its folder as seen from the page, for where the name alone is another asset's."""
        return (Path(os.path.relpath(self._folder, self.page.folder)) / self.asset.name).as_posix()

    def own(self, pieces: Sequence[tuple[str, str]]) -> list[bool]:
        """Which of the pieces, each its mark and its text, are this asset's.

        Those that show it; else those whose file is no more, as when a folder was moved.
        """
        shown = [self._shows(mark, text) for mark, text in pieces]
        marks = (self.asset.name, self.long_mark)
        lost = [each is None and mark in marks for each, (mark, _) in zip(shown, pieces, strict=True)]
        return [each is True for each in shown] if any(shown) else lost

    @property
    def _folder(self) -> Path:
        return Path(os.path.abspath(self.asset.ledger)).parent

    def _shows(self, mark: str, text: str) -> bool | None:
        """Whether a text shows this asset; None where what it shows is not there."""
        name, file = self.asset.name, self.page.file
        if _addresses(name, text, file) & _addresses(name, self.snippet, file):
            return True
        first, others = _places(mark, text, file)
        if first is None:
            return None
        places = [first] if first.exists() else [path for path in others if path.exists()]
        return all(path.parent.samefile(self._folder) for path in places) if places else None


def base_of(mark: str) -> str:
    """The asset's name in a mark, which may have a folder before it."""
    return mark.rpartition("/")[2]


def file_shown(mark: str, text: str, page: Path) -> Path | None:
    """The file that a piece of a page shows, there or not; None where it names none."""
    first, others = _places(mark, text, page)
    if first is None or first.exists():
        return first
    return next((path for path in others if path.is_file()), first)


def _built(page: Path) -> Iterator[Path]:
    """The folder that MkDocs builds a page as, deeper than the page lies."""
    from pipeline.publish.embeds import mkdocs
    from pipeline.publish.embeds._page import Page

    if page.suffix.lower() in mkdocs.ENDINGS and Page(page).root(*mkdocs.CONFIGS):
        yield mkdocs.built_as(Page(page))


def _addresses(name: str, text: str, page: Path) -> set[str]:
    """All addresses in a text of files that have the name."""
    in_tex = page.suffix.lower() in TEX
    signs, written = (r"[^{}:]", name) if in_tex else (r"[^\s\"'(){}]", quote(name, safe=""))
    form = "" if name.endswith((".svg", ".png")) else r"\.\w+"
    return set(re.findall(rf"{signs}*{re.escape(written)}{form}(?=[\"'){{}}#&\s]|\Z)", text))


def _places(mark: str, text: str, page: Path) -> tuple[Path | None, Iterator[Path]]:
    """The place that the page itself names, and those where a site may have it from. A mark's folder is the place."""
    folder, name = page.absolute().parent, base_of(mark)
    if page.suffix.lower() in TEX:
        found = re.search(rf"\{{(?:run:)?(?P<file>(?:[^{{}}]*/)?{re.escape(name)}\.\w+)\}}", text)
        return folder / found["file"] if found else None, iter(())
    text = html.unescape(text)
    before, after = r"(?P<path>[^\s\"'(){}]*/)?", r"(?=[\"'){}#\s]|\Z)"
    written = re.escape(quote(name, safe=""))
    forms = (re.search(f"{before}{written}(?P<form>{each}){after}", text) for each in FORMS)
    found = next(filter(None, forms), None)
    if found is None:
        return None, iter(())
    if name != mark:
        return folder / f"{mark}{found['form']}", iter(())
    place = f"{unquote(found['path'] or '').removeprefix('@static')}{name}{found['form']}"
    bare = re.sub(r"^(?:\.{0,2}/)+", "", place)
    # A site that is served below a prefix has that before its own folders.
    places = dict.fromkeys((bare, bare.partition("/")[2] or bare))
    above = [folder, *folder.parents][:MOST_ABOVE]
    # An address from the root of a site is no path from the root of this machine.
    first = [Path(os.path.normpath(each / place.lstrip("/"))) for each in (*_built(page), folder)]
    return next((path for path in first if path.exists()), first[-1]), (
        each / served / one for one in places for each in above for served in SERVED
    )
