"""A person's own file to a published video: checked, drawn in its own process, moved into place when complete."""

from __future__ import annotations

import ast
import errno
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.publish.destination import destination
from pipeline.render.job import RECORD, VIDEO, Result
from pipeline.render.lifeline import end_group
from pipeline.render.process import RenderProcess
from pipeline.render.progress import display
from pipeline.render.scene_file import FileJob
from pipeline.render.spec import QUALITIES, RenderSpec
from pipeline.render.workspace import Workspace, check_free, check_writable
from transformer_core.errors import CheckFailed, InputError

NO_LEDGER = "drawn without a trace: there is no ledger of its numbers, and verify has nothing to compare"


@dataclass(frozen=True)
class FileVideo:
    """A published video of a file's scene. `record` has the scene's name, size, rate, seconds and sections."""

    path: Path
    record: Mapping[str, Any]
    frames: int
    engine: str


def render_file(
    path: Path,
    class_name: str,
    *,
    quality: str | None,
    frames_per_second: int | None,
    engine: str,
    output: str | None,
    media: Path,
    quiet: bool,
) -> FileVideo:
    """Render one scene of a file of ordinary Manim code; without `quality` the person's own configuration counts.

    Raises InputError for a file that is none, or is not Python, or has no such scene; CheckFailed, with file and
    line, where its code fails. Then nothing is published.
    """
    check_source(path)
    spec = _checked_spec(quality, frames_per_second)
    folder, stem = destination(output, default=media / path.stem)
    check_writable(folder)
    if stem:
        check_free(folder, f"{stem}.mp4")
    progress, process = display({path.stem: ()}, quiet=quiet), RenderProcess(as_user=True)
    try:
        with Workspace(folder) as workspace, progress:
            job = FileJob(
                path=str(path.resolve()),
                folder=str(workspace.folder.resolve()),
                class_name=class_name,
                size=spec.size if quality else None,
                frames_per_second=spec.rate if quality else frames_per_second,
                engine=engine,
            )
            job.save()
            try:
                result = process.draw(workspace.folder, partial(progress.update, path.stem))
            finally:
                # Before the work folder goes: what still runs may write into it.
                end_group(workspace.folder)
                log = process.log
                process.end()
            for line in log.splitlines() if not result.failure else ():
                progress.note(line)
            raise_failure(result, path.name)
            record = json.loads((workspace.folder / RECORD).read_text(encoding="utf-8"))
            name = f"{stem or usual_stem(record)}.mp4"
            [published] = workspace.publish({name: workspace.folder / VIDEO})
            for line in filter(None, (result.notice, NO_LEDGER)):
                progress.note(f"{path.stem}: {line}")
            progress.done(path.stem, result.frames)
    except OSError as error:
        full = error.errno == errno.ENOSPC
        raise CheckFailed(str(folder), "the disk is full; nothing was published" if full else str(error)) from error
    finally:
        process.end()
    return FileVideo(published, record, result.frames, result.engine)


def check_source(path: Path) -> None:
    """Raises InputError for what is no file of Python code, with the line where Python stops to understand it."""
    if not path.is_file():
        why = "it is a folder" if path.is_dir() else "there is no such file"
        raise InputError(str(path), why, "name a file of Manim scenes, such as scenes.py")
    if path.suffix != ".py":
        raise InputError(str(path), "it is no Python file", "name one that ends in .py")
    try:
        ast.parse(path.read_bytes(), filename=str(path))
    except (SyntaxError, ValueError) as error:
        line = f":{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        why = f"Python cannot read it ({getattr(error, 'msg', error)})"
        raise InputError(f"{path.name}{line}", why, "correct it first") from None
    except OSError as error:
        raise InputError(str(path), f"it cannot be read ({error.strerror})", "name a file that can") from None


def raise_failure(result: Result, file: str) -> None:
    """Raises what ended the render process, in this process."""
    if not result.failure:
        return
    what, _, why = result.failure.partition(": ")
    if result.what == "input":
        reason, _, instead = why.rpartition("; ")
        raise InputError(what, reason, instead)
    raise CheckFailed(what, why) if result.what == "check" else CheckFailed(file, result.failure)


def usual_stem(record: Mapping[str, Any]) -> str:
    """`Clip.high`, or `Clip.600p25` for a size and rate that have no name."""
    shape = (min(record["size"]), record["rate"])
    named = [name for name, each in QUALITIES.items() if each == shape]
    return f"{record['scene']}.{named[0] if named else f'{shape[0]}p{shape[1]}'}"


def _checked_spec(quality: str | None, frames_per_second: int | None) -> RenderSpec:
    return RenderSpec(scene="", quality=quality or "high", frames_per_second=frames_per_second)
