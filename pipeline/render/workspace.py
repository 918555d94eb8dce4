"""A private folder beside the place of publication, and the step from one to the other.

A running render holds a lock on its folder, which the system releases however the process ends. So a
folder without a lock is a dead render's, and is removed by the next one that starts.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pipeline.alone import alone
from transformer_core.errors import InputError

PREFIX = ".rendering-"
REPLACED = "replaced-"
FRAMES_ENDING, FRAME_NAME = ".frames", re.compile(r"\d{5,}\.png")


@dataclass(frozen=True)
class Advice:
    """What to type instead, where a folder cannot be written to, or a file's name is taken."""

    folder: str = "name another folder with -o"
    file: str = "name another file with -o"


ADVICE = Advice()


class Workspace:
    """A work folder inside the output folder. Use it as a context: on leaving, the work folder is gone."""

    def __init__(self, output: Path, advice: Advice = ADVICE) -> None:
        self.output, self.advice = output, advice
        self._made: list[Path] = []
        self._lock = -1

    def __enter__(self) -> Self:
        """Make the output folder where needed, clear up after dead renders, make and lock the work folder.

        Raises InputError when the output folder cannot be written.
        """
        try:
            missing = [each for each in (self.output, *self.output.parents) if not each.exists()]
            self.output.mkdir(parents=True, exist_ok=True)
            self._made = missing
            with alone(self.output):
                remove_dead(self.output)
                self.folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=self.output))
                self._lock = _lock(self.folder)
        except BaseException as error:
            self.__exit__()
            if isinstance(error, OSError):
                raise unwritable(self.output, error, self.advice) from None
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock >= 0:
            shutil.rmtree(self.folder, ignore_errors=True)
            os.close(self._lock)
        self._remove_empty()

    def publish(self, files: Mapping[str, Path]) -> list[Path]:
        """Move finished files to their names in the output folder, in the given order, each by one rename.

        Two renders that publish at once follow one another, so that the files of one name belong together.
        Raises InputError, with nothing moved, where a folder has one of the names.
        """
        with alone(self.output):
            for name in files:
                check_free(self.output, name, self.advice)
            for number, (name, path) in enumerate(files.items()):
                _settle(path)
                if (self.output / name).is_dir():
                    os.replace(self.output / name, self.folder / f"{REPLACED}{number}")
                os.replace(path, self.output / name)
        return [self.output / name for name in files]

    def _remove_empty(self) -> None:
        for folder in self._made:
            try:
                folder.rmdir()
            except OSError:
                return


def check_writable(folder: Path, advice: Advice = ADVICE) -> None:
    """Raises InputError when the folder, or files in it, cannot be made. Writes nothing."""
    # os.path.exists, unlike Path.exists, takes a name that is too long for one that does not exist.
    nearest = next(each for each in (folder, *folder.absolute().parents) if os.path.exists(each))
    if any(len(os.fsencode(part)) > longest_name(nearest) for part in folder.parts):
        raise InputError(f"{str(folder)[:60]}…", "the name is too long", advice.folder)
    if not nearest.is_dir():
        raise InputError(str(folder), f"{nearest} is a file", advice.folder)
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise InputError(str(folder), "you may not write there", advice.folder)


def check_free(folder: Path, name: str, advice: Advice = ADVICE) -> None:
    """Raises InputError where a folder has the name that a file is to have, unless it holds frames of a film alone."""
    if (folder / name).is_dir() and not _is_frames(folder / name):
        raise InputError(str(folder / name), "it is a folder", f"remove it, or {advice.file}")


def _is_frames(folder: Path) -> bool:
    """Whether a film in single pictures is there that may be replaced by another."""
    return folder.suffix == FRAMES_ENDING and all(FRAME_NAME.fullmatch(each.name) for each in folder.iterdir())


def longest_name(folder: Path) -> int:
    """How many bytes a file's name may have there."""
    try:
        return os.pathconf(folder, "PC_NAME_MAX")
    except (OSError, ValueError):
        return 255


def unwritable(folder: Path, error: OSError, advice: Advice = ADVICE) -> InputError:
    """The one line for a folder that the system will not write to."""
    return InputError(str(folder), f"cannot be written ({error.strerror})", advice.folder)


def remove_dead(output: Path) -> None:
    """Remove work folders whose process is gone."""
    for folder in output.glob(f"{PREFIX}*"):
        try:
            lock = _lock(folder)
        except OSError:
            continue
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _lock(folder: Path) -> int:
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise
    return handle


def _settle(path: Path) -> None:
    """Make sure that the bytes of the file, or of the folder's files, are on the disk before its name is."""
    if path.is_dir():
        for each in path.iterdir():
            _settle(each)
        return
    with path.open("rb") as file:
        os.fsync(file.fileno())
