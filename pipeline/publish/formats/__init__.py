"""The forms of a figure: one file each, found by looking into this folder.

A file `some.py` makes `--format some` and the ending `.some`. It has

- `RASTER`: whether it is made of the beat's pixels (else of its outlines),
- `write(figure) -> bytes`: the file, the same bytes for the same figure,
- `digest(data) -> str`: the digest of the numbers that such a file says it shows; empty where it says none.

Nothing heavy is imported here: `--help` lists the names.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from pipeline.publish.formats._figure import Figure


class Format(Protocol):
    """What a file of this folder gives."""

    RASTER: bool

    def write(self, figure: Figure) -> bytes:
        """The file's bytes."""
        ...

    def digest(self, data: bytes) -> str:
        """The digest that the file names."""
        ...


def names() -> tuple[str, ...]:
    """The forms there are, in alphabetical order."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")))


def is_raster(name: str) -> bool:
    """What the form's `RASTER` says, read from its file without importing it."""
    lines = (Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8").splitlines()
    return "RASTER = True" in lines


def load(name: str) -> Format:
    """The form of that name."""
    return cast(Format, importlib.import_module(f"{__name__}.{name}"))
