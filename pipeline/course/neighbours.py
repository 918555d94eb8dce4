"""Other courses that publish into the same folder: what one of them published, another does not replace."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.course.asset import Asset
from pipeline.course.course import SUFFIX, Course, read_course
from pipeline.course.lock import lock_path, read_lock
from pipeline.course.names import folded, names_known_of
from pipeline.course.store import FOLDER, Store, claims_name
from transformer_core.errors import InputError

Stamp = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class _Theirs:
    """What a course says is its own: the output folder, None where its file cannot be read; names, and claims."""

    output: Path | None
    names: frozenset[str]
    claims: frozenset[str] | None


class Neighbours:
    """The courses beside one, whose files lie in its folder or above its output folder.

    A name belongs to a course that has built it and still asks for it; a copy of a course file that nobody ever built
    owns nothing.
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self._known: dict[Path, tuple[Stamp, _Theirs]] = {}

    def check(self, assets: Sequence[Asset], names: Iterable[str] = ()) -> None:
        """Raises InputError where a file of these assets, or one of these names, is another course's."""
        if self.course.path.suffix != SUFFIX:
            # Chapters of one folder share pictures on purpose.
            return
        known = (name for asset in assets for name in names_known_of(asset))
        wanted = {folded(name): name for name in (*known, *names)}
        for path in self._files():
            theirs = self._read(path)
            if theirs.output is not None and not _same(theirs.output, self.course.output):
                continue
            taken = theirs.names
            for asset in assets:
                if theirs.claims is None or folded(claims_name(asset)) in theirs.claims:
                    taken |= _claimed(path, asset)
            for name in (name for key, name in wanted.items() if key in taken):
                raise InputError(
                    str(self.course.output / name),
                    f"it is published from {self._shown(path)}, too",
                    f'in {self.course.path.name} give the asset a name = "…", or [course] another output = "…"',
                )

    def _files(self) -> Iterator[Path]:
        """Every other course file that was built, as far as its folder tells."""
        own = _real(self.course.path)
        folders = {own.parent, *_real(self.course.output / "x").parents}
        for path in sorted(path for folder in folders for path in folder.glob("*.toml")):
            if _real(path) != own and (os.path.exists(lock_path(path)) or os.path.isdir(_store(path).claims)):
                yield path

    def _read(self, path: Path) -> _Theirs:
        stamp = tuple(map(_stamp, (path, lock_path(path))))
        if path not in self._known or self._known[path][0] != stamp:
            self._known[path] = stamp, _theirs(path)
        return self._known[path][1]

    def _shown(self, path: Path) -> str:
        same = path.parent == _real(self.course.path).parent
        return path.name if same else os.path.relpath(path)


def _theirs(path: Path) -> _Theirs:
    try:
        course = read_course(path)
    except (InputError, OSError):
        course = None
    asked = {asset.name for asset in course.assets} if course else None
    try:
        lock = read_lock(lock_path(path))
        names = [file for name, made in lock.items() if asked is None or name in asked for file in made.files]
    except InputError:
        # It was built, and nobody knows what: all that it asks for.
        names = [name for asset in (course.assets if course else ()) for name in names_known_of(asset)]
    claims = frozenset(folded(claims_name(asset)) for asset in course.assets) if course else None
    return _Theirs(course.output if course else None, frozenset(map(folded, names)), claims)


def _claimed(path: Path, asset: Asset) -> frozenset[str]:
    """What a build that may still be running is about to publish, or has, under that stem."""
    try:
        data = json.loads((_store(path).claims / claims_name(asset)).read_text(encoding="utf-8"))
        return frozenset(map(folded, data["files"]))
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()


def _store(path: Path) -> Store:
    return Store(path.parent / FOLDER, path.name)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
        return stat.st_size, stat.st_mtime_ns
    except OSError:
        return 0, 0


def _same(folder: Path, other: Path) -> bool:
    try:
        return folder.samefile(other)
    except OSError:
        return folded(str(_real(folder))) == folded(str(_real(other)))


def _real(path: Path) -> Path:
    """The path without links. A path's own method raises for links that lead in a circle."""
    return Path(os.path.realpath(path))
