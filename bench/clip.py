"""The first seconds of a lecture scene as a file of its own, for a renderer that draws files."""

from __future__ import annotations

import shutil
from pathlib import Path

from pipeline.catalogue import SceneEntry

CLIP = '''"""The first {seconds:g} seconds of {class_name}."""

from manim.utils.exceptions import EndSceneEarlyException

from {module} import {class_name} as Whole


class Clip(Whole):
    """Ends with the first play that would begin later."""

    def play(self, *args, **kwargs):
        if self.time >= {seconds:g}:
            raise EndSceneEarlyException
        super().play(*args, **kwargs)
'''


def write_clip(entry: SceneEntry, folder: Path, *, seconds: float) -> Path:
    """Write the file, with the scene's texts beside it, where the scene looks for them."""
    path = folder / f"{entry.name}_clip.py"
    text = CLIP.format(seconds=seconds, module=entry.module, class_name=entry.class_name)
    path.write_text(text, encoding="utf-8")
    shutil.copy(entry.search.joinpath(*entry.module.split(".")).with_suffix(".toml"), path.with_suffix(".toml"))
    return path
