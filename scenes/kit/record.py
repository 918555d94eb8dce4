"""What a scene leaves behind beside its frames: beats, captions, and every number that was on screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transformer_core.trace import Cell


@dataclass(frozen=True)
class ShownCell:
    """A Cell and the text it was shown as, with the kind of that text (exact, rounded, tiny, bounded, masked)."""

    cell: Cell
    text: str
    kind: str


@dataclass(frozen=True)
class CaptionLine:
    """One caption line, in seconds from the start of the video."""

    text: str
    start: float
    end: float


@dataclass(frozen=True)
class BeatRecord:
    """One beat: when it ran, what its captions and alt text say (by language), which Cells they quote."""

    name: str
    start: float
    end: float
    titles: Mapping[str, str]
    captions: Mapping[str, tuple[CaptionLine, ...]]
    alt: Mapping[str, str]
    quoted: tuple[ShownCell, ...] = ()


@dataclass(frozen=True)
class NumberRecord:
    """One number that was on screen in one beat.

    ``box`` is (left, top, right, bottom) in the 16 × 9 frame, origin at its top left corner; ``expression`` says how
    a derived number is computed again.
    """

    beat: str
    time_in: float
    time_out: float
    text: str
    kind: str
    name: str
    index: Mapping[str, int]
    hex: str
    box: tuple[float, float, float, float]
    address: str
    formula: str = ""
    expression: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class EncodingRecord:
    """One value shown as a shade, area, width or length in one beat, and the size that was drawn."""

    beat: str
    channel: str
    scale: str
    name: str
    index: Mapping[str, int]
    hex: str
    drawn: float
    expression: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class SceneRecord:
    """Everything a finished scene has to say about itself."""

    scene: str
    model: str
    digest: str
    duration: float
    beats: tuple[BeatRecord, ...]
    numbers: tuple[NumberRecord, ...]
    encodings: tuple[EncodingRecord, ...]
    findings: tuple[str, ...] = ()
    stills: Mapping[str, np.ndarray] = field(default_factory=dict)
