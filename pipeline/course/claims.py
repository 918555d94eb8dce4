"""Which files of the output folder are ours to replace: a file that somebody else put there is not."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from pipeline.course.asset import Asset
from pipeline.course.lock import Lock
from pipeline.course.store import CLAIMS, Store, file_digest, put_json
from pipeline.publish import formats
from pipeline.publish.ledger import ENDING, FORMAT, ledger_path
from pipeline.render.workspace import Advice, check_free
from transformer_core.errors import InputError

POSTER = ".png"


class Claims:
    """The claims of a course on names in its output folder.

    A file is ours if the lock has its name, if it has the bytes that were put there or are to be put there, or if it
    belongs to a ledger that lies beside it, as what `render` publishes does. What is to be put there is written down
    before the first file gets its name, so that a build that was killed in between knows its own.
    """

    def __init__(self, store: Store, lock: Lock, output: Path, advice: Advice) -> None:
        self.store, self.output, self.advice = store, output, advice
        self._locked = {file for made in lock.values() for file in made.files}

    def check(self, asset: Asset, names: Iterable[str]) -> None:
        """Raises InputError where a file that is not ours, or a folder, has one of the asset's names."""
        claimed = self._claimed(asset)
        for name in names:
            self._check(name, claimed, "")

    def claim(self, asset: Asset, files: Mapping[str, Path]) -> None:
        """Check the files of an asset's picture, and write down what is to be put there and what is replaced by it."""
        claimed = self._claimed(asset)
        coming = {name: file_digest(path) for name, path in files.items()}
        told: dict[str, list[str]] = {}
        for name, digest in coming.items():
            self._check(name, claimed, digest)
            path = self.output / name
            told[name] = [digest, *([file_digest(path)] if path.is_file() else [])]
        put_json(self._path(asset), {"output": self._place, "files": told})

    @property
    def _place(self) -> str:
        return os.path.relpath(self.output, self.store.folder)

    def _path(self, asset: Asset) -> Path:
        return self.store.folder / CLAIMS / claims_name(asset)

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


def claims_name(asset: Asset) -> str:
    """The file of the claims of a picture. A table may have the stem of a figure."""
    return f"{asset.stem}.{asset.picture.kind}.json"


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
