"""The ledgers of what a name of the course means, for `verify`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pipeline.course.asset import Asset
from pipeline.course.course import Course, read_course
from pipeline.course.lock import lock_path, read_lock
from pipeline.publish.ledger import ENDING, ledgers_of
from transformer_core.errors import InputError


@dataclass(frozen=True)
class Published:
    """A ledger, and the folder of its model, for where the reference in it means nothing from here."""

    ledger: str
    model: str | None = None


def published(asset: str, *, course: Path) -> list[Published]:
    """What a word on the command line means: a file or stem that is there, else a name of the course, if there is one.

    Raises InputError, with the nearest name, for what the course does not know or has not built.
    """
    own = ledgers_of(asset)
    if os.path.exists(own[0]) or os.path.exists(asset) or "/" in asset or not course.exists():
        return [Published(str(path)) for path in own]
    read = read_course(course)
    chosen = read.chosen([asset])
    pictures = [each for each in chosen if each.picture.kind != "numbers"]
    if not pictures:
        why = "it is a table, which is written from a ledger and has none"
        raise InputError(f"asset {asset!r}", why, "name a video or a figure")
    found = list(_ledgers(read, pictures))
    there = [each for each in found if os.path.exists(each.ledger)]
    if len(there) < len(found) or not found:
        raise InputError(f"asset {asset!r}", "it is not built here yet", f"run: python cli.py build --only {asset}")
    return there


def all_published(course: Path) -> list[Published]:
    """Every ledger of the course that is there."""
    if not course.exists():
        return []
    read = read_course(course)
    return [each for each in _ledgers(read, read.assets) if os.path.exists(each.ledger)]


def _ledgers(course: Course, assets: Iterable[Asset]) -> Iterable[Published]:
    """Each ledger that the lock names for these assets, once."""
    lock = read_lock(lock_path(course.path))
    models: dict[str, str | None] = {}
    for asset in assets:
        made = lock.get(asset.name)
        names = [file for file in made.files if file.endswith(ENDING)] if made else [f"{asset.stem}{ENDING}"]
        for name in names if asset.picture.kind != "numbers" else ():
            models.setdefault(str(course.output / name), _model(asset, course))
    return [Published(ledger, model) for ledger, model in models.items()]


def _model(asset: Asset, course: Course) -> str | None:
    """The asset's own model as seen from the current folder, where that is not the course's; None for a bundled one."""
    reference = asset.picture.spec.model
    folder = course.folder / (reference or "")
    return str(folder) if reference and folder.is_dir() and not os.path.exists(reference) else None
