"""The texts beside a video: made from its ledger, whose `texts` keep their digests, and compared with it later."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.publish.captions import chapters, tracks
from pipeline.publish.ledger import ENDING, rows_digest
from pipeline.publish.transcript import transcripts
from transformer_core.errors import InputError

AROUND = 24
"""How much of a line is quoted on either side of what is another."""


@dataclass(frozen=True)
class Altered:
    """A text that is not the one published: where, what stands there, what was published."""

    where: str
    shown: str
    published: str


def texts_of(data: Mapping[str, Any], *, stem: str) -> dict[str, str]:
    """Captions, chapters and transcripts of a ledger, by file name."""
    spoken = tracks(data) if data["render"].get("captions") != "none" else {}
    titled = {".chapters.vtt": chapters(data, data["render"]["language"])}
    files = spoken | titled | transcripts(data, ledger=stem + ENDING)
    return {stem + ending: text for ending, text in files.items()}


def sealed(data: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """The ledger with the digests of the texts published with it."""
    kept = {**data, "texts": {name: text_digest(text) for name, text in texts.items()}}
    return kept | {"rows_digest": rows_digest(kept)}


def text_digest(text: str) -> str:
    """The SHA-256 of a text, however its lines end."""
    return hashlib.sha256("\n".join(text.splitlines()).encode()).hexdigest()


def altered_texts(path: Path, data: Mapping[str, Any]) -> Iterator[Altered]:
    """Each text beside a ledger that was changed after it was published; one that is not there is not looked at."""
    stem = path.name.removesuffix(ENDING)
    for name, told in data.get("texts", {}).items():
        ending = name.removeprefix(data["asset"])
        file = path.parent / (name if ending == name else stem + ending)
        if file.parent != path.parent or not file.is_file():
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        if text_digest(text) == told:
            continue
        made = _made_again(data).get(name, "")
        if text_digest(made) == told:
            yield _first_change(file.name, text, made)
        else:
            changed = f"the ledger's is {told!s:.16}…: it was changed"
            yield Altered(file.name, f"digest {text_digest(text)[:16]}…", changed)


def _made_again(data: Mapping[str, Any]) -> Mapping[str, str]:
    """The texts of a ledger as this version writes them; none for a ledger that was tampered with."""
    try:
        return texts_of(data, stem=data["asset"])
    except (LookupError, TypeError, ValueError, AttributeError, InputError):
        return {}


def _first_change(name: str, text: str, made: str) -> Altered:
    lines, wanted = text.splitlines(), made.splitlines()
    number = next(
        (at for at, (one, other) in enumerate(zip(lines, wanted, strict=False)) if one != other),
        min(len(lines), len(wanted)),
    )
    one, other = (each[number] if number < len(each) else "" for each in (lines, wanted))
    shown, published = _excerpts(one, other)
    return Altered(f"{name}, line {number + 1}", shown, published)


def _excerpts(one: str, other: str) -> tuple[str, str]:
    """The part of two lines in which they differ, with some of what stands around it."""
    begin = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest = zip(one[begin:][::-1], other[begin:][::-1], strict=False)
    end = next((at for at, (a, b) in enumerate(rest) if a != b), min(len(one), len(other)) - begin)
    parts = []
    for line in (one, other):
        first, last = max(0, begin - AROUND), min(len(line), len(line) - end + AROUND)
        part = f"{'…' if first else ''}{line[first:last]}{'…' if last < len(line) else ''}"
        parts.append(f"“{part}”" if line else "nothing")
    return parts[0], parts[1]
