"""The pictures of a scene and what they say of themselves, before they have a form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.publish.formats._figure import CREATOR

if TYPE_CHECKING:
    import numpy as np

    from pipeline.render.encoder import Chapter


@dataclass(frozen=True, kw_only=True)
class Film:
    """A scene, or one beat of it, as it was drawn.

    `pictures` begins anew at every call: each picture, RGBA [height, width, 4] with colours as they are before
    alpha, and the frames that it lasts. `streams` are the H.264 streams of the same render in their order, there only
    where an mp4 was asked for. `transparent`: the ground is left out. `metadata`: title, command (`comment`) and digest
    (`description`).
    """

    pictures: Callable[[], Iterator[tuple[np.ndarray, int]]]
    streams: Sequence[Path]
    size: tuple[int, int]
    frames_per_second: int
    frames: int
    transparent: bool
    chapters: tuple[Chapter, ...]
    metadata: Mapping[str, str]
    language: str

    @cached_property
    def told(self) -> str:
        """Digest, title and command, a line each, for forms that have one text."""
        return told(self.metadata)


def told(metadata: Mapping[str, str]) -> str:
    """Digest, title and command, a line each."""
    return "\n".join((*(metadata[key] for key in ("description", "title", "comment")), CREATOR))
