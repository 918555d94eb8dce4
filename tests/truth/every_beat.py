"""Every frame of every beat of every scene, the fast engine against Manim's own: minutes, not for CI.

python -m tests.truth.every_beat                        # a line for each scene; exit 1 where one differs
python -m tests.truth.every_beat qkv:softmax --high     # one beat, at 1080p
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
import tempfile

from rich.console import Console

from pipeline.catalogue import catalogue, find_scenes
from pipeline.render.request import resolve
from pipeline.render.spec import RenderSpec
from scenes.kit.brief import SceneBrief
from tests.truth.compare import Compared, compare


def compare_beats(scene: str, *, beat: str | None = None, quality: str = "draft", **options: str) -> Compared:
    """One beat of a scene, or all of them, drawn by both engines in the current folder."""
    [entry] = find_scenes([scene])
    spec = RenderSpec(scene=entry.name, quality=quality, beat=beat, **options)
    request = resolve(spec, entry)
    scene_class = getattr(importlib.import_module(entry.module), entry.class_name)
    make = functools.partial(scene_class, SceneBrief(trace=request.trace, **request.brief))
    return compare(lambda renderer: make(renderer=renderer), scene_class, size=spec.size, rate=spec.rate)


def main(words: list[str]) -> int:
    """Compare the named scenes or beats, all for none; exit code 1 where a frame differs."""
    console, failed = Console(), False
    quality = "high" if "--high" in words else "draft"
    named = [word for word in words if not word.startswith("-")] or [entry.name for entry in catalogue()]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in named:
            scene, _, beat = name.partition(":")
            compared = compare_beats(scene, beat=beat or None, quality=quality)
            failed |= bool(compared.words)
            told = compared.words or f"{compared.stock.frame_count} frames, every one the same"
            console.print(f"{name}: {told}", markup=False, highlight=False, soft_wrap=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
