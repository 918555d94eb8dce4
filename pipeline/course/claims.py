"""Which files of the output folder are ours to replace: what somebody else put there, or another course, is not."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pipeline.alone import alone
from pipeline.course.asset import Asset
from pipeline.course.edits import is_edited, set_aside
from pipeline.course.lock import Lock
from pipeline.course.neighbours import Neighbours
from pipeline.course.published import noted
from pipeline.course.store import Store, claims_name, file_digest, put_json
from pipeline.publish import formats
from pipeline.publish.ledger import ENDING, FORMAT, ledger_path
from pipeline.render.workspace import check_free
from transformer_core.errors import InputError

POSTER = ".png"


class Claims:
    """The claims of a course on names in its output folder.

    A file is ours if the lock has its name, if it has the bytes that were put there or are to be put there, or if it
    belongs to a ledger that lies beside it, as what `render` publishes does. What is to be put there is written down
    before the first file gets its name, so that a build that was killed in between knows its own. What a person changed
    in a file of ours is kept beside it.
    """

    def __init__(self, store: Store, lock: Lock, neighbours: Neighbours) -> None:
        course = neighbours.course
        self.store, self.neighbours, self.output, self.advice = store, neighbours, course.output, course.advice
        self._lock = lock
        self._locked = {file for made in lock.values() for file in made.files}

    def check(self, asset: Asset, names: Iterable[str]) -> None:
        """Raises InputError where another course's file, one that is not ours, or a folder has one of the names."""
        self.neighbours.check([asset])
        claimed = self._claimed(asset)
        for name in names:
            self._check(name, claimed, "")

    def claim(self, assets: Sequence[Asset], files: Mapping[str, Path]) -> list[str]:
        """Check the files of a picture's assets of one stem; write down what is to be put there and what is replaced.

        Returns a line for each file that a person had changed: theirs is kept beside.
        """
        coming = {name: file_digest(path) for name, path in files.items()}
        # Of two courses that come to one name at the same moment the second finds the first one's claim.
        with alone(self.output):
            self.neighbours.check(assets, coming)
            claimed = self._claimed(assets[0])
            for name, digest in coming.items():
                self._check(name, claimed, digest)
            there = {name: self.output / name for name in coming if (self.output / name).is_file()}
            now = {name: file_digest(path) for name, path in there.items()}
            ours = {name for name in now if now[name] in (coming[name], *(claimed or {}).get(name, ()))}
            put = self._put(assets)
            edited = [name for name in now.keys() - ours if is_edited(there[name], now[name], put, _has_ledger)]
            # Of a link the file that it leads to stays where it is.
            asides = {name: set_aside(there[name]) for name in sorted(edited) if not there[name].is_symlink()}
            data = {name: [digest, now.get(name, digest)] for name, digest in coming.items() if name not in edited}
            data |= {name: [coming[name]] for name in edited}
            put_json(self._path(assets[0]), {"output": self._place, "files": data})
        return [
            f"{there[name]} was changed by hand; what you made of it is kept as {path}" for name, path in asides.items()
        ]

    def _put(self, assets: Sequence[Asset]) -> Mapping[str, set[str]]:
        """The digests of what was put there for these assets, and for others of their stem, which share files."""
        put: dict[str, set[str]] = {}
        others = (name for name in self._lock if name.startswith(f"{assets[0].stem}."))
        for name in {*(asset.name for asset in assets), *others}:
            for file, digest in noted(self.store, name).items():
                put.setdefault(file, set()).add(digest)
        return put

    @property
    def _place(self) -> str:
        return os.path.relpath(self.output, self.store.folder)

    def _path(self, asset: Asset) -> Path:
        return self.store.claims / claims_name(asset)

    def _claimed(self, asset: Asset) -> Mapping[str, list[str]] | None:
        """The digests by name; None where the claims were made on another folder, so that the lock's are too."""
        try:
            data = json.loads(self._path(asset).read_text(encoding="utf-8"))
            return {name: list(each) for name, each in data["files"].items()} if data["output"] == self._place else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def _check(self, name: str, claimed: Mapping[str, list[str]] | None, coming: str) -> None:
        path = self.output / name
        check_free(self.output, name, self.advice)
        if not os.path.lexists(path) or (claimed is not None and name in self._locked):
            return
        known = [*(claimed or {}).get(name, ()), coming]
        if path.is_file() and (file_digest(path) in known or _has_ledger(path)):
            return
        raise InputError(
            str(path), "a file that was not published from here has this name", f"move it away, or {self.advice.file}"
        )


def _has_ledger(path: Path) -> bool:
    """Whether a ledger beside a picture, track or transcript is that file's, and the picture says so too."""
    ledger = ledger_path(str(path))
    stem = ledger.name.removesuffix(ENDING)
    ending = path.name.removeprefix(stem)
    if ending == path.name or not ending:
        return False
    try:
        data = json.loads(ledger.read_text(encoding="utf-8"))
        ours = data["format"] == FORMAT and data["asset"] == stem
        return ours and (ending == POSTER or str(data["digest"]) in _mark(path, ending, otherwise=str(data["digest"])))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _mark(path: Path, ending: str, *, otherwise: str) -> str:
    """What a film or figure says of its numbers; `otherwise` for what is neither."""
    for form in formats.film_names():
        if ending == formats.load_film(form).ENDING:
            return formats.load_film(form).mark(path)
    if ending.removeprefix(".") in formats.names():
        return formats.load(ending.removeprefix(".")).digest(path.read_bytes())
    return otherwise
