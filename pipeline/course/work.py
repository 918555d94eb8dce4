"""One task from its key to its published files, drawing no more than it must.

In this order: a picture that was drawn from the same inputs is taken from the store; one whose scene reads the same
numbers, or shows the same digits and sizes when it is run again without drawing, gets ledger, captions and marks with
the new digest; only what is left is drawn.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock as Mutex
from typing import Any, Literal

from pipeline.course.asset import Picture
from pipeline.course.changes import Change, digit_changes, look_changes, picture_changes, reads_digest
from pipeline.course.course import Course
from pipeline.course.drawer import Drawer
from pipeline.course.inputs import InputReader
from pipeline.course.model_files import MODELS, model_folder
from pipeline.course.orders import FILMS, order_for
from pipeline.course.plan import Task
from pipeline.course.shown import from_zero, shown
from pipeline.course.store import FAILED, WORK, Kept, Manifest, Store, digests_of
from pipeline.publish import formats
from pipeline.render.job import DRAWINGS, LAST, RECORD, STILLS, TRACE, USES, write_json
from pipeline.render.jobs import Drawn as DrawnJob
from pipeline.render.jobs import Order, check_drawn, job_for, raise_failure, read_record
from pipeline.render.request import Request, load, resolve
from pipeline.render.spec import RenderSpec
from pipeline.render.workspace import Workspace
from transformer_core.errors import CheckFailed, InputError

How = Literal["kept", "reissued", "drawn"]
JOB, LOG = "job", "log.txt"
PARTS = (RECORD, STILLS, DRAWINGS, *map(str, FILMS.values()))
MOST_LOOKED_AT = 3
"""Kept pictures of one key that are compared with new numbers, newest first."""

Report = Callable[[str, str, int], None]
"""`report(stage, beat, frames)`."""


@dataclass(frozen=True)
class Worked:
    """A picture in the store, how it came there, and which shown numbers changed since it was last drawn."""

    request: Request
    kept: Kept
    how: How
    changes: tuple[Change, ...] = ()


class Bench:
    """Works on tasks; several threads may use it at once."""

    def __init__(self, course: Course, store: Store, drawer: Drawer) -> None:
        self.course, self.store, self.drawer = course, store, drawer
        self._computing = Mutex()
        # A model is read once in a process, and may have changed since the last build in it.
        load.cache_clear()

    def work(self, task: Task, report: Report) -> Worked:
        """See the module. Raises InputError or CheckFailed for a job that failed, Stopped when the drawer is ended."""
        report("numbers", "", 0)
        with self._computing:
            request = request_of(task.picture, self.course.folder)
        candidates = [
            kept
            for kept in self.store.kept(task.inputs.picture_key, task.inputs.fonts)
            if kept.has_films(task.films) and kept.whole
        ]
        for kept in candidates:
            # Another machine may have computed other last bits from the same inputs.
            same = (kept.manifest.numbers_key, kept.manifest.digest) == (task.inputs.numbers_key, request.trace.digest)
            if same:
                return Worked(request, kept, "kept")
        for kept in candidates:
            reads = reads_digest(request.trace, kept.manifest.quantities, request.brief)
            if reads and reads == kept.manifest.reads:
                record = {**kept.record(), "digest": request.trace.digest}
                return Worked(request, self._reissue(task, request, kept, record, uses_of(kept)), "reissued")
        changes: list[Change] = []
        run: tuple[Mapping[str, Any], Mapping[str, Any]] | None = None
        for kept in candidates[:MOST_LOOKED_AT]:
            changed = digit_changes(kept.record(), request.trace)
            changes = changes or changed
            if changed:
                continue
            run = run or self._run(task, request, report)
            record, uses = run
            if shown(record, uses["looks"], width=task.picture.spec.size[0]) == kept.manifest.shown:
                return Worked(request, self._reissue(task, request, kept, record, uses), "reissued")
            changes = changes or picture_changes(kept.record(), record, request.trace)
            changes = changes or look_changes(kept.manifest.looks, uses["looks"])
        return Worked(request, self._draw(task, request, report), "drawn", tuple(changes))

    def _draw(self, task: Task, request: Request, report: Report) -> Kept:
        with Workspace(self.store.folder / WORK) as workspace:
            order = order_for(task.picture, request, films=task.films)
            frames = self._job(task, order, request, workspace.folder / JOB, "draw", report)
            record = read_record(workspace.folder / JOB)
            return self._keep(task, request, workspace.folder / JOB, record, frames)

    def _run(self, task: Task, request: Request, report: Report) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """The scene's record for these numbers and what it used, every beat audited, nothing drawn."""
        order = replace(order_for(task.picture, request), stills=(), drawings=())
        with Workspace(self.store.folder / WORK) as workspace:
            self._job(task, order, request, workspace.folder / JOB, "run", report)
            record = read_record(workspace.folder / JOB)
            alone = task.picture.kind == "video" and task.picture.spec.beat is not None
            return from_zero(record) if alone else record, _json(workspace.folder / JOB / USES)

    def _job(self, task: Task, order: Order, request: Request, folder: Path, stage: str, report: Report) -> int:
        folder.mkdir()
        try:
            request.trace.save(folder / TRACE)
        except InputError as error:
            # The person gave no such file name.
            again = "nothing of it was published; mend that and build again"
            raise CheckFailed(str(self.store.folder), f"{error.why}: {again}") from None
        job_for(order, request, processes=self.drawer.processes).save(folder)
        drawing = self.drawer.draw(folder, task, lambda beat, frames: report(stage, beat, frames))
        try:
            raise_failure(drawing.result, request)
            check_drawn(DrawnJob(request, folder, read_record(folder), drawing.result.frames), order)
        except (InputError, CheckFailed):
            self._keep_failed(task, folder, drawing.log)
            raise
        return drawing.result.frames

    def _keep_failed(self, task: Task, folder: Path, log: str) -> None:
        failed = self.store.folder / FAILED / task.states[0].asset.name
        failed.mkdir(parents=True, exist_ok=True)
        (failed / LOG).write_text(log, encoding="utf-8")
        if (folder / LAST).exists():
            os.replace(folder / LAST, failed / LAST)

    def _reissue(
        self, task: Task, request: Request, kept: Kept, record: Mapping[str, Any], uses: Mapping[str, Any]
    ) -> Kept:
        """The same picture with the record, the marks and the digest of other numbers."""
        from pipeline.render.encoder import Chapter

        with Workspace(self.store.folder / WORK) as workspace:
            folder = workspace.folder / JOB
            folder.mkdir()
            for part in (STILLS, DRAWINGS):
                if (kept.folder / part).is_dir():
                    shutil.copytree(kept.folder / part, folder / part)
            write_json(folder / RECORD, record)
            write_json(folder / USES, uses)
            language = request.asked.language
            chapters = [Chapter(each["titles"][language], each["start"], each["end"]) for each in record["beats"]]
            metadata = order_for(task.picture, request, films=task.films).metadata(request)
            for form in task.films:
                renew = formats.load_renewable(form).renew
                renew(kept.folder / FILMS[form], folder / FILMS[form], chapters=chapters, metadata=metadata)
            return self._keep(task, request, folder, record, kept.manifest.frames)

    def _keep(self, task: Task, request: Request, folder: Path, record: Mapping[str, Any], frames: int) -> Kept:
        """Take a finished folder into the store, if the inputs are still those of the task."""
        now = InputReader(self.course.folder).read(task.picture)
        if (now.picture_key, now.numbers_key, now.fonts) != (
            task.inputs.picture_key,
            task.inputs.numbers_key,
            task.inputs.fonts,
        ):
            raise CheckFailed(task.label, "its scene, texts, fonts or model changed while it was made; build again")
        uses = _json(folder / USES)
        for path in folder.iterdir():
            if path.name not in PARTS:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.store.keep_details(task.inputs)
        manifest = Manifest(
            numbers_key=task.inputs.numbers_key,
            numbers=task.inputs.numbers,
            shown=shown(record, uses["looks"], width=task.picture.spec.size[0]),
            digest=request.trace.digest,
            fonts={name: task.inputs.fonts[name] for name in sorted(uses["fonts"])},
            quantities=tuple(uses["quantities"]),
            reads=reads_digest(request.trace, uses["quantities"], request.brief),
            looks=uses["looks"],
            frames=frames,
            files=digests_of(folder),
        )
        return self.store.keep(folder, task.inputs, manifest)


def request_of(picture: Picture, base: Path) -> Request:
    """The picture's request, its model found from the course's folder. Raises what `resolve` raises."""
    return resolve(local_spec(picture, base), picture.entry)


def local_spec(picture: Picture, base: Path) -> RenderSpec:
    """The picture's spec with the folder of its model as seen from the current folder."""
    spec = picture.spec
    if spec.model is not None:
        folder = model_folder(spec.model, base=base)
        if folder.parent != MODELS:
            spec = replace(spec, model=os.path.relpath(folder))
    return spec


def uses_of(kept: Kept) -> Mapping[str, Any]:
    """What the run that drew a kept picture used."""
    manifest = kept.manifest
    return {"fonts": list(manifest.fonts), "quantities": list(manifest.quantities), "looks": dict(manifest.looks)}


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
