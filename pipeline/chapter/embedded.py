"""What stands on a page between the marks of `embed --write` and `chapter`, and the files that it shows."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from urllib.parse import quote, unquote

from pipeline.publish import embeds
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


@dataclass(frozen=True)
class Embedded:
    """One asset on a page: its name, its line from 1, all that stands between the marks, the marks among it."""

    name: str
    line: int
    body: str

    def file(self, page: Path) -> Path | None:
        """The file that the page shows, there or not; None where it names none."""
        written = re.escape(quote(self.name, safe=""))
        found = re.search(
            rf"(?P<path>[^\s\"'(){{}}]*/)?{written}(?:\.mp4)?(?=[\"'){{}}#\s])", html.unescape(_after_mark(self.body))
        )
        if found is None:
            return None
        name = self.name if Path(self.name).suffix in (".svg", ".png", ".mp4") else f"{self.name}.mp4"
        place = f"{unquote(found['path'] or '').removeprefix('run:').removeprefix('@static')}{name}"
        folder = page.absolute().parent
        if not place.startswith("/") and (folder / place).exists():
            return folder / place
        above = [folder, *folder.parents][:MOST_ABOVE]
        bare = re.sub(r"^(?:\.{0,2}/)+", "", place)
        # A site that is served below a prefix has that before its own folders.
        places = (bare, bare.partition("/")[2] or bare)
        tried = (each / served / one for one in places for each in above for served in SERVED)
        return next((path for path in tried if path.is_file()), folder / place)


def embedded(text: str) -> Iterator[Embedded]:
    """Every asset between marks, in order."""
    for found in MARK.finditer(text):
        end = ENDS.search(text, found.end())
        body = text[found.start() : end.end() if end else len(text)]
        yield Embedded(unquote(found["name"] or found["short"]), text.count("\n", 0, found.start()) + 1, body)


def outdated(each: Embedded, path: Path, file: Path) -> str:
    """Why the words on the page are not those of the video that lies there; empty where they are."""
    page, body = Page(path), _plain(each.body)
    for name in embeds.names():
        tool = embeds.load(name)
        if path.suffix.lower() not in tool.ENDINGS:
            continue
        for inline in (False, True):
            try:
                shown = find(str(file), language="en", media=Path(), inline=inline)
                written = tool.put(b"", shown, page).decode("utf-8")
            except (InputError, UnicodeDecodeError):
                continue
            if _plain(written) == body:
                return ""
    return "the page does not say what the video says now; embed it again"


def _after_mark(body: str) -> str:
    return body.partition("\n")[2]


def _plain(text: str) -> str:
    return dedent(text.replace("\r\n", "\n")).strip()
