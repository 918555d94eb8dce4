"""Where a page lies, and what an address in it has to be."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from pipeline.publish.embeds._element import Code, Served
from transformer_core.errors import InputError

Link = Callable[[Path], Code | Served]
"""From a file of the asset to its address in the page; empty where the tool publishes no such file."""


@dataclass(frozen=True)
class Page:
    """The document that a video is embedded in. The file need not exist."""

    file: Path

    @property
    def folder(self) -> Path:
        """The page's own folder, absolute."""
        return Path(os.path.abspath(self.file)).parent

    def relative(self, path: Path, *, start: Path | None = None) -> Code:
        """The address of a file as seen from the page, or from the folder `start` that the page is served as."""
        return Code(quote(Path(os.path.relpath(path, start or self.folder)).as_posix(), safe="/~"))

    def root(self, *names: str) -> Path | None:
        """The nearest folder above the page that has a file of one of these names."""
        above = (self.folder, *self.folder.parents)
        return next((folder for folder in above if any((folder / name).is_file() for name in names)), None)


def below(folder: Path, path: Path) -> Path | None:
    """The path as seen from the folder; None where it does not lie in it."""
    try:
        return Path(os.path.abspath(path)).relative_to(os.path.abspath(folder))
    except ValueError:
        return None


def served_from(folder: Path, *, tool: str) -> Link:
    """Addresses from the root of a site that serves this folder's files there.

    The link raises InputError for a file that lies elsewhere, since the tool would not copy it.
    """

    def link(path: Path) -> Served:
        place = below(folder, path)
        if place is None:
            raise not_copied(path, folder, tool=tool)
        return Served("/" + quote(place.as_posix(), safe="/~"))

    return link


def not_copied(path: Path, folder: Path, *, tool: str) -> InputError:
    """A file that a tool leaves behind when it builds the site."""
    shown = os.path.relpath(folder)
    return InputError(
        str(path), f"{tool} copies only what lies in {shown}/", f"move it there, or render it with -o {shown}/"
    )
