"""The pages that a video or a figure is embedded in: one file for each tool, found by looking into this folder.

A file `some.py` makes `embed --target some`. It has

- `ENDINGS`: what its pages are called, such as `.md`,
- `snippet(shown, page) -> str`: what a person pastes into the page,
- `put(document, shown, page) -> bytes`: the page with it inserted or brought up to date, and everything else
  as it was. `document` is None where there is no such file,
- `beside(page) -> files`, where the tool needs more in the site than the page,
- `link_from(page) -> link`, where addresses are other than as seen from the page,
- `placed(document, page) -> assets`, where the document is no text: what was put into it.

Nothing heavy is imported here: `--help` lists the names.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

if TYPE_CHECKING:
    from pipeline.publish.embeds._asset import Embeddable
    from pipeline.publish.embeds._page import Link, Page


class Target(Protocol):
    """What a file of this folder gives."""

    ENDINGS: tuple[str, ...]

    def snippet(self, shown: Embeddable, page: Page) -> str:
        """The text to paste. Raises InputError for a tool whose documents are no text."""
        ...

    def put(self, document: bytes | None, shown: Embeddable, page: Page) -> bytes:
        """The document with the video or the figure in it. Raises InputError."""
        ...


@dataclass(frozen=True)
class Placed:
    """An asset in a document: its name, what it is part of and the number of that from 1, the text about it."""

    name: str
    unit: str
    number: int
    text: str


@runtime_checkable
class ReadsBack(Protocol):
    """A target whose documents are no text."""

    def placed(self, document: bytes, page: Page) -> Iterator[Placed]:
        """The assets in the document. Raises InputError where it is none of this kind."""
        ...


@runtime_checkable
class Addresses(Protocol):
    """A target in whose pages HTML names files otherwise than as seen from the page."""

    def link_from(self, page: Page) -> Link:
        """How HTML in the page names a file."""
        ...


@runtime_checkable
class NeedsMore(Protocol):
    """A target that needs files of its own in the site."""

    def beside(self, page: Page) -> Mapping[Path, bytes]:
        """The files that are missing, with what goes into them."""
        ...


def names() -> tuple[str, ...]:
    """The targets there are, in alphabetical order."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")))


def load(name: str) -> Target:
    """The target of that name."""
    return cast(Target, importlib.import_module(f"{__name__}.{name}"))
