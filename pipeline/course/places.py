"""The folders that a build stands on: whether they are still there, and one line for what the system would not do."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from pipeline.course.course import Course
from pipeline.course.store import Store
from transformer_core.errors import CheckFailed

FULL = (errno.ENOSPC, errno.EDQUOT)
AGAIN = "nothing of what was at work is published; build again"


class Places:
    """A course's folder and store as they were when a build began."""

    def __init__(self, course: Course, store: Store) -> None:
        self.course, self.store = course, store
        self._began = [(folder, _identity(folder)) for folder in (course.folder, store.folder)]
        # The current folder may be gone later on, and with it what a path that begins there means.
        self._known = [(folder, folder.absolute()) for folder in (store.folder, course.output)]

    def gone(self) -> CheckFailed | None:
        """What to say where one of them was removed, moved or replaced since: nothing else need be said then."""
        for folder, began in self._began:
            if _identity(folder) != began:
                return CheckFailed(str(folder), f"it was removed or moved while the build ran; {AGAIN}")
        return None

    def told(self, error: OSError, label: str) -> CheckFailed:
        """One line for an error of the system while a task was at work."""
        if error.errno in FULL:
            return CheckFailed(label, "the disk is full; nothing of it was published: make room and build again")
        place = self._place(error.filename)
        if isinstance(error, FileNotFoundError):
            return CheckFailed(label, f"{place} was removed while the build ran; {AGAIN}")
        if isinstance(error, PermissionError) or error.errno == errno.EROFS:
            return CheckFailed(
                label, f"{place} cannot be used ({error.strerror}); mend its permissions and build again"
            )
        return CheckFailed(label, f"{place}: {error.strerror or type(error).__name__}; {AGAIN}")

    def _place(self, name: object) -> str:
        """The folder that a person knows which a file is in, or the file."""
        if not isinstance(name, str):
            return "a file"
        for folder, absolute in self._known:
            if any(Path(name).is_relative_to(each) for each in (folder, absolute)):
                return str(folder)
        return name


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        stat = os.stat(folder)
        return stat.st_dev, stat.st_ino
    except OSError:
        return None
