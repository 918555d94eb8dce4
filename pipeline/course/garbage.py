"""What no course needs any more, taken out of the store."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from pipeline.course.digest import digest
from pipeline.course.open import OpenCourse
from pipeline.course.published import keys_noted
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
    KeyLock,
    Store,
    claims_name,
    read_kept,
)
from pipeline.render.workspace import remove_dead
from transformer_core.errors import CheckFailed

DRAFT_SECONDS = 60.0
Keys = tuple[str, str]
"""Of a picture, and of its numbers."""


def collect(own: OpenCourse, others: Sequence[OpenCourse] = (), *, dry_run: bool = False) -> tuple[int, int]:
    """Remove what is neither in a lock nor of use for the inputs as they are now; returns files and bytes.

    `others`: the courses that use the same store. Running builds are not disturbed: their work lies in locked folders.
    Raises CheckFailed where something could not be removed.
    """
    store, courses = own.store, (own, *others)
    if not store.folder.is_dir():
        return 0, 0
    wanted = {key for each in courses for key in _keys(each)} | set(keys_noted(store))
    useless = [folder for folder in sorted(store.folder.glob(f"{PICTURES}/*/*")) if not _needed(folder, wanted)]
    made = [made for each in courses for made in each.lock.values()]
    names = {name for each in made for name in (*each.picture.values(), *each.numbers.values())}
    names |= {name for each in courses for state in each.states for name in state.inputs.details}
    stale = [path for path in (store.folder / DETAILS).glob("*.json") if path.stem not in names]
    stale += [path for path in store.published.glob("*.json") if path.name.removesuffix(".json") not in own.lock]
    claims = {claims_name(state.asset) for state in own.states}
    stale += [path for path in store.claims.glob("*.json") if path.name not in claims]
    stale += [path for part in (PUBLISHED, CLAIMS) for path in _of_nobody(store, part)]
    parts = (DETAILS, PUBLISHED, RUNS, CLAIMS)
    drafts = [path for part in parts for path in (store.folder / part).rglob(f"*{DRAFT}")]
    # A younger one may be about to get its name.
    stale += [path for path in drafts if time.time() - _changed(path) > DRAFT_SECONDS]
    assets = {state.asset.name for each in courses for state in each.states}
    failed = [path for path in (store.folder / FAILED).glob("*") if path.name not in assets]
    files = [each for path in (*useless, *dict.fromkeys(stale), *failed) for each in _files(path)]
    size = sum(map(_size, files))
    if dry_run:
        return len(files), size
    remove_dead(store.folder / WORK)
    for path in (*useless, *stale, *failed):
        _remove(path)
    for folder in store.folder.glob(f"{PICTURES}/*"):
        with suppress(OSError):
            folder.rmdir()
    for path in (store.folder / LOCKS).glob("*"):
        _remove_unheld(store, path)
    left = [each for each in files if os.path.lexists(each)]
    if left:
        told = f"{len(left)} of {len(files)} files could not be removed, such as {left[0]}"
        raise CheckFailed(str(store.folder), f"{told}; mend its permissions")
    return len(files), size


def _keys(course: OpenCourse) -> Iterator[Keys]:
    """The pictures that a lock names, or the next build would look at."""
    for made in course.lock.values():
        yield digest(dict(made.picture)), digest(dict(made.numbers))
    for state in course.states:
        yield state.inputs.picture_key, state.inputs.numbers_key


def _needed(folder: Path, wanted: Collection[Keys]) -> bool:
    kept = read_kept(folder / MANIFEST)
    return kept is not None and kept.whole and (folder.parent.name, kept.manifest.numbers_key) in wanted


def _of_nobody(store: Store, part: str) -> Iterator[Path]:
    """What is noted of a course or chapter that is there no more."""
    for path in (store.folder / part).rglob("*.json"):
        if not (store.folder.parent / path.parent.relative_to(store.folder / part)).is_file():
            yield path


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def _remove_unheld(store: Store, path: Path) -> None:
    with suppress(OSError), KeyLock(store, path.name) as lock:
        lock.take()


def _size(path: Path) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def _changed(path: Path) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0
