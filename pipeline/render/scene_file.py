"""A person's own file of Manim scenes: the job it makes, and how it is drawn in its render process.

The file runs as `manim render` would run it: in the person's folder, with their `manim.cfg`, with what the file
itself sets in `config`. Only where Manim writes to, and whether it plays, caches or reports, is ours.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import json
import sys
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from pipeline.render import runtime
from pipeline.render.job import RAW_VIDEO, RECORD, VIDEO, Result, write_json
from pipeline.render.lifeline import note_group
from pipeline.render.spec import FASTEST, check_size
from transformer_core.errors import CheckFailed, InputError

JOB = "file.json"
MODULE = "scene_file"
UNNAMED = ("autocreated", "unnamed")
"""Manim's own names for sections that nobody named."""
LONGEST_TOLD = 500
"""Characters of what a person's code raises."""


@dataclass(frozen=True, kw_only=True)
class FileJob:
    """One scene of a file. `class_name` may be empty for a file with one scene.

    `size` and `frames_per_second` are None where the person's own configuration counts. Paths are absolute.
    """

    path: str
    folder: str
    class_name: str
    size: tuple[int, int] | None
    frames_per_second: int | None
    engine: str

    def save(self) -> None:
        """Write file.json into the job's folder."""
        write_json(Path(self.folder) / JOB, asdict(self))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read file.json."""
        data = json.loads((folder / JOB).read_text(encoding="utf-8"))
        return cls(**data | {"size": tuple(data["size"]) if data["size"] else None})


@dataclass
class Sections:
    """The scene's sections and the frame at which each begins."""

    report: Callable[[str, int], None]
    starts: list[tuple[str, int]] = field(default_factory=list)

    def __call__(self, name: str, frames: int) -> None:
        """Note a section that begins, and pass the report on."""
        name = "" if name in UNNAMED else name
        if not self.starts or self.starts[-1][0] != name:
            self.starts.append((name, frames))
        self.report(name, frames)


def draw_file(job: FileJob, report: Callable[[str, int], None]) -> Result:
    """Draw one scene of a file into the job's folder: the video and a short record.

    Raises InputError for a file without such a scene or with a size no video has, and CheckFailed, with file and
    line, for what the file's own code raises.
    """
    from pipeline.render.encoder import VideoStream
    from pipeline.render.engines import stage
    from pipeline.render.writer import BeatWriter

    folder, sections = Path(job.folder), Sections(report)
    note_group(folder)
    with runtime.user_settings(folder, size=job.size, frames_per_second=job.frames_per_second):
        scene_class = choose(_scene_classes(job), job.class_name, file=Path(job.path).name)
        size, rate = _size_and_rate(folder)
        stream = VideoStream(folder / RAW_VIDEO, size=size, frames_per_second=rate)
        scene = None
        try:
            staged = stage(
                lambda renderer: scene_class(renderer=renderer),
                scene_class,
                engine=job.engine,
                writer=functools.partial(BeatWriter, stream=stream, report=sections),
            )
            scene = staged.scene
            scene.render()
        except BaseException as error:
            stream.abandon()
            if scene is not None and not scene.renderer.num_plays and not _comes_from(error, job):
                raise _nothing_played(scene_class) from error
            raise told(error, job) from error
        frames = stream.frame_count
    if not frames:
        raise _nothing_played(scene_class)
    record = {"scene": scene_class.__name__, "size": size, "rate": rate, "seconds": frames / rate}
    write_json(folder / RECORD, record | {"sections": sections.starts})
    _finish(folder, sections, scene_class.__name__, end=frames / rate, rate=rate)
    return Result(frames=frames, engine=staged.engine, notice=staged.notice)


def choose(classes: dict[str, Any], name: str, *, file: str) -> Any:
    """The scene of that name, or the only one. Raises InputError for none, for several, for an unknown one."""
    import difflib

    names = ", ".join(classes)
    if not classes:
        raise InputError(file, "there is no Scene class in it", "write `class Name(Scene)` with a `construct`")
    if name in classes:
        return classes[name]
    if name:
        near = difflib.get_close_matches(name, classes, n=1)
        raise InputError(
            f"class {name!r}", f"{file} has no such scene", f"did you mean {near[0]!r}?" if near else f"try {names}"
        )
    if len(classes) > 1:
        raise InputError(file, f"there are {len(classes)} scenes in it", f"name one after the file: {names}")
    return next(iter(classes.values()))


def told(error: BaseException, job: FileJob) -> Exception:
    """What the file's code raised, as one line with the file and line it came from."""
    if isinstance(error, (InputError, CheckFailed)):
        return error
    traceback.print_exception(error)
    own = _comes_from(error, job)
    place = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else Path(job.path).name
    what = "it ended the program" if isinstance(error, SystemExit) else f"{type(error).__name__}: {error}"
    # Nothing that a terminal would obey.
    words = " ".join("".join(each if each.isprintable() else " " for each in what).rstrip(": ").split())
    return CheckFailed(place, words if len(words) <= LONGEST_TOLD else f"{words[:LONGEST_TOLD]}…")


def _comes_from(error: BaseException, job: FileJob) -> list[traceback.FrameSummary]:
    """The steps of the error's way that lie in the file itself, else those in its folder."""
    steps = traceback.extract_tb(error.__traceback__)
    others = (Path(sys.prefix), runtime.ROOT / "pipeline")
    beside = [
        step
        for step in steps
        if Path(step.filename).is_relative_to(Path(job.path).parent)
        and not any(Path(step.filename).is_relative_to(folder) for folder in others)
    ]
    return [step for step in steps if step.filename == job.path] or beside


def _nothing_played(scene_class: type) -> InputError:
    return InputError(scene_class.__name__, "it plays nothing, so there is no video", "let it end with self.wait()")


def _scene_classes(job: FileJob) -> dict[str, Any]:
    """The scenes that the file itself defines, by name, in its order."""
    from manim import Scene

    path = Path(job.path)
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(MODULE, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise told(error, job) from error
    return {
        name: each
        for name, each in vars(module).items()
        if inspect.isclass(each) and issubclass(each, Scene) and each.__module__ == MODULE
    }


def _size_and_rate(folder: Path) -> tuple[tuple[int, int], int]:
    size, rate = runtime.settle_user_settings(folder)
    check_size(*size)
    if not (float(rate).is_integer() and 1 <= rate <= FASTEST):
        raise InputError(f"{rate:g} frames per second", f"a whole number of 1 to {FASTEST} is needed", "give --fps 30")
    return size, int(rate)


def _finish(folder: Path, sections: Sections, title: str, *, end: float, rate: int) -> None:
    from pipeline.render.encoder import Chapter, finish_video

    starts = [frame / rate for _, frame in sections.starts] + [end]
    chapters = [Chapter(name, starts[i], starts[i + 1]) for i, (name, _) in enumerate(sections.starts) if name]
    metadata = {"title": title, "description": "drawn without a trace: no number in it was checked"}
    finish_video([folder / RAW_VIDEO], folder / VIDEO, chapters=chapters, metadata=metadata)
