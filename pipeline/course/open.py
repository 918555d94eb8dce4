"""A course with its lock and store, as the commands open it, and the others that use the same store."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.course.course import STANDARD, SUFFIX, Course, read_course
from pipeline.course.lock import Lock, lock_path, read_lock
from pipeline.course.state import State, states
from pipeline.course.store import FOLDER, Store


@dataclass(frozen=True)
class OpenCourse:
    """What is wanted, what was made, what is kept, and how the chosen assets stand."""

    course: Course
    lock: Lock
    store: Store
    states: tuple[State, ...]


def open_course(path: str | None, *, only: Sequence[str] = ()) -> OpenCourse:
    """Read everything; nothing is computed or written, but for what was parsed. Raises InputError."""
    course = read_course(Path(path) if path is not None else STANDARD)
    lock = read_lock(lock_path(course.path))
    store = Store(course.folder / FOLDER, course.path.name)
    return OpenCourse(course, lock, store, tuple(states(course, course.chosen(only), lock, store)))


def open_others(course: Course) -> list[OpenCourse]:
    """The other courses of the folder that were built. Raises InputError for one that cannot be read."""
    files = sorted(path for path in course.folder.glob(f"*{SUFFIX}") if os.path.isfile(path))
    own = os.path.realpath(course.path)
    return [open_course(str(path)) for path in files if os.path.realpath(path) != own and read_lock(lock_path(path))]
