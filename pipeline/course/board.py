"""What a build shows of itself on stderr: a live table on a terminal, plain lines elsewhere, nothing for --quiet."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, TextIO

from pipeline.course.estimates import Estimates
from pipeline.course.plan import Task

if TYPE_CHECKING:
    from rich.table import Table

STAGES = {"numbers": "computing numbers", "run": "comparing", "draw": "drawing", "publish": "publishing"}
REFRESHES_A_SECOND = 4


class Board(Protocol):
    """Follows tasks by their label."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def stage(self, task: Task, stage: str, beat: str, frames: int) -> None:
        """A task has got here."""
        ...

    def ended(self, task: Task, words: str) -> None:
        """A task is over."""
        ...

    def note(self, words: str) -> None:
        """Something that the person is to know."""
        ...


class QuietBoard:
    """Shows nothing but notes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def stage(self, task: Task, stage: str, beat: str, frames: int) -> None:
        """Nothing."""

    def ended(self, task: Task, words: str) -> None:
        """Nothing."""

    def note(self, words: str) -> None:
        """A line."""
        sys.stderr.write(f"{words}\n")


class Lines(QuietBoard):
    """A line for each stage that a task reaches, and one for its end."""

    def __init__(self, count: int, stream: TextIO) -> None:
        self.count, self.stream = count, stream
        self.done = 0
        self.told: set[tuple[str, str]] = set()

    def stage(self, task: Task, stage: str, beat: str, frames: int) -> None:
        """A line, the first time."""
        if stage in ("run", "draw") and (task.key, stage) not in self.told:
            self.told.add((task.key, stage))
            self._write(f"{task.label}: {STAGES[stage]}")

    def ended(self, task: Task, words: str) -> None:
        """The last line of a task."""
        self.done += 1
        self._write(f"[{self.done}/{self.count}] {task.label}: {words}")

    def note(self, words: str) -> None:
        """A line."""
        self._write(words)

    def _write(self, text: str) -> None:
        self.stream.write(f"{text}\n")
        self.stream.flush()


@dataclass
class _Row:
    stage: str
    beat: str
    frames: int
    start: float


class LiveTable:
    """The tasks at work, with stage, beat, frames and time left; a line above it for each that is over."""

    def __init__(self, tasks: Sequence[Task], estimates: Estimates, parallel: int) -> None:
        from rich.console import Console
        from rich.live import Live

        self.tasks, self.estimates, self.parallel = {task.key: task for task in tasks}, estimates, parallel
        self.rows: dict[str, _Row] = {}
        self.done: set[str] = set()
        self.lock = threading.Lock()
        self.console = Console(stderr=True)
        self.live = Live(
            console=self.console, refresh_per_second=REFRESHES_A_SECOND, get_renderable=self._table, transient=True
        )

    def __enter__(self) -> Self:
        self.live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.live.stop()

    def stage(self, task: Task, stage: str, beat: str, frames: int) -> None:
        """Move a row on."""
        with self.lock:
            row = self.rows.setdefault(task.key, _Row(stage, beat, frames, time.monotonic()))
            row.stage, row.beat, row.frames = stage, beat, frames

    def ended(self, task: Task, words: str) -> None:
        """Take the row out, and leave a line."""
        with self.lock:
            self.rows.pop(task.key, None)
            self.done.add(task.key)
        self.live.console.print(f"{task.label}: {words}", markup=False, highlight=False)

    def note(self, words: str) -> None:
        """A line above the table."""
        self.live.console.print(words, markup=False, highlight=False)

    def _table(self) -> Table:
        from rich.table import Table

        with self.lock:
            rows = [(self.tasks[key], row) for key, row in self.rows.items()]
            left = [task for key, task in self.tasks.items() if key not in self.done]
        total = self.estimates.total(left, parallel=self.parallel)
        words = f"{len(self.done)} of {len(self.tasks)} done, about {total:.0f} s left"
        table = Table("asset", "stage", "progress", "time left", caption=words, box=None, pad_edge=False)
        now = time.monotonic()
        for task, row in rows:
            beats = task.picture.entry.beats
            count = f"beat {beats.index(row.beat) + 1}/{len(beats)} {row.beat}" if row.beat in beats else ""
            rest = f"{max(0.0, self.estimates.seconds(task) - (now - row.start)):.0f} s"
            table.add_row(task.label, STAGES.get(row.stage, row.stage), count, rest)
        return table


def board(tasks: Sequence[Task], estimates: Estimates, *, parallel: int, quiet: bool) -> Board:
    """The board that fits."""
    if quiet:
        return QuietBoard()
    return LiveTable(tasks, estimates, parallel) if sys.stderr.isatty() else Lines(len(tasks), sys.stderr)
