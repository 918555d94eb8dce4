"""A deck as PDF, a page for each slide: the beat's last picture as outlines, its captions as text; set by Typst.

With notes it is for paper: A4 pages that have the notes under each picture. All texts come to Typst as data, never as
its markup. The bytes have no date, and no font but ours, so that the same deck is the same file.
"""

from __future__ import annotations

import json
import re
import tempfile
from html import unescape
from pathlib import Path
from typing import Any

from pipeline.publish.formats import svg
from pipeline.publish.formats._figure import Figure
from pipeline.render.drawing import Drawing
from pipeline.slides._deck import CREATOR, LEGEND, Block, Deck, Part, Slide

CLIPS, OUTLINES = False, True
SOURCE = Path(__file__).with_name("deck.typ")
ON_PAPER = {"text": "#000000", "note": "#4A4A4A"}
"""Colours of text on white paper, whatever the pictures' ground."""


def write(deck: Deck) -> bytes:
    """The PDF file."""
    import typst

    from scenes.kit.glyphs import FONTS

    with tempfile.TemporaryDirectory(prefix="manim-attention-") as made:
        folder = Path(made)
        data = {
            "title": deck.title,
            "command": deck.command,
            "numbers": list(deck.numbers),
            "creator": CREATOR,
            "language": deck.language,
            "notes": deck.notes,
            "colon": deck.words["colon"].strip(),
            "colours": _colours(deck),
            "legend": [[role, deck.words[role]] for role in LEGEND],
            "parts": [_part(part, deck, folder) for part in deck.parts],
        }
        (folder / "deck.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        (folder / SOURCE.name).write_bytes(SOURCE.read_bytes())
        fonts: Any = [str(FONTS)]
        return bytes(
            typst.compile(
                str(folder / SOURCE.name), root=made, font_paths=fonts, ignore_system_fonts=True, format="pdf"
            )
        )


def mark(data: bytes) -> str:
    """The digests in the file's metadata, which is not compressed."""
    found = re.search(rb"<pdf:Keywords>([^<]*)</pdf:Keywords>", data)
    return unescape(found[1].decode("utf-8", errors="replace")) if found else ""


def _colours(deck: Deck) -> dict[str, str]:
    theme = deck.theme
    named = {"ground": theme.ground, "text": theme.text, "note": theme.note, "line": theme.guide}
    return named | {role: theme.role(role) for role in LEGEND} | (ON_PAPER if deck.notes else {})


def _part(part: Part, deck: Deck, folder: Path) -> dict[str, Any]:
    return {
        "title": part.title,
        "prompt": part.prompt,
        "model": deck.words["model"].format(part.model),
        "room": {key: getattr(part.room, key) for key in ("share", "size", "left", "width", "top")},
        "slides": [_slide(slide, part, deck, folder) for slide in part.slides],
    }


def _slide(slide: Slide, part: Part, deck: Deck, folder: Path) -> dict[str, Any]:
    name = f"{part.name}.{slide.name}.svg"
    (folder / name).write_bytes(svg.write(_figure(slide, part, deck)))
    return {
        "title": slide.title,
        "picture": name,
        "said": list(slide.said),
        "seen": slide.seen or slide.title,
        "shown": deck.words["seen"].format(slide.seen) if slide.seen else "",
        "notes": list(map(_note, slide.notes)),
    }


def _figure(slide: Slide, part: Part, deck: Deck) -> Figure:
    return Figure(
        drawing=Drawing.load(slide.drawing),
        pixels=slide.still,
        title=slide.title,
        alt=slide.seen,
        language=deck.language,
        digest=part.digest,
        command=deck.command,
    )


def _note(block: Block) -> str | dict[str, Any]:
    return block if isinstance(block, str) else {"title": block.title, "head": block.head, "rows": block.rows}
