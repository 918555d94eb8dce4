"""Jupyter notebooks: a Markdown cell, found again by its metadata; all other cells keep every byte.

Captions are inside the cell: a notebook's page is served from elsewhere than its files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipeline.publish.embeds import markdown
from pipeline.publish.embeds._asset import Shown
from pipeline.publish.embeds._page import Page
from transformer_core.errors import InputError

ENDINGS = (".ipynb",)
KEY = "attention-video"
EMPTY = '{\n "cells": [],\n "metadata": {},\n "nbformat": 4,\n "nbformat_minor": 5\n}\n'
WHITE = " \t\r\n"


@dataclass(frozen=True)
class Span:
    """A cell and where in the file's text it stands."""

    start: int
    stop: int
    cell: Mapping[str, Any]


def snippet(shown: Shown, page: Page) -> str:
    """The source of a Markdown cell."""
    return markdown.snippet(replace(shown, twin=None, inline=True), page)


def put(document: bytes | None, shown: Shown, page: Page) -> bytes:
    """The notebook with the cell at its end, or with the source of the cell that it has replaced.

    Raises InputError for a file that is no notebook of format 4.
    """
    text = _decoded(document, page)
    spans, place = _cells(text, page)
    name = shown.asset.name
    source = snippet(shown, page).splitlines(keepends=True)
    old = [span for span in spans if span.cell.get("metadata", {}).get(KEY) == name]
    for span in reversed(old):
        if span.cell.get("source") != source:
            written = _written({**span.cell, "source": source}, text, span.start)
            text = text[: span.start] + written + text[span.stop :]
    if not old:
        cell = {"cell_type": "markdown", "metadata": {KEY: name}, "source": source}
        text = _appended(text, spans, place, _identified(cell, name, text))
    return text.encode()


def _decoded(document: bytes | None, page: Page) -> str:
    try:
        text = EMPTY if document is None else document.decode("utf-8")
        if json.loads(text).get("nbformat") == 4:
            return text
    except (ValueError, AttributeError):
        pass
    raise InputError(str(page.file), "it is no notebook of format 4", "save it again with Jupyter")


def _identified(cell: dict[str, Any], name: str, text: str) -> dict[str, Any]:
    """The cell with an identifier, where the notebook's format has them."""
    if json.loads(text).get("nbformat_minor", 0) < 5:
        return cell
    return {"cell_type": "markdown", "id": hashlib.sha256(name.encode()).hexdigest()[:8], **cell}


def _cells(text: str, page: Page) -> tuple[list[Span], int]:
    """The cells, and where after the last of them, or inside the empty list, another one goes."""
    decode, spans = json.JSONDecoder().raw_decode, []
    at = _after(text, text.index("{") + 1)
    while text[at] != "}":
        key, at = decode(text, at)
        at = _after(text, text.index(":", at) + 1)
        if key != "cells":
            _, at = decode(text, at)
            at = _after(text, at, ",")
            continue
        place = at = _after(text, at + 1)
        while text[at] != "]":
            cell, stop = decode(text, at)
            spans.append(Span(at, stop, cell))
            place, at = stop, _after(text, stop, ",")
        return spans, place
    raise InputError(str(page.file), "it has no cells", "save it again with Jupyter")


def _after(text: str, at: int, more: str = "") -> int:
    while text[at] in WHITE + more:
        at += 1
    return at


def _appended(text: str, spans: list[Span], place: int, cell: Mapping[str, Any]) -> str:
    if spans:
        last = spans[-1].start
        margin = _margin(text, last)
        return f"{text[:place]},{_line_end(text)}{margin}{_written(cell, text, last)}{text[place:]}"
    opening = text[:place].rstrip(WHITE)
    line_end = _line_end(text)
    written = _in(json.dumps(cell, indent=1, ensure_ascii=False), "  ", line_end)
    return f"{opening}{line_end}  {written}{line_end} {text[place:]}"


def _written(cell: Mapping[str, Any], text: str, at: int) -> str:
    """The cell as JSON, as far in as the one that stands at `at`."""
    margin = _margin(text, at)
    return _in(json.dumps(cell, indent=max(1, len(margin) // 2), ensure_ascii=False), margin, _line_end(text))


def _margin(text: str, at: int) -> str:
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return before if not before.strip() else ""


def _in(text: str, margin: str, line_end: str) -> str:
    return text.replace("\n", line_end + margin)


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
