"""What `-o` means: a folder to publish in and, where one was given, a file's name without its ending."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

from pipeline.render.workspace import longest_name
from transformer_core.errors import InputError

PICTURES = (".mp4", ".webm", ".mov", ".gif", ".webp", ".png", ".jpg", ".jpeg", ".svg")
OTHERS = (*PICTURES, ".pdf", ".html", ".pptx", ".safetensors")
LONGEST_ENDING = len(".en.transcript.md")


def destination(
    output: str | None, *, default: Path, ending: str = ".mp4", several: bool = False, what: str = "videos"
) -> tuple[Path, str | None]:
    """Folder and stem that `-o` means; the stem is None where the usual one is meant.

    An existing folder, or a name that ends in a slash, is a folder. `ending` is what is made; a name with the
    ending of something else is refused, as is one that no file can have, or one for several things, which
    `what` names. Raises InputError.
    """
    if output is None:
        return default, None
    shown = f"output {output[:60]!r}"
    if not output.strip():
        raise InputError(shown, "it is empty", "name a file or a folder")
    if any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in output):
        raise InputError(shown, "it has a control character", "name it with letters")
    path = Path(output)
    if output.endswith("/") or os.path.isdir(output):
        return path, None
    if several:
        raise InputError(shown, f"several {what} cannot have one name", f"name a folder: {output[:60]}/")
    given = path.suffix.lower()
    if given in OTHERS and given != ending:
        raise InputError(shown, f"what is made is {ending}", f"name it {path.stem[:60]}{ending}")
    stem = path.name[: -len(ending)] if path.name.lower().endswith(ending) else path.name
    if not stem.strip("."):
        raise InputError(shown, "that is no file's name", "name a file or a folder")
    if len(os.fsencode(stem)) + LONGEST_ENDING > longest_name(path.parent):
        raise InputError(shown, "the name is too long", "shorten it")
    return path.parent, stem
