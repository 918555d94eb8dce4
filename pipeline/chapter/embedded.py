"""What `embed --write` and `chapter` put on a page, into a notebook or a deck, and the files that it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent
from urllib.parse import unquote

from pipeline.publish import embeds
from pipeline.publish.embeds import ReadsBack
from pipeline.publish.embeds._fences import Fence, in_code
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._owner import base_of, file_shown
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
        return file_shown(self.name, _between(self.body), page)

    def twin(self, page: Path) -> Path | None:
        """The same in the page's other theme, there or not; None where the page shows one for both."""
        shown = (unquote(each) for each in SHOWN.findall(_between(self.body)))
        other = next((name for name in shown if not f"{name}.".startswith(f"{self._stem}.")), None)
        return replace(self, name=other).file(page) if other else None

    @property
    def _stem(self) -> str:
        """The name without the ending that a chapter's figure has in it."""
        return re.sub(r"\.(?:svg|png)$", "", base_of(self.name))


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
                    same = _plain(tool.put(each.body.encode(), shown, page).decode("utf-8")) == body
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
