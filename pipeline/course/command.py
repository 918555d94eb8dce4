"""The command line that makes a picture of a course by itself."""

from __future__ import annotations

import shlex
from dataclasses import fields

from pipeline.course.asset import Picture
from pipeline.render.spec import RenderSpec

OPTIONS = {"frames_per_second": "--fps", "language": "--lang"}
COMMANDS = {"video": "render", "figure": "figure", "numbers": "numbers"}
LEFT_OUT = {"video": (), "figure": ("beat", "captions", "pace", "poster"), "numbers": ("captions", "pace", "poster")}


def command_of(picture: Picture) -> str:
    """`python cli.py render qkv --theme light`, with the options that are not the usual ones."""
    spec, usual = picture.spec, RenderSpec(scene=picture.entry.name)
    scene = f"{picture.entry.name}:{spec.beat}" if picture.kind == "figure" and spec.beat else picture.entry.name
    words = ["python", "cli.py", COMMANDS[picture.kind], scene]
    for field in fields(spec):
        value = getattr(spec, field.name)
        if field.name == "scene" or field.name in LEFT_OUT[picture.kind] or value == getattr(usual, field.name):
            continue
        words += [OPTIONS.get(field.name, f"--{field.name}"), f"{value:g}" if isinstance(value, float) else str(value)]
    return shlex.join(words)
