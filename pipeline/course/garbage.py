"""What no course needs any more, taken out of the store."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from pipeline.course.claims import claims_name
from pipeline.course.digest import digest
from pipeline.course.lock import Lock
from pipeline.course.state import State
from pipeline.course.store import (
    CLAIMS,
    DETAILS,
    DRAFT,
    FAILED,
    LOCKS,
    MANIFEST,
    PICTURES,
    PUBLISHED,
    RUNS,
    WORK,
    Kept,
    KeyLock,
    Store,
    read_kept,
)
from pipeline.render.workspace import remove_dead


def collect(store: Store, states: list[State], lock: Lock, *, dry_run: bool = False) -> tuple[int, int]:
    """Remove what is neither in the lock nor of use for the inputs as they are now; returns files and bytes.

    Running builds are not disturbed: their work lies in locked folders.
    """
    if not store.folder.is_dir():
        return 0, 0
    useless = [folder for folder in sorted(store.folder.glob(f"{PICTURES}/*/*")) if not _needed(folder, states, lock)]
    names = {name for made in lock.values() for name in (*made.picture.values(), *made.numbers.values())}
    names |= {name for state in states for name in state.inputs.details}
    stale = [path for path in (store.folder / DETAILS).glob("*.json") if path.stem not in names]
    stale += [path for path in (store.folder / PUBLISHED).glob("*.json") if path.name.removesuffix(".json") not in lock]
    claims = {claims_name(state.asset) for state in states}
    stale += [path for path in (store.folder / CLAIMS).glob("*.json") if path.name not in claims]
    stale += [path for part in (DETAILS, PUBLISHED, RUNS, CLAIMS) for path in (store.folder / part).glob(f"*{DRAFT}")]
    assets = {state.asset.name for state in states}
    failed = [path for path in (store.folder / FAILED).glob("*") if path.name not in assets]
    files = [each for path in (*useless, *stale, *failed) for each in _files(path)]
    size = sum(os.lstat(path).st_size for path in files)
    if dry_run:
        return len(files), size
    remove_dead(store.folder / WORK)
    for path in (*useless, *stale, *failed):
        _remove(path)
    for folder in store.folder.glob(f"{PICTURES}/*"):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    for path in (store.folder / LOCKS).glob("*"):
        _remove_unheld(store, path)
    return len(files), size


def _needed(folder: Path, states: list[State], lock: Lock) -> bool:
    """Whether the lock names a kept picture, or the next build would look at it."""
    kept = read_kept(folder / MANIFEST)
    if kept is None or not kept.whole:
        return False
    key = folder.parent.name
    made = any(_is(kept, key, digest(dict(each.picture)), digest(dict(each.numbers))) for each in lock.values())
    return made or any(_is(kept, key, each.inputs.picture_key, each.inputs.numbers_key) for each in states)


def _is(kept: Kept, key: str, picture_key: str, numbers_key: str) -> bool:
    return (key, kept.manifest.numbers_key) == (picture_key, numbers_key)


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _remove_unheld(store: Store, path: Path) -> None:
    with KeyLock(store, path.name) as lock:
        lock.take()
