"""What lies in the output folder, compared with what was put there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from pipeline.course.digest import digest
from pipeline.course.lock import Made
from pipeline.course.store import PUBLISHED, Store, file_digest, put_json
from pipeline.publish.ledger import ENDING

BEGINNING = 4096
_DIGEST = re.compile(r'"digest": ?"([0-9a-f]{64})"')


def made_digest(made: Made) -> str:
    """Names one state of an asset."""
    return digest({key: value for key, value in asdict(made).items() if key != "accepted"})


def note(store: Store, name: str, made: Made, output: Path) -> None:
    """Remember what an asset's files are, so that a look at their sizes and times tells whether they still are it."""
    files = {file: [*_stat(output / file), file_digest(output / file)] for file in made.files}
    put_json(store.folder / PUBLISHED / f"{name}.json", {"made": made_digest(made), "files": files})


def lies_there(store: Store, name: str, made: Made, output: Path) -> bool:
    """Whether the asset's files are in the output folder, as the lock has them."""
    try:
        known = json.loads((store.folder / PUBLISHED / f"{name}.json").read_text(encoding="utf-8"))
        if known["made"] != made_digest(made):
            return False
        return all(_is(output / file, known["files"][file]) for file in made.files)
    except FileNotFoundError:
        return _looks_right(output, made)
    except (ValueError, KeyError, TypeError):
        return False


def _is(path: Path, told: Iterable[object]) -> bool:
    size, time, sha = told
    try:
        return [size, time] == _stat(path) or (size == path.stat().st_size and sha == file_digest(path))
    except OSError:
        return False


def _stat(path: Path) -> list[int]:
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns]


def _looks_right(output: Path, made: Made) -> bool:
    """For files that came with the checkout: all there, with ledgers of the lock's digest."""
    for file in made.files:
        try:
            with (output / file).open("rb") as opened:
                begin = opened.read(BEGINNING)
        except OSError:
            return False
        if file.endswith(ENDING):
            told = _DIGEST.search(begin.decode("utf-8", errors="replace"))
            if not told or told[1] != made.digest:
                return False
    return True
