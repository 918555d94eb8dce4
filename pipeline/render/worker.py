"""The process that draws one scene: `python -m pipeline.render.worker [JOBFOLDER]`.

Without a folder it gets ready first and reads the folder's name (in JSON) as the first line on stdin, so
that importing Manim overlaps with computing the numbers. It answers with one JSON line on stdout for each
step, and writes in its job folder only.
"""

from __future__ import annotations

import dataclasses
import errno
import functools
import importlib
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TextIO

from pipeline.render import runtime
from pipeline.render.copies import POSSIBLE, Copies, CopyFailed
from pipeline.render.job import RECORD, TRACE, Job, Result, write_json
from pipeline.render.lifeline import die_with_parent
from pipeline.render.pictures import write_drawings, write_last, write_stills
from pipeline.render.scene_file import FileJob, draw_file
from pipeline.render.uses import write_uses
from transformer_core.errors import CheckFailed, InputError

SECONDS_BETWEEN_REPORTS = 0.1
FINDINGS_TOLD = 3
NEEDED_BY_ALL = (
    "scenes.kit.scene",
    "pipeline.render.engines",
    "pipeline.render.films",
    "pipeline.render.encoder",
    "pipeline.publish.audit",
)


def main(arguments: list[str]) -> int:
    """Run one job and return the process's exit code: 0 when the picture is complete."""
    # Libraries that print would otherwise garble the progress lines.
    progress = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    if arguments == [runtime.AS_USER]:
        runtime.import_manim_as_user()
        folder = _ordered_folder()
        result = _attempt(lambda: draw_file(FileJob.load(folder), _reporter(progress)))
    else:
        runtime.import_manim()
        _get_ready()
        folder = Path(arguments[0]) if arguments else _ordered_folder()
        runtime.enter(folder.resolve())
        result = draw(Job.load(Path()), _reporter(progress))
    # On stdout rather than in a file: a full disk must not keep the reason from being told.
    progress.write(json.dumps({"result": dataclasses.asdict(result)}) + "\n")
    progress.flush()
    return 1 if result.failure else 0


def _get_ready() -> None:
    """Import and read what every scene needs; most often the trace that it draws is being computed meanwhile."""
    from pipeline.publish.outlines import get_ready

    for module in NEEDED_BY_ALL:
        importlib.import_module(module)
    get_ready()


def _ordered_folder() -> Path:
    """The folder named on stdin; from then on this process ends with its parent, and nobody else reads there."""
    orders = os.fdopen(os.dup(sys.stdin.fileno()), encoding="utf-8")
    folder = Path(json.loads(orders.readline()))
    die_with_parent(orders)
    nothing = os.open(os.devnull, os.O_RDONLY)
    # What a person's code starts has it too, and would wait there for ever.
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    return folder


def _attempt(make: Callable[[], Result]) -> Result:
    try:
        return make()
    except InputError as error:
        return Result(failure=str(error), what="input")
    except CheckFailed as error:
        return Result(failure=str(error), what="check")
    except CopyFailed:
        raise
    except OSError as error:
        traceback.print_exc()
        full = error.errno == errno.ENOSPC
        return Result(failure="the disk is full" if full else _describe(error), what="work")
    except Exception as error:
        traceback.print_exc()
        return Result(failure=_describe(error), what="work")


def draw(job: Job, report: Callable[[str, int], None]) -> Result:
    """Draw the scene, write video, stills, drawings and record into the current folder; says how it went."""
    several = POSSIBLE and job.processes > 1 and not job.brief.get("only_beat")
    # One more than there are cores, so that none of them waits while the last beats are drawn.
    copies = Copies(most=job.processes + 1, well=lambda told: not told.failure) if several else None
    try:
        result = _attempt(lambda: _draw(job, copies, report))
    except CopyFailed as error:
        result = error.told or Result(failure=f"{error}", what="work")
    if copies is None:
        return result
    if copies.name:
        copies.leave(result)
    copies.end()
    return result


def _draw(job: Job, copies: Copies | None, report: Callable[[str, int], None]) -> Result:
    """Draw the scene, or one beat of it in a copy of this process.

    Raises CheckFailed when the scene's audit found something, and CopyFailed.
    """
    from pipeline.render.encoder import known_repeats
    from pipeline.render.engines import stage
    from pipeline.render.films import open_stream, write_films
    from pipeline.render.parts import Parts, joined, part_of, save_part
    from pipeline.render.writer import BeatWriter

    scene_class = _scene_class(job)
    if copies and "mp4" in job.films:
        # Once here, instead of in every copy.
        known_repeats(job.size, job.frames_per_second)
    parts = Parts(
        scene_class.beats,
        copies=copies,
        open_stream=functools.partial(open_stream, job) if job.films else None,
        report=report,
    )
    made = _Made()
    with runtime.manim_settings(size=job.size, frames_per_second=job.frames_per_second, ground=not job.ground):
        brief = _brief(job)
        after_beat = _after_beat(job, made, finishes=parts.finishes)
        staged = stage(
            lambda renderer: scene_class(brief, renderer=renderer, after_beat=after_beat),
            scene_class,
            engine=job.engine,
            writer=functools.partial(BeatWriter, stream_of=parts.stream_of, report=parts.report),
            count_skipped=not job.films or copies is not None,
            skip_animations=not job.films,
        )
        scene = staged.scene
        try:
            scene.render()
        except CopyFailed:
            raise
        except Exception:
            if copies and not copies.name:
                # The copy of this beat comes to the same place and has drawn the picture.
                copies.join()
            write_last(scene)
            raise
    write_stills(made.stills, left_out=job.ground)
    write_drawings(made.drawings)
    if parts.beat:
        own = part_of(scene.record, parts.beat)
        save_part(parts.beat, _plain(own, scene.trace), made.looks)
        if own.findings:
            write_last(scene)
        return Result()
    if copies:
        copies.join()
        record, looks = joined(_plain(part_of(scene.record, ""), scene.trace), scene_class.beats)
    else:
        record, looks = _plain(dataclasses.replace(scene.record, stills={}), scene.trace), made.looks
    write_json(Path(RECORD), record)
    write_uses(scene.trace, looks)
    if findings := record["findings"]:
        if not copies:
            write_last(scene)
        told, more = findings[:FINDINGS_TOLD], len(findings) - FINDINGS_TOLD
        raise CheckFailed(f"audit of {record['scene']}", " | ".join(told) + (f" | and {more} more" if more > 0 else ""))
    if job.films:
        write_films(job, scene.record, frames=parts.frame_count, report=report)
    return Result(frames=parts.frame_count, engine=staged.engine, notice=staged.notice)


def _scene_class(job: Job) -> Any:
    if job.search not in sys.path:
        sys.path.insert(0, job.search)
    return getattr(importlib.import_module(job.module), job.class_name)


def _brief(job: Job) -> Any:
    from pipeline.render.uses import ObservedTrace
    from scenes.kit.brief import SceneBrief

    return SceneBrief(trace=ObservedTrace.load(TRACE), **job.brief)


@dataclasses.dataclass
class _Made:
    """What was made of the beats' last pictures: pixels, outlines and digests by beat."""

    stills: dict[str, Any] = dataclasses.field(default_factory=dict)
    drawings: dict[str, Any] = dataclasses.field(default_factory=dict)
    looks: dict[str, str] = dataclasses.field(default_factory=dict)


def _after_beat(job: Job, made: _Made, *, finishes: Callable[[str], bool]) -> Callable[[Any, str], list[str]]:
    from pipeline.publish.audit import audit
    from pipeline.render.look import look_of
    from pipeline.render.vectors import drawing_of

    def after_beat(scene: Any, beat: str) -> list[str]:
        if not finishes(beat):
            return []
        if beat in job.stills:
            scene.renderer.static_image = None
            scene.renderer.update_frame(scene)
            made.stills[beat] = scene.renderer.get_frame()
        if beat in job.drawings:
            made.drawings[beat] = drawing_of(scene)
        made.looks[beat] = look_of(scene, width=job.size[0])
        # The audit reads every quantity, the scene does not.
        with scene.trace.unobserved():
            return audit(scene, beat) if job.audit else []

    return after_beat


def _plain(value: Any, trace: Any) -> Any:
    """Dataclasses and mappings as JSON-able dictionaries; a Cell as address, bits and how it came about."""
    from transformer_core.address import format_address
    from transformer_core.cell import Cell
    from transformer_core.derive import expression

    # Nearly all are one of these.
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Cell):
        known = {
            "name": value.name,
            "index": dict(value.index),
            "hex": value.value.hex(),
            "formula": value.formula,
        }
        address = {"address": format_address(value, trace.spec)}
        return known | address | ({"expression": expression(value)} if value.derived else {})
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name), trace) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(each, trace) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each, trace) for each in value]
    return value.item() if hasattr(value, "item") else value


def _reporter(progress: TextIO) -> Callable[[str, int], None]:
    last = {"beat": "", "time": 0.0}

    def report(beat: str, frames: int) -> None:
        now = time.monotonic()
        if beat == last["beat"] and now - last["time"] < SECONDS_BETWEEN_REPORTS:
            return
        last.update(beat=beat, time=now)
        progress.write(json.dumps({"beat": beat, "frames": frames}) + "\n")
        progress.flush()

    return report


def _describe(error: Exception) -> str:
    """One line: the error and the line of ours or the scene's that it came from."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if "site-packages" not in each.filename]
    place = f" ({Path(frames[-1].filename).name} line {frames[-1].lineno})" if frames else ""
    return " ".join(f"{type(error).__name__}: {error}{place}".split())


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stderr.flush()
    # Everything is written; taking a scene's hundreds of thousands of objects apart first would take a while.
    os._exit(code)
