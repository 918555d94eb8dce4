"""Published files that a person changed since: before such a file is replaced, it is kept beside under another name."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from pipeline.course.store import file_digest
from pipeline.publish.ledger import ENDING, ledger_path, rows_digest
from pipeline.publish.texts import text_digest

EDITED = ".edited"


def is_edited(path: Path, now: str, noted: Mapping[str, Collection[str]], vouched: Callable[[Path], bool]) -> bool:
    """Whether a file of ours, with the digest `now`, has been changed since it was published.

    `noted`: the digests that were put there, by name. A file is not edited where it came with its ledger from
    elsewhere, another checkout or `render`: the ledger is not the one that was put there either, and speaks for the
    file. `vouched` says so of a picture.
    """
    if now in noted.get(path.name, ()):
        return False
    beside = ledger_path(str(path))
    ledger = _ledger(beside)
    if ledger is None:
        return path.name in noted
    whole = rows_digest(ledger) == ledger["rows_digest"]
    if path == beside:
        return not whole
    elsewhere = path.name not in noted or (whole and file_digest(beside) not in noted.get(beside.name, ()))
    return not (elsewhere and _speaks_for(path, ledger, vouched))


def set_aside(path: Path) -> Path:
    """Keep a file as it is now under another name beside, which the person can see: `x.en.edited.svg`."""
    digest, number, aside = file_digest(path), 1, path.with_name(f"{path.stem}{EDITED}{path.suffix}")
    while os.path.lexists(aside):
        if aside.is_file() and file_digest(aside) == digest:
            return aside
        number += 1
        aside = path.with_name(f"{path.stem}{EDITED}-{number}{path.suffix}")
    draft = path.with_name(f".{aside.name}.{os.getpid()}")
    try:
        shutil.copy2(path, draft)
        os.rename(draft, aside)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    return aside


def _ledger(path: Path) -> Mapping[str, object] | None:
    """The ledger, if it is whole."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return data if isinstance(data["rows_digest"], str) and rows_digest(data) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _speaks_for(path: Path, ledger: Mapping[str, object], vouched: Callable[[Path], bool]) -> bool:
    texts, stem = ledger.get("texts"), ledger_path(str(path)).name.removesuffix(ENDING)
    own = f"{ledger.get('asset')}{path.name.removeprefix(stem)}"
    if isinstance(texts, dict) and own in texts:
        return text_digest(path.read_text(encoding="utf-8", errors="replace")) == texts[own]
    return vouched(path)
