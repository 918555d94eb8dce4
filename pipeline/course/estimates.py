"""How long a task will take, from how long such tasks took before."""

from __future__ import annotations

import json
import os
import statistics
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.course.asset import Picture
from pipeline.course.plan import Task
from pipeline.course.store import RUNS, Store, put_json

MOST_RUNS = 2000
UNKNOWN_BYTES = 700_000_000
"""Memory that a job is thought to need: what a draft takes twice over."""
BYTES_A_PIXEL = 200


@dataclass(frozen=True)
class Run:
    """One past run: what was drawn, and the seconds it took."""

    scene: str
    kind: str
    quality: str
    beat: str
    seconds: float


class Estimates:
    """Medians of past runs, of the same kind of task or the nearest there is."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self.runs = tuple(runs)

    def seconds(self, picture: Picture) -> float | None:
        """The seconds a picture will take to draw; None where nothing like it was ever drawn."""
        asked = _run(picture, 0.0)
        for fields in (("scene", "kind", "quality", "beat"), ("scene", "kind", "quality"), ("kind", "quality"), ()):
            near = [run.seconds for run in self.runs if all(getattr(run, f) == getattr(asked, f) for f in fields)]
            if near:
                return statistics.median(near)
        return None

    def total(self, tasks: Sequence[Task], *, parallel: int) -> float | None:
        """The seconds that all will take, `parallel` at a time: the longest first, each where it ends soonest."""
        known = [self.seconds(task.picture) for task in tasks]
        if any(each is None for each in known):
            return None
        ends = [0.0] * max(1, parallel)
        for seconds in sorted((each for each in known if each is not None), reverse=True):
            ends[ends.index(min(ends))] += seconds
        return max(ends)


def read_estimates(store: Store) -> Estimates:
    """The runs that the store remembers."""
    runs = []
    for path in sorted((store.folder / RUNS).glob("*.json"))[-MOST_RUNS:]:
        try:
            runs.append(Run(**json.loads(path.read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError):
            continue
    return Estimates(runs)


def note_run(store: Store, picture: Picture, seconds: float) -> None:
    """Remember a run."""
    # A name that sorts by time, and that nobody else chooses.
    name = f"{time.time_ns():020d}-{os.getpid()}-{threading.get_ident()}.json"
    put_json(store.folder / RUNS / name, vars(_run(picture, round(seconds, 2))))


def jobs_at_once(tasks: Sequence[Task]) -> int:
    """As many jobs as there are cores, and as fit into the free memory."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    free = free_memory()
    pixels = max((task.picture.spec.size[0] * task.picture.spec.size[1] for task in tasks), default=0)
    need = UNKNOWN_BYTES + BYTES_A_PIXEL * pixels
    return max(1, min(cores, len(tasks) or 1, free // need if free else cores))


def free_memory() -> int:
    """Bytes that can be had without swapping; 0 where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return 0


def clock(seconds: float | None) -> str:
    """`about 2 min`, for people."""
    if seconds is None:
        return "unknown: nothing like it was built here yet"
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {round(seconds / 60)} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"


def _run(picture: Picture, seconds: float) -> Run:
    spec = picture.spec
    return Run(picture.entry.name, picture.kind, spec.quality, spec.beat or "", seconds)
