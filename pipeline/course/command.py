"""The command line that makes a picture of a course by itself."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import fields

from pipeline.course.asset import STANDARD, STANDARD_TRANSPARENT, Picture
from pipeline.render.spec import RenderSpec

OPTIONS = {"frames_per_second": "--fps", "language": "--lang"}
COMMANDS = {"video": "render", "figure": "figure", "numbers": "numbers"}
USUAL_FORMS = {"video": STANDARD, "figure": "svg", "numbers": "json"}
LEFT_OUT = {"video": (), "figure": ("beat", "captions", "pace", "poster"), "numbers": ("captions", "pace", "poster")}


def command_of(picture: Picture, forms: Sequence[str]) -> str:
    """`python cli.py render qkv --theme light --format webm`, with the options that are not the usual ones."""
    spec, usual = picture.spec, RenderSpec(scene=picture.entry.name)
    scene = f"{picture.entry.name}:{spec.beat}" if picture.kind == "figure" and spec.beat else picture.entry.name
    words = ["python", "cli.py", COMMANDS[picture.kind], scene]
    for field in fields(spec):
        value = getattr(spec, field.name)
        if field.name == "scene" or field.name in LEFT_OUT[picture.kind] or value == getattr(usual, field.name):
            continue
        words.append(OPTIONS.get(field.name, f"--{field.name}"))
        if not isinstance(value, bool):
            words.append(f"{value:g}" if isinstance(value, float) else str(value))
    if tuple(forms) != (STANDARD_TRANSPARENT if spec.transparent else USUAL_FORMS[picture.kind],):
        words += [word for form in forms for word in ("--format", form)]
    return shlex.join(words)
