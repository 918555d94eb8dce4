"""The numbers in the prose of a built page: `<data value="…" data-attention="number …">text</data>`, read back."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser

from pipeline.chapter.shown import NUMBER_ATTRIBUTE

_DATA = re.compile(rf"<data\b(?P<attributes>[^>]*\b{NUMBER_ATTRIBUTE}\b[^>]*)>(?P<text>.*?)</data\s*>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Written:
    """One number as the page has it: its directive, its text, its `value`; where it begins, and its line from 1."""

    source: str
    text: str
    value: str
    start: int
    line: int

    def is_worth(self, value: float, *, decimals: int) -> bool:
        """Whether the page's `value` is that one, as far as digits are shown."""
        try:
            return round(float(self.value), decimals) == round(value, decimals)
        except ValueError:
            return False


def numbers_in(text: str) -> Iterator[Written]:
    """The numbers of a page, in order."""
    for found in _DATA.finditer(text):
        known = _attributes(found["attributes"])
        shown = " ".join(html.unescape(_TAG.sub("", found["text"])).strip("{}\"' \r\n\t").split())
        source, value = known.get(NUMBER_ATTRIBUTE) or "", known.get("value") or ""
        yield Written(source, shown, value, found.start(), text.count("\n", 0, found.start()) + 1)


def _attributes(text: str) -> dict[str, str | None]:
    known: dict[str, str | None] = {}

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            known.update(attrs)

    Reader().feed(f"<data {text}>")
    return known
