"""One beat of a scene, played in this process: its last picture, its frames where they are wanted, its record."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np

from pipeline.catalogue import SceneEntry
from pipeline.publish.audit import audit
from pipeline.render import runtime
from pipeline.render.encoder import Picture
from pipeline.render.request import resolve
from pipeline.render.spec import RenderSpec
from scenes.kit.record import BeatRecord, SceneRecord
from transformer_core.errors import CheckFailed


class Frames:
    """A stream of a video that keeps its pictures instead of encoding them."""

    def __init__(self) -> None:
        self.pictures: list[Picture] = []

    @property
    def frame_count(self) -> int:
        """Frames so far."""
        return sum(each.repeat for each in self.pictures)

    def put(self, picture: Picture) -> None:
        """Keep a picture."""
        self.pictures.append(picture)

    def close(self) -> None:
        """Nothing is left to do."""

    def abandon(self) -> None:
        """Forget what a failed scene has drawn."""
        self.pictures.clear()


@dataclass(frozen=True)
class Played:
    """A beat's last picture [row, column, 3] and what the scene recorded of it."""

    pixels: np.ndarray
    record: SceneRecord

    @property
    def beat(self) -> BeatRecord:
        """The beat's texts and times."""
        return self.record.beats[0]


def play(
    entry: SceneEntry,
    beat: str,
    *,
    theme: str,
    size: tuple[int, int],
    frames_per_second: int = 15,
    frames: Frames | None = None,
) -> Played:
    """Play a scene's beat in English with everything else as the scene has it.

    `frames` keeps every frame of the beat; without it nothing but the last picture is drawn. Raises CheckFailed for
    what the audit finds.
    """
    from pipeline.render.engines import stage
    from pipeline.render.writer import BeatWriter
    from scenes.kit.brief import SceneBrief

    request = resolve(RenderSpec(scene=entry.name, language="en", theme=theme, beat=beat), entry)
    kept: list[np.ndarray] = []

    def after_beat(scene, name: str) -> list[str]:
        scene.renderer.static_image = None
        scene.renderer.update_frame(scene)
        kept.append(scene.renderer.get_frame()[:, :, :3])
        return audit(scene, name)

    with _in_a_folder(), runtime.manim_settings(size=size, frames_per_second=frames_per_second):
        scene_class = getattr(import_module(entry.module), entry.class_name)
        brief = SceneBrief(trace=request.trace, **request.brief)
        scene = stage(
            lambda renderer: scene_class(brief, renderer=renderer, after_beat=after_beat),
            scene_class,
            engine="fast",
            writer=functools.partial(BeatWriter, stream=frames, report=lambda *_: None),
            count_skipped=frames is None,
            skip_animations=frames is None,
        ).scene
        scene.render()
    if scene.record.findings:
        raise CheckFailed(f"audit of {entry.name}", " | ".join(scene.record.findings))
    return Played(kept[0], scene.record)


@contextmanager
def _in_a_folder() -> Iterator[None]:
    """A folder of its own for whatever Manim writes beside the picture."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)
