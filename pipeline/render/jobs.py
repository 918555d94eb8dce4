"""Several renders side by side, each in its own process and work folder, each published when complete."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from pipeline.catalogue import SceneEntry
from pipeline.cores import cores
from pipeline.render.job import RECORD, TRACE, Job, Result
from pipeline.render.process import RenderProcess
from pipeline.render.progress import Display
from pipeline.render.request import Request, resolve
from pipeline.render.spec import RenderSpec
from pipeline.render.workspace import Workspace, check_free, check_writable
from scenes.kit.theme import THEMES
from transformer_core.errors import CheckFailed, InputError

NO_THREAD = "can't start new thread"
"""What Python says where the system's limit of threads is reached."""


@dataclass(frozen=True)
class Drawn:
    """A finished job, still in its work folder. `record` is what the scene left behind, as plain data."""

    request: Request
    folder: Path
    record: Mapping[str, Any]
    frames: int
    engine: str = ""


@dataclass(frozen=True)
class Order:
    """One thing to make: what, where to, and what to do with it once it is drawn.

    `target` is the name of the file it comes to, empty where it comes to none. `films`: the forms of film to make;
    without any no frame is drawn. `publish` makes the files to publish, in the work folder, and returns them by
    name in the order of publication.
    """

    spec: RenderSpec
    entry: SceneEntry
    folder: Path
    audit: bool
    stills: tuple[str, ...]
    metadata: Callable[[Request], Mapping[str, str]]
    target: Callable[[Request], str]
    publish: Callable[[Drawn], Mapping[str, Path]]
    drawings: tuple[str, ...] = ()
    films: tuple[str, ...] = ()


@dataclass(frozen=True)
class Made:
    """What came of an order: the published files, the record they were made from, the engine that drew."""

    request: Request
    files: tuple[Path, ...]
    record: Mapping[str, Any]
    frames: int
    engine: str = ""


def make(orders: Sequence[Order], display: Display, *, parallel: int = 1) -> list[Made]:
    """Make all orders, up to `parallel` at a time, and publish each as soon as it is complete.

    The cores that are left over draw beats of the same scene side by side.

    All requests are resolved before anything is written. Raises InputError for a request that cannot be
    met and CheckFailed for a render that fails; then, and on Ctrl-C, the renders that still run are ended
    without a trace.
    """
    for order in orders:
        check_writable(order.folder)
    try:
        return _make_all(orders, display, parallel=parallel)
    except RuntimeError as error:
        if str(error) != NO_THREAD:
            raise
        raise CheckFailed("render", "the system allows no more threads") from None


def _make_all(orders: Sequence[Order], display: Display, *, parallel: int) -> list[Made]:
    ready = [RenderProcess() for _ in orders[:parallel]]
    started = list(ready)
    processes = max(1, cores() // max(1, len(ready)))
    stopping = Event()
    try:
        requests = [resolve(order.spec, order.entry) for order in orders]
        for order, request in zip(orders, requests, strict=True):
            if name := order.target(request):
                check_free(order.folder, name)

        def run(order: Order, request: Request) -> Made:
            process = ready.pop() if ready else RenderProcess()
            if process not in started:
                started.append(process)
                # It may have been made just after the others were ended.
                if stopping.is_set():
                    process.end()
            return _make_one(order, request, process, display, processes=processes)

        with ThreadPoolExecutor(max_workers=parallel) as pool, display:
            futures = [pool.submit(run, *pair) for pair in zip(orders, requests, strict=True)]
            try:
                wait(futures, return_when=FIRST_EXCEPTION)
                failed = [future for future in futures if future.done() and future.exception()]
                if failed:
                    raise failed[0].exception()  # type: ignore[misc]
            except BaseException:
                stopping.set()
                pool.shutdown(wait=False, cancel_futures=True)
                for process in list(started):
                    process.end()
                raise
        return [future.result() for future in futures]
    finally:
        for process in started:
            process.end()


def _make_one(order: Order, request: Request, process: RenderProcess, display: Display, *, processes: int) -> Made:
    name = f"{order.entry.name}.{order.spec.language}"
    with Workspace(order.folder) as workspace:
        try:
            _save_trace(request, workspace.folder, told_as=order.folder)
            job_for(order, request, processes=processes).save(workspace.folder)
            result = process.draw(workspace.folder, partial(_report, display, name, order.films))
            raise_failure(result, request)
            drawn = Drawn(request, workspace.folder, read_record(workspace.folder), result.frames, result.engine)
            check_drawn(drawn, order)
            files = workspace.publish(order.publish(drawn))
        except OSError as error:
            raise _told(error, order.folder) from error
    if result.notice:
        display.note(f"{name}: {result.notice}")
    display.done(name, drawn.frames)
    return Made(request, tuple(files), drawn.record, drawn.frames, drawn.engine)


def _report(display: Display, name: str, films: Sequence[str], beat: str, frames: int) -> None:
    """A beat that begins, or a film that is written once all beats are drawn."""
    if beat not in films:
        display.update(name, beat, frames)
    elif beat != "mp4":
        display.note(f"{name}: writing {beat}, {frames} frames")


def _save_trace(request: Request, folder: Path, *, told_as: Path) -> None:
    try:
        request.trace.save(folder / TRACE)
    except InputError as error:
        # The person gave no such file name: the work folder could be made, so the disk is the matter.
        raise CheckFailed(str(told_as), error.why) from None


def check_drawn(drawn: Drawn, order: Order) -> None:
    """Raises CheckFailed when what was drawn is not what was asked for: another trace, or a frame too few."""
    entry, record = order.entry, drawn.record
    if record["digest"] != drawn.request.trace.digest:
        raise CheckFailed(entry.class_name, "it has drawn the numbers of another trace")
    expected = round(record["duration"] * order.spec.rate)
    if order.films and drawn.frames != expected:
        raise CheckFailed(entry.class_name, f"{drawn.frames} frames where its times make {expected}")


def job_for(order: Order, request: Request, *, processes: int = 1) -> Job:
    """The job of an order, for its render process."""
    return Job(
        module=request.entry.module,
        class_name=request.entry.class_name,
        search=str(request.entry.search),
        size=order.spec.size,
        frames_per_second=order.spec.rate,
        brief=request.brief,
        films=order.films,
        ground=THEMES[order.spec.theme].ground if order.spec.transparent else "",
        engine=order.spec.engine,
        processes=processes,
        audit=order.audit,
        stills=order.stills,
        drawings=order.drawings,
        metadata=order.metadata(request),
    )


def raise_failure(result: Result, request: Request) -> None:
    """Raises what ended a render process, in this process."""
    if not result.failure:
        return
    if result.what == "input":
        what, _, rest = result.failure.partition(": ")
        why, _, instead = rest.rpartition("; ")
        raise InputError(what, why, instead)
    if result.what == "check":
        what, _, why = result.failure.partition(": ")
        raise CheckFailed(what, why)
    raise CheckFailed(request.entry.class_name, result.failure)


def read_record(folder: Path) -> Mapping[str, Any]:
    """What the scene left behind."""
    import json

    return json.loads((folder / RECORD).read_text(encoding="utf-8"))


def _told(error: OSError, folder: Path) -> CheckFailed:
    if error.errno == errno.ENOSPC:
        return CheckFailed(str(folder), "the disk is full; nothing was published")
    return CheckFailed(str(folder), f"cannot be written ({error.strerror})")
