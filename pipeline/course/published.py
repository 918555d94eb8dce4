"""What lies in the output folder, compared with what was put there."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from pipeline.course.digest import digest
from pipeline.course.lock import Made
from pipeline.course.store import PUBLISHED, Store, file_digest, put_json
from pipeline.publish.ledger import ENDING

Lie = Literal["current", "absent", "altered"]
"""Files that are those built, are not there, or are others."""

BEGINNING = 4096
_DIGEST = re.compile(r'"digest": ?"([0-9a-f]{64})"')


def made_digest(made: Made) -> str:
    """Names one state of an asset."""
    return digest({key: value for key, value in asdict(made).items() if key != "accepted"})


def note(store: Store, name: str, made: Made, output: Path) -> None:
    """Remember what an asset's files are, so that a look at their sizes and times tells whether they still are it."""
    files = {file: [*_stat(output / file), file_digest(output / file)] for file in made.files}
    keys = {"picture": digest(dict(made.picture)), "numbers": digest(dict(made.numbers))}
    put_json(store.published / f"{name}.json", {"made": made_digest(made), **keys, "files": files})


def note_again(store: Store, name: str, shared: Iterable[str], output: Path) -> None:
    """Remember those files of another asset anew that it shares with one that was published."""
    path = store.published / f"{name}.json"
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        ours = {file: [*_stat(output / file), file_digest(output / file)] for file in shared if file in known["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        return
    if ours:
        put_json(path, {**known, "files": {**known["files"], **ours}})


def noted(store: Store, name: str) -> dict[str, str]:
    """The digest of each file that was put there for an asset, as far as that was noted."""
    try:
        known = json.loads((store.published / f"{name}.json").read_text(encoding="utf-8"))
        return {file: str(sha) for file, (_, _, sha) in known["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def keys_noted(store: Store) -> Iterator[tuple[str, str]]:
    """The keys of the pictures that other courses, and chapters, have published, of which the file is still there."""
    for path in (store.folder / PUBLISHED).rglob("*.json"):
        if path.parent == store.published:
            continue
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            if (store.folder.parent / path.parent.relative_to(store.folder / PUBLISHED)).is_file():
                yield known["picture"], known["numbers"]
        except (OSError, ValueError, KeyError, TypeError):
            continue


def what_lies_there(store: Store, name: str, made: Made, output: Path) -> tuple[Lie, tuple[str, ...]]:
    """Whether the asset's files are in the output folder as the lock has them, are not there, or are others: which.

    Another file in the place of one that was published is "altered", whatever else is missing.
    """
    try:
        known = json.loads((store.published / f"{name}.json").read_text(encoding="utf-8"))
        told = known["files"] if known["made"] == made_digest(made) else {}
        right = {file: _is(output / file, told.get(file)) for file in made.files}
    except FileNotFoundError:
        right = {file: _looks_right(output / file, made) for file in made.files}
    except (ValueError, KeyError, TypeError):
        right = dict.fromkeys(made.files, False)
    if all(right.values()):
        return "current", ()
    others = tuple(file for file in made.files if not right[file] and os.path.exists(output / file))
    return ("altered" if others else "absent"), others


def _is(path: Path, told: Sequence[object] | None) -> bool:
    if told is None:
        return False
    size, time, sha = told
    try:
        return [size, time] == _stat(path) or (size == path.stat().st_size and sha == file_digest(path))
    except OSError:
        return False


def _stat(path: Path) -> list[int]:
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns]


def _looks_right(path: Path, made: Made) -> bool:
    """For a file that came with the checkout: there, and a ledger is of the lock's digest."""
    try:
        with path.open("rb") as opened:
            begin = opened.read(BEGINNING)
    except OSError:
        return False
    if not path.name.endswith(ENDING):
        return True
    told = _DIGEST.search(begin.decode("utf-8", errors="replace"))
    return bool(told) and told[1] == made.digest
