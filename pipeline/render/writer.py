"""Manim's file-writer seam: sections become beats, frames go to our encoder, Manim writes no file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from manim.scene.scene_file_writer import SceneFileWriter

from pipeline.render.damage import Rectangle
from pipeline.render.encoder import Picture
from pipeline.render.frames import Sink
from transformer_core.errors import CheckFailed

Report = Callable[[str, int], None]
"""Called with the current beat and the number of its stream's frames so far."""


class BeatWriter(SceneFileWriter):
    """Takes the frames of a scene to `stream`; without a stream they are dropped.

    `stream_of` gives each beat a stream of its own as it begins, which is closed when the next one does. Where it
    gives None the beat is skipped.
    """

    def __init__(
        self,
        settings: Any,
        *,
        stream: Sink | None = None,
        stream_of: Callable[[str], Sink | None] | None = None,
        report: Report,
    ) -> None:
        self.stream, self.stream_of, self.report = stream, stream_of, report
        self.beat, self._next_is_key = "", True
        super().__init__(settings)

    @property
    def frames(self) -> int:
        """Frames written so far."""
        return self.stream.frame_count if self.stream else 0

    def next_section(self, name: str, type_: str, skip_animations: bool) -> None:
        """Begin a beat; its first frame is one that a player can seek to."""
        if self.stream_of is not None and not skip_animations:
            self.finish()
            # Its end is the old one's until then, should this raise.
            self.stream = self.stream_of(name)
            skip_animations = self.stream is None
        super().next_section(name, type_, skip_animations)
        self.beat, self._next_is_key = name, True
        self.report(name, self.frames)

    def write_frame(self, pixels: np.ndarray, *, repeat: int = 1) -> None:
        """Take over one picture, shown for `repeat` frames."""
        if self.stream is None:
            return
        self._put(Picture(pixels, repeat, key=self._next_is_key))

    def write_change(self, pixels: np.ndarray, changed: Sequence[Rectangle], *, repeat: int = 1) -> None:
        """Show a picture, which stays the caller's, for `repeat` frames; since the last one it changed only there."""
        if self.stream is None:
            return
        # A beat's first picture comes whole: nothing that its stream begins with is known.
        if self._next_is_key or not getattr(self.stream, "takes_parts", False):
            self._put(Picture(pixels.copy(), repeat, key=self._next_is_key))
            return
        for number, each in enumerate(changed, start=1):
            part, shown = pixels[each.slices].copy(), repeat if number == len(changed) else 0
            self._put(Picture(part, shown, key=self._next_is_key and shown > 0, at=(each.left, each.top)))
        if not changed:
            self._put(Picture(None, repeat, key=self._next_is_key))

    def _put(self, picture: Picture) -> None:
        assert self.stream is not None
        self.stream.put(picture)
        if picture.repeat:
            self._next_is_key = False
            self.report(self.beat, self.frames)

    def finish(self) -> None:
        """Close the stream."""
        if self.stream is not None:
            self.stream.close()
            self.stream = None

    def abort_encode_jobs(self, reraise_encoder_failures: bool = False) -> None:
        """Leave the video unfinished: the scene has failed."""
        if self.stream is not None:
            self.stream.abandon()

    def add_sound(self, *args: Any, **kwargs: Any) -> None:
        """Raises CheckFailed: these videos are silent, and leaving a sound out in silence would be wrong."""
        instead = "leave it out, or render this scene with: manim render"
        raise CheckFailed("add_sound", f"videos with sound cannot be rendered here; {instead}")
