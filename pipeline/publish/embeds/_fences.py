"""Fenced code in Markdown, as CommonMark has it: what stands in it is text, whatever it looks like."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from transformer_core.errors import InputError

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_CODE = re.compile(r"\{\s*(?:code|literalinclude|=|\.|raw|python|r\b|julia)", re.IGNORECASE)
_AROUND = " \t>"


@dataclass(frozen=True)
class Fence:
    """One block: from where to where in the text, its first line from 1, its mark, what is said of it beside that."""

    start: int
    stop: int
    line: int
    mark: str
    info: str
    closed: bool

    @property
    def holds_text(self) -> bool:
        """Whether it is a directive of MyST, such as `{note}`, in which Markdown goes on."""
        return self.info.startswith("{") and not _CODE.match(self.info)


def fences(text: str) -> tuple[Fence, ...]:
    """The blocks of fenced code, in order, in lists and quotes as well."""
    if "```" not in text and "~~~" not in text:
        return ()
    from markdown_it import MarkdownIt

    lines = _LINE.findall(text)
    starts = [0, *itertools.accumulate(map(len, lines))]
    found = []
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "fence" and token.map is not None:
            first, after = token.map
            last = lines[min(after, len(lines)) - 1].strip(_AROUND + "\r\n")
            closed = after - first > 1 and last.startswith(token.markup) and not last.strip(token.markup[0])
            stop = starts[min(after, len(lines))]
            found.append(Fence(starts[first], stop, first + 1, token.markup, token.info.strip(), closed))
    return tuple(found)


def in_code(place: int, blocks: Sequence[Fence]) -> bool:
    """Whether a place in the text lies in fenced code."""
    return any(block.start <= place < block.stop and not block.holds_text for block in blocks)


def check_closed(blocks: Sequence[Fence], *, where: str) -> None:
    """Raises InputError for a text whose last block has no end: whatever follows would be code."""
    if blocks and not blocks[-1].closed:
        last = blocks[-1]
        raise InputError(f"{where} line {last.line}", "its code block has no end", f"end it with a line {last.mark}")
