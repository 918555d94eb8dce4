"""A scene's beats as parts of one picture: each has streams of its own, and several are drawn at once.

The scene runs once without drawing. Where a beat begins the process is copied; the copy draws that beat and no
other. So a beat is what it is in the scene, whoever draws it, and its streams are the same bytes.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from manim.utils.exceptions import EndSceneEarlyException

from pipeline.render.copies import Copies
from pipeline.render.frames import Sink
from pipeline.render.job import write_json
from pipeline.render.writer import Report
from scenes.kit.record import SceneRecord

JOINED = ("beats", "numbers", "encodings", "findings")
"""The lists of a record, in the order of the beats."""


class Parts:
    """Which process draws a beat, and where its frames go.

    `open_stream` makes a beat's stream; None where no frame is asked for. Then the scene runs to a beat's end before
    the process is copied, and the copy makes what is made there.
    """

    def __init__(
        self,
        beats: Sequence[str],
        *,
        copies: Copies | None,
        open_stream: Callable[[str], Sink] | None,
        report: Report,
    ) -> None:
        self.beats = beats
        self._copies, self._open, self._report = copies, open_stream, report
        self._frames = np.frombuffer(mmap.mmap(-1, 8 * len(beats)), np.int64)
        """Frames drawn of each beat, in memory that the copies share."""

    @property
    def beat(self) -> str:
        """The beat that this process was copied for; empty in the first one."""
        return self._copies.name if self._copies else ""

    @property
    def frame_count(self) -> int:
        """Frames drawn so far, by all processes."""
        return int(self._frames.sum())

    def stream_of(self, beat: str) -> Sink | None:
        """Where a beat's frames go; None where this process draws none of it. Raises CopyFailed."""
        if self.beat:
            # The copy's own beat is over.
            raise EndSceneEarlyException
        if self._open is None or beat not in self.beats:
            return None
        if self._copies and not self._copies.begin(beat):
            return None
        return self._open(beat)

    def finishes(self, beat: str) -> bool:
        """Whether this process makes what is made of a beat's last picture; asked when it is there."""
        if self._copies is None:
            return True
        return self.beat == beat if self._open else self._copies.begin(beat)

    def report(self, beat: str, frames: int) -> None:
        """Note how many frames of a beat are drawn, and tell how many of the scene."""
        if beat not in self.beats:
            return
        if self._copies is None or self.beat == beat:
            self._frames[self.beats.index(beat)] = frames
        self._report(beat, self.frame_count)


def part_of(record: SceneRecord, beat: str) -> SceneRecord:
    """What a record says of one beat; of the whole scene alone where none has that name."""
    return replace(
        record,
        stills={},
        beats=tuple(each for each in record.beats if each.name == beat),
        numbers=tuple(each for each in record.numbers if each.beat == beat),
        encodings=tuple(each for each in record.encodings if each.beat == beat),
    )


def save_part(beat: str, record: Mapping[str, Any], looks: Mapping[str, str]) -> None:
    """Leave what is known of one beat in the current folder."""
    write_json(_path(beat), {"record": record, "looks": looks})


def joined(record: Mapping[str, Any], beats: Sequence[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The record of the whole scene and the looks after its beats, from the parts in the current folder."""
    parts = [json.loads(_path(beat).read_text(encoding="utf-8")) for beat in beats]
    lists = {name: [each for part in parts for each in part["record"][name]] for name in JOINED}
    looks = {beat: look for part in parts for beat, look in part["looks"].items()}
    return {**record, **lists}, looks


def _path(beat: str) -> Path:
    return Path(f"{beat}.part.json")
