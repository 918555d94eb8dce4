"""The forms of a picture and of a film: one file each, found by looking into this folder.

A file `some.py` makes `--format some`. Of a beat's picture it makes a figure, `….some`, where it has

- `RASTER`: whether it is made of the beat's pixels (else of its outlines),
- `write(figure) -> bytes`: the file, the same bytes for the same figure,
- `digest(data) -> str`: the digest of the numbers that such a file says it shows; empty where it says none.

Of a scene's pictures it makes a film where it has

- `ENDING`: what follows the stem in the film's name,
- `ALPHA`: whether it can leave out the ground,
- `WHOLE`: whether it may be as long as a scene (else it is for one beat),
- `write_film(film, path)`: writes the file, or the folder; raises CheckFailed for one that is too large to be of use,
- `mark(path) -> str`: what the file says of its numbers, with their digest in it; empty where it says nothing,
- `renew(source, path, *, chapters, metadata)`, where a course may ask for it: the same pictures, saying this instead.

Nothing heavy is imported here: `--help` lists the names.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipeline.publish.formats._figure import Figure
    from pipeline.publish.formats._film import Film
    from pipeline.render.encoder import Chapter


class Format(Protocol):
    """What a file of this folder gives for figures."""

    RASTER: bool

    def write(self, figure: Figure) -> bytes:
        """The file's bytes."""
        ...

    def digest(self, data: bytes) -> str:
        """The digest that the file names."""
        ...


class FilmFormat(Protocol):
    """What a file of this folder gives for films."""

    ENDING: str
    ALPHA: bool
    WHOLE: bool

    def write_film(self, film: Film, path: Path) -> None:
        """Write the film."""
        ...

    def mark(self, path: Path) -> str:
        """What the film says of its numbers."""
        ...


class Renewable(FilmFormat, Protocol):
    """What a file of this folder gives for films whose numbers may get another digest while the pictures stay."""

    def renew(self, source: Path, path: Path, *, chapters: Iterable[Chapter], metadata: Mapping[str, str]) -> None:
        """Copy the film's pictures as they are, with other chapters and texts."""
        ...


def names() -> tuple[str, ...]:
    """The forms that a figure can have, in alphabetical order."""
    return _names_with("RASTER = ")


def film_names() -> tuple[str, ...]:
    """The forms that a film can have, in alphabetical order."""
    return _names_with("ENDING = ")


def renewable_names() -> tuple[str, ...]:
    """The forms of films whose texts can be renewed, in alphabetical order."""
    return _names_with("def renew(")


def is_whole(name: str) -> bool:
    """What the form's `WHOLE` says, read from its file without importing it."""
    return "WHOLE = True" in _lines(name)


def has_alpha(name: str) -> bool:
    """What the form's `ALPHA` says, read from its file without importing it."""
    return "ALPHA = True" in _lines(name)


def is_raster(name: str) -> bool:
    """What the form's `RASTER` says, read from its file without importing it."""
    return "RASTER = True" in _lines(name)


def load(name: str) -> Format:
    """A figure's form of that name."""
    return cast(Format, importlib.import_module(f"{__name__}.{name}"))


def load_film(name: str) -> FilmFormat:
    """A film's form of that name."""
    return cast(FilmFormat, importlib.import_module(f"{__name__}.{name}"))


def load_renewable(name: str) -> Renewable:
    """A renewable film's form of that name."""
    return cast(Renewable, importlib.import_module(f"{__name__}.{name}"))


def _names_with(start: str) -> tuple[str, ...]:
    found = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    return tuple(name for name in found if any(line.startswith(start) for line in _lines(name)))


@cache
def _lines(name: str) -> tuple[str, ...]:
    return tuple((Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8").splitlines())
