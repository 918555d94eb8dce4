"""One run of `build`: what is to be done, done, and told."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cores import cores
from pipeline.course.board import board
from pipeline.course.estimates import Estimates, clock, jobs_at_once, read_estimates
from pipeline.course.lock import change_lock, lock_path
from pipeline.course.neighbours import Neighbours
from pipeline.course.open import OpenCourse, open_course
from pipeline.course.plan import Task, plan, shard
from pipeline.course.store import ADVICE, FAILED
from pipeline.render.workspace import Advice, check_writable
from transformer_core.errors import CheckFailed, InputError

if TYPE_CHECKING:
    from pipeline.course.build import Outcome

Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """How a build is to go.

    `parallel` None: as many jobs as cores and memory allow. `shard` (i, n): the i-th of n parts, from 1. `cluster`: the
    address of a scheduler. `report`: the file of a page of what changed.
    """

    only: tuple[str, ...] = ()
    shard: tuple[int, int] | None = None
    cluster: str | None = None
    parallel: int | None = None
    keep_going: bool = False
    dry_run: bool = False
    quiet: bool = False
    report: str | None = None


def build(path: str | None, wishes: Wishes, *, say: Say, as_json: bool = False) -> None:
    """Raises InputError for a course that cannot be built, CheckFailed when an asset failed."""
    opened = open_course(path, only=wishes.only)
    states = opened.states
    if wishes.shard:
        states = shard(states, number=wishes.shard[0], count=wishes.shard[1])
    tasks = plan(states)
    Neighbours(opened.course).check([asset for task in tasks for asset in task.assets])
    estimates = read_estimates(opened.store)
    if wishes.dry_run:
        _tell_plan(tasks, estimates, wishes.parallel or jobs_at_once(tasks), say=say, as_json=as_json)
        return
    if wishes.report:
        _check_report(wishes.report)
    outcomes = draw(opened, tasks, estimates, wishes) if tasks else []
    if not wishes.only and not wishes.shard:
        _forget(opened)
    if wishes.report:
        from pipeline.course.report import write_report

        write_report(Path(wishes.report), outcomes, course=opened.course.path.name)
    if as_json:
        say(json.dumps([_row(outcome) for outcome in outcomes], ensure_ascii=False, indent=2))
    else:
        names = [asset.name for outcome in outcomes if not outcome.error for asset in outcome.task.assets]
        if names:
            say("\n".join(names))
    raise_failed(opened, outcomes)


def _check_report(name: str) -> None:
    """Raises InputError where no page can be written, or where something else may lie, as in a course file."""
    path = Path(name)
    if path.suffix.lower() not in (".html", ".htm"):
        other = path.parent / f"{path.stem or 'report'}.html"
        raise InputError(f"--report {name}", "the report is an HTML page", f"name it {other}")
    check_writable(path.parent, Advice(folder="name another file with --report"))


def draw(opened: OpenCourse, tasks: Sequence[Task], estimates: Estimates, wishes: Wishes) -> list[Outcome]:
    """Do the tasks of a course. Raises InputError where a folder cannot be written."""
    # Imports PyTorch, for which a build that has nothing to do need not wait.
    from pipeline.course.build import Build
    from pipeline.course.drawer import LocalDrawer

    lock = lock_path(opened.course.path)
    # A lock that could not be written would be told after hours of drawing.
    check_writable(lock.parent, Advice(folder=f"{lock.name} goes there: mend its permissions"))
    check_writable(opened.course.output, opened.course.advice)
    check_writable(opened.store.folder, ADVICE)
    if wishes.cluster:
        from pipeline.course.cluster import ClusterDrawer

        drawer = ClusterDrawer(wishes.cluster)
        parallel = wishes.parallel or drawer.jobs_at_once
    else:
        parallel = wishes.parallel or jobs_at_once(tasks)
        # A build of one picture has the cores to itself.
        drawer = LocalDrawer(processes=max(1, cores() // min(parallel, len(tasks))))
    shown = board(tasks, estimates, parallel=parallel, quiet=wishes.quiet)
    running = Build(opened.course, opened.store, drawer, shown, keep_going=wishes.keep_going)
    return running.run(tasks, parallel=min(parallel, len(tasks)))


def _forget(opened: OpenCourse) -> None:
    """Take assets that the course does not ask for any more out of the lock."""
    wanted = frozenset(asset.name for asset in opened.course.assets)
    if not opened.lock.keys() <= wanted:
        change_lock(lock_path(opened.course.path), {}, keep=wanted)


def _tell_plan(tasks: Sequence[Task], estimates: Estimates, parallel: int, *, say: Say, as_json: bool) -> None:
    total = estimates.total(tasks, parallel=parallel)
    if as_json:
        rows = [
            {
                "assets": [asset.name for asset in task.assets],
                "reasons": list(task.states[0].reasons),
                "seconds": estimates.seconds(task),
            }
            for task in tasks
        ]
        say(json.dumps({"tasks": rows, "parallel": parallel, "seconds": total}, ensure_ascii=False, indent=2))
        return
    for task in tasks:
        say(f"{task.label}: {task.states[0].why} ({clock(estimates.seconds(task))})")
    count = f"{len(tasks)} pictures" if len(tasks) != 1 else "one picture"
    say(f"{count}, {parallel} at a time: {clock(total)}" if tasks else "nothing to do")


def _row(outcome: Outcome) -> dict[str, object]:
    return {
        "assets": [asset.name for asset in outcome.task.assets],
        "how": "failed" if outcome.error else outcome.how or "done by another build",
        "reasons": list(outcome.task.states[0].reasons),
        "changes": [str(change) for change in outcome.changes],
        "error": str(outcome.error) if outcome.error else None,
        "seconds": round(outcome.seconds, 2),
    }


def raise_failed(opened: OpenCourse, outcomes: Sequence[Outcome]) -> None:
    """Raises the error of the first outcome that failed, if any, and says where its log is."""
    failed = [outcome for outcome in outcomes if outcome.error]
    if not failed:
        return
    first = failed[0]
    assert first.error is not None
    name = first.task.states[0].asset.name
    log = opened.store.folder / FAILED / name
    more = f" (and {len(failed) - 1} more failed)" if len(failed) > 1 else ""
    kept = f"; its log and last picture are in {log}" if log.is_dir() else ""
    if len(failed) == 1 and not log.is_dir():
        raise first.error
    told = str(first.error).removeprefix(f"{first.task.label}: ")
    raise CheckFailed(name, f"{told}{more}{kept}")
