"""How long a task will take: from how long such tasks took before, else from the length of the scene."""

from __future__ import annotations

import json
import os
import statistics
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.cores import cores
from pipeline.course.lengths import drawing_seconds
from pipeline.course.plan import Task
from pipeline.course.store import RUNS, Store, put_json

MOST_RUNS = 2000
CLEAR = "transparent"
UNKNOWN_BYTES = 700_000_000
"""Memory that a job is thought to need: what a draft takes twice over."""
BYTES_A_PIXEL = 200
PUBLISH_SECONDS = 1.0
"""To compute the numbers again and publish what lies in the store."""


@dataclass(frozen=True)
class Run:
    """One past run: what was drawn, the seconds it took, and those that the scene's length would have made it take.

    `films`: the forms that the film was written in, and whether it left out the ground.
    """

    scene: str
    kind: str
    quality: str
    beat: str
    seconds: float
    by_length: float = 0.0
    films: tuple[str, ...] = ()


class Estimates:
    """The median of past runs of the same thing; else the scene's length, by what past runs took for theirs.

    What lies in the store, drawn from the same inputs, is only published.
    """

    def __init__(self, runs: Iterable[Run], store: Store | None = None) -> None:
        self.runs, self.store = tuple(runs), store
        self._known: dict[tuple[str, tuple[str, ...]], float] = {}

    def seconds(self, task: Task) -> float:
        """The seconds that a task will take, if it is drawn unless it was drawn before."""
        asked = (task.key, task.films)
        if asked not in self._known:
            self._known[asked] = PUBLISH_SECONDS if self._is_kept(task) else self._drawing(task)
        return self._known[asked]

    def total(self, tasks: Sequence[Task], *, parallel: int) -> float:
        """The seconds that all will take, `parallel` at a time: the longest first, each where it ends soonest."""
        ends = [0.0] * max(1, parallel)
        for seconds in sorted(map(self.seconds, tasks), reverse=True):
            ends[ends.index(min(ends))] += seconds
        return max(ends)

    def _is_kept(self, task: Task) -> bool:
        inputs = task.inputs
        kept = self.store.kept(inputs.picture_key, inputs.fonts) if self.store else ()
        return any(each.manifest.numbers_key == inputs.numbers_key and each.has_films(task.films) for each in kept)

    def _drawing(self, task: Task) -> float:
        asked = _run(task, 0.0)
        fields = ("scene", "kind", "quality", "beat", "films")
        same = [run.seconds for run in self.runs if all(getattr(run, f) == getattr(asked, f) for f in fields)]
        if same:
            return statistics.median(same)
        paces = [run.seconds / run.by_length for run in self.runs if run.kind == asked.kind and run.by_length > 0]
        return asked.by_length * (statistics.median(paces) if paces else 1.0)


def read_estimates(store: Store) -> Estimates:
    """What the store remembers."""
    runs = []
    for path in sorted((store.folder / RUNS).glob("*.json"))[-MOST_RUNS:]:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            runs.append(Run(**{**data, "films": tuple(data.get("films", ()))}))
        except (OSError, ValueError, TypeError):
            continue
    return Estimates(runs, store)


def note_run(store: Store, task: Task, seconds: float) -> None:
    """Remember a run."""
    # A name that sorts by time, and that nobody else chooses.
    name = f"{time.time_ns():020d}-{os.getpid()}-{threading.get_ident()}.json"
    put_json(store.folder / RUNS / name, vars(_run(task, round(seconds, 2))))


def jobs_at_once(tasks: Sequence[Task]) -> int:
    """As many jobs as there are cores, and as fit into the free memory."""
    free = free_memory()
    pixels = max((task.picture.spec.size[0] * task.picture.spec.size[1] for task in tasks), default=0)
    need = UNKNOWN_BYTES + BYTES_A_PIXEL * pixels
    return max(1, min(cores(), len(tasks) or 1, free // need if free else cores()))


def free_memory() -> int:
    """Bytes that can be had without swapping; 0 where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return 0


def clock(seconds: float) -> str:
    """`about 2 min`, for people."""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    return f"about {round(seconds / 60)} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"


def _run(task: Task, seconds: float) -> Run:
    picture, films = task.picture, task.films
    spec = picture.spec
    by_length = drawing_seconds(picture.entry, spec, film=picture.kind == "video", forms=films)
    told = (*films, CLEAR) if spec.transparent else films
    return Run(picture.entry.name, picture.kind, spec.quality, spec.beat or "", seconds, round(by_length, 2), told)
