"""Jupyter notebooks: a cell of code that shows the player, found again by its metadata.

Jupyter shows HTML that nobody ran without its videos. So the cell is kept with the poster as its output, which
links to the video and has chapters and text; run, it shows the player. Captions are inside, since a notebook's page is
served from elsewhere than its files. All other cells keep every byte.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipeline.publish.embeds import Placed
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._element import Element, Html, Script
from pipeline.publish.embeds._figure import figure, image, still
from pipeline.publish.embeds._owner import Owner, base_of
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._picture import ShownPicture
from pipeline.publish.embeds._text import paragraph
from transformer_core.errors import InputError

ENDINGS = (".ipynb",)
KEY = "attention-video"
SHOW_POSTER = Script("this.closest('figure').querySelector('video').poster = this.src")
"""JupyterLab finds the file of an image, but not that of a poster."""
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
EMPTY = {"cells": [], "metadata": {"kernelspec": KERNEL}, "nbformat": 4, "nbformat_minor": 5}
"""A notebook without cells."""
CHANGED = ("source", "outputs", "execution_count")
"""What of a cell is brought up to date."""
CUT = 'python -c "import pathlib, sys; file = pathlib.Path(sys.argv[1]); file.write_bytes(file.read_bytes()[3:])"'
"""The command that takes a mark of three bytes off a file."""
WHITE = " \t\r\n"


@dataclass(frozen=True)
class Span:
    """A cell and where in the file's text it stands."""

    start: int
    stop: int
    cell: Mapping[str, Any]


def snippet(shown: Embeddable, page: Page) -> str:
    """The source of a cell: of Markdown for a picture, else of code. No data in the HTML has a quote or a backslash."""
    asset = shown.asset
    if isinstance(shown, ShownPicture):
        return f"{Html().element(image(shown.asset, link=page.relative))}\n\n{paragraph(asset.label)}"
    if shown.asset.moves:
        return _source(Html().element(still(shown.asset, link=page.relative)))
    loaded = Element("img", {"src": page.relative(asset.poster), "alt": "", "hidden": True, "onload": SHOW_POSTER})
    alone = replace(shown, twin=None, inline=True)
    text = figure(alone, link=page.relative, writer=Html(), more=(loaded,))
    return _source(text)


def _source(text: str) -> str:
    return f'from IPython.display import HTML\n\nHTML(r"""\n{text}\n""")'


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The notebook with the cell at its end, or with the cell brought up to date where it is.

    Raises InputError for a file that is no notebook of format 4.
    """
    text = _decoded(document, page)
    spans, place = _cells(text, page)
    owner = Owner(shown.asset, page, snippet(shown, page))
    named = [span for span in spans if base_of(str(span.cell.get("metadata", {}).get(KEY))) == shown.asset.name]
    own = owner.own([(span.cell["metadata"][KEY], text_of(span.cell)) for span in named])
    mark = owner.long_mark if named else shown.asset.name
    cell = _cell(shown, page, mark)
    for span, is_own in reversed([*zip(named, own, strict=True)]):
        if is_own and span.cell.get("source") != cell["source"]:
            changed = {**span.cell, **{key: cell[key] for key in CHANGED if key in cell}}
            text = text[: span.start] + _written(changed, text, span.start) + text[span.stop :]
    if not any(own):
        text = _appended(text, spans, place, _identified(cell, mark, text))
    return text.encode()


def placed(document: bytes, page: Page) -> Iterator[Placed]:
    """The cells that were put into the notebook. Raises InputError."""
    for number, cell in enumerate(cells_of(document, page), 1):
        name = cell.get("metadata", {}).get(KEY)
        if isinstance(name, str):
            yield Placed(name, "cell", number, text_of(cell))


def cells_of(document: bytes, page: Page) -> list[dict[str, Any]]:
    """The cells of a notebook. Raises InputError."""
    return json.loads(_decoded(document, page)).get("cells", [])


def text_of(cell: Mapping[str, Any]) -> str:
    """The source of a cell, which may be written as one string or as lines."""
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _cell(shown: Embeddable, page: Page, mark: str) -> dict[str, Any]:
    """A cell of code that was not run, hidden but for its output; of Markdown for a picture."""
    source = snippet(shown, page).splitlines(keepends=True)
    if isinstance(shown, ShownPicture):
        return {"cell_type": "markdown", "metadata": {KEY: mark}, "source": source}
    asset = shown.asset
    data = {
        "text/html": Html().element(still(asset, link=page.relative)).splitlines(keepends=True),
        "text/plain": [asset.label],
    }
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {KEY: mark, "jupyter": {"source_hidden": True}},
        "outputs": [{"output_type": "display_data", "data": data, "metadata": {}}],
        "source": source,
    }


def _decoded(document: bytes | None, page: Page) -> str:
    if document and document.startswith(codecs.BOM_UTF8):
        why = "it begins with a byte order mark, which no notebook may have"
        raise InputError(str(page.file), why, f"take it off: {CUT} {shlex.quote(str(page.file))}")
    try:
        text = json.dumps(EMPTY, indent=1) + "\n" if document is None else document.decode("utf-8")
        if _is_notebook(json.loads(text)):
            return text
    except (ValueError, RecursionError):
        pass
    raise InputError(str(page.file), "it is no notebook of format 4", "save it again with Jupyter")


def _is_notebook(data: Any) -> bool:
    """Whether the parts that are read here are of the kinds that format 4 gives them. `cells` may be missing."""
    if not isinstance(data, dict) or data.get("nbformat") != 4 or not isinstance(data.get("nbformat_minor", 0), int):
        return False
    cells = data.get("cells", [])
    return isinstance(cells, list) and all(
        isinstance(cell, dict) and isinstance(cell.get("metadata", {}), dict) for cell in cells
    )


def _identified(cell: dict[str, Any], name: str, text: str) -> dict[str, Any]:
    """The cell with an identifier, where the notebook's format has them."""
    if json.loads(text).get("nbformat_minor", 0) < 5:
        return cell
    return {"cell_type": cell["cell_type"], "id": hashlib.sha256(name.encode()).hexdigest()[:8], **cell}


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
