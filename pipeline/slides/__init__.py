"""A deck for a lecture: a slide for each beat of a scene, made from the same drawing as the video.

A file `some.py` makes `slides --format some`. It has

- `CLIPS`: whether a slide has the beat's film, which then has to be drawn,
- `OUTLINES`: whether it has the outlines of the beat's last picture,
- `write(deck) -> bytes`: the file, the same bytes for the same deck,
- `mark(data) -> str`: what such a file says of its numbers, with their digests in it; empty where it says nothing.

Nothing heavy is imported here: `--help` lists the names.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from pipeline.slides._deck import Deck


class Form(Protocol):
    """What a file of this folder gives."""

    CLIPS: bool
    OUTLINES: bool

    def write(self, deck: Deck) -> bytes:
        """The file's bytes."""
        ...

    def mark(self, data: bytes) -> str:
        """What the file says of its numbers."""
        ...


def names() -> tuple[str, ...]:
    """The forms that a deck can have, in alphabetical order."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")))


def load(name: str) -> Form:
    """The form of that name."""
    return cast(Form, importlib.import_module(f"{__name__}.{name}"))
