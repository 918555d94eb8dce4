"""What `embed --write` and `chapter` put on a page, into a notebook or a deck, and the files that it shows."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent
from urllib.parse import quote, unquote

from pipeline.publish import embeds
from pipeline.publish.embeds import ReadsBack, beamer
from pipeline.publish.embeds._fences import Fence, in_code
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._page import Page
from transformer_core.errors import InputError

MARK = re.compile(
    r"^(?P<indent>[ \t]*)(?P<mark>(?:<!-- |% |\{/\* |\.\. )attention-video (?P<name>[^\s>]+?)(?: -->| \*/\})?"
    r'|\{\{< attention-video "(?P<short>[^"]+)" >\}\})[ \t]*\r?$',
    re.MULTILINE,
)
ENDS = re.compile(
    r"(?:^|\n)[ \t]*(?:(?:<!-- |% |\{/\* |\.\. )end of attention-video |\{\{< /attention-video >\}\})[^\n]*"
)
SERVED = ("", "static", "public", "docs", "_static", "assets", "content")
"""Folders whose files a site serves from its root."""
MOST_ABOVE = 6
FORMS = (*(re.escape(form) for form in (".mp4", ".webm", ".webp", ".gif", ".svg", ".pdf", ".png")), "")
"""The endings of what is shown, the film before its poster; a name may have its own."""


SHOWN = re.compile(
    r"""(?:src|srcset|srcSet|poster)=(?:"|\{require\S+\.default\(")(?:&\#x27;)?(?:[^"\s]*/)?(?P<name>[^"\s/]+)\.\w+(?:"|&\#x27;)"""
)
"""A file that HTML, JSX or a template of Vue shows; no data looks like this, since its quotes are written otherwise."""


@dataclass(frozen=True)
class Embedded:
    """One asset on a page: its name, its line from 1, all that stands between the marks, the marks among it.

    `unit`: what `line` counts, where that is no line.
    """

    name: str
    line: int
    body: str
    unit: str = "line"

    def file(self, page: Path) -> Path | None:
        """The file that the page shows, there or not; None where it names none."""
        if page.suffix.lower() in beamer.ENDINGS:
            return self._in_tex(page)
        text = html.unescape(_between(self.body))
        written = re.escape(quote(self.name, safe=""))
        before, after = r"(?P<path>[^\s\"'(){}]*/)?", r"(?=[\"'){}#\s]|\Z)"
        forms = (re.search(f"{before}{written}(?P<form>{each}){after}", text) for each in FORMS)
        found = next(filter(None, forms), None)
        if found is None:
            return None
        folders = unquote(found["path"] or "").removeprefix("@static")
        place = f"{folders}{self.name}{found['form']}"
        folder = page.absolute().parent
        if not place.startswith("/") and (folder / place).exists():
            return folder / place
        above = [folder, *folder.parents][:MOST_ABOVE]
        bare = re.sub(r"^(?:\.{0,2}/)+", "", place)
        # A site that is served below a prefix has that before its own folders.
        places = (bare, bare.partition("/")[2] or bare)
        tried = (each / served / one for one in places for each in above for served in SERVED)
        return next((path for path in tried if path.is_file()), folder / place)

    def twin(self, page: Path) -> Path | None:
        """The same in the page's other theme, there or not; None where the page shows one for both."""
        shown = (unquote(each) for each in SHOWN.findall(_between(self.body)))
        other = next((name for name in shown if not f"{name}.".startswith(f"{self._stem}.")), None)
        return replace(self, name=other).file(page) if other else None

    @property
    def _stem(self) -> str:
        """The name without the ending that a chapter's figure has in it."""
        return re.sub(r"\.(?:svg|png)$", "", self.name)

    def _in_tex(self, page: Path) -> Path | None:
        """As `file`, in TeX, whose paths have no number for a sign."""
        name = re.escape(self.name)
        found = re.search(rf"\{{(?:run:)?(?P<file>(?:[^{{}}]*/)?{name}\.\w+)\}}", _between(self.body))
        return page.absolute().parent / found["file"] if found else None


def embedded(text: str, *, code: Sequence[Fence] = ()) -> Iterator[Embedded]:
    """Every asset between marks, in order. `code`: where marks are text."""
    for found in MARK.finditer(text):
        if in_code(found.start(), code):
            continue
        end = ENDS.search(text, found.end())
        body = text[found.start() : end.end() if end else len(text)]
        yield Embedded(unquote(found["name"] or found["short"]), text.count("\n", 0, found.start()) + 1, body)


def embedded_in(document: bytes, path: Path, tool: ReadsBack) -> Iterator[Embedded]:
    """Every asset in a document that is no text. Raises InputError."""
    for each in tool.placed(document, Page(path)):
        yield Embedded(each.name, each.number, f"\n{each.text}", each.unit)


def outdated(each: Embedded, path: Path, file: Path, *, alone: bool) -> str:
    """Why what the page says is not what the file that lies there says; empty where it is.

    `alone`: a file of the other theme is none of the page's.
    """
    page, body = Page(path), _plain(each.body)
    for name in embeds.names():
        tool = embeds.load(name)
        if path.suffix.lower() not in tool.ENDINGS:
            continue
        for inline in (False, True):
            try:
                shown = find(str(file), language="en", media=Path(), inline=inline)
                shown = replace(shown, twin=None) if alone else shown
                if isinstance(tool, ReadsBack):
                    document = path.read_bytes()
                    same = tool.put(document, shown, page) == document
                else:
                    same = _plain(tool.put(b"", shown, page).decode("utf-8")) == body
            except InputError:
                continue
            if same:
                return ""
    return "the page does not show what lies there now; embed it again"


def _between(body: str) -> str:
    """What stands between the two marks."""
    return ENDS.split(body, maxsplit=1)[0].partition("\n")[2]


def _plain(text: str) -> str:
    return dedent(text.replace("\r\n", "\n")).strip()
