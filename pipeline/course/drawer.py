"""Where a job is drawn: a fresh process on this machine, or something that does as much elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Protocol

from pipeline.course.plan import Task
from pipeline.render.job import Result
from pipeline.render.process import RenderProcess

Report = Callable[[str, int], None]


@dataclass(frozen=True)
class Drawing:
    """How a job ended, and what its process wrote on stderr."""

    result: Result
    log: str


class Stopped(Exception):
    """The build is being stopped; the job was ended."""


class Drawer(Protocol):
    """Draws jobs, several at a time, each with so many processes."""

    processes: int

    def draw(self, folder: Path, task: Task, report: Report) -> Drawing:
        """Draw the job in the folder; what is drawn lies in it afterwards.

        Raises Stopped after `end`, CheckFailed where the job could not be run at all.
        """
        ...

    def end(self) -> None:
        """End every job that still runs."""
        ...


class LocalDrawer:
    """Each job in a fresh process of its own, which may draw with so many `processes`."""

    def __init__(self, *, processes: int = 1) -> None:
        self.processes = processes
        self._running: set[RenderProcess] = set()
        self._stopping = Event()
        self._lock = Lock()

    def draw(self, folder: Path, task: Task, report: Report) -> Drawing:
        """Draw in a fresh process."""
        with self._lock:
            if self._stopping.is_set():
                raise Stopped
            process = RenderProcess()
            self._running.add(process)
        try:
            result = process.draw(folder, report)
            if self._stopping.is_set():
                raise Stopped
            return Drawing(result, process.log)
        except (ValueError, OSError):
            # The other thread closed the pipes under our hands.
            if self._stopping.is_set():
                raise Stopped from None
            raise
        finally:
            with self._lock:
                self._running.discard(process)
            process.end()

    def end(self) -> None:
        """Kill what runs."""
        with self._lock:
            self._stopping.set()
            running = list(self._running)
        for process in running:
            process.end()
