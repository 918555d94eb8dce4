"""Every picture of a scene in a file, losslessly and with its alpha, for the forms that an mp4 is too coarse for.

QuickTime Animation keeps what changed between two pictures as runs of pixels, so that a still costs nothing.
Of 29 s of 720p30, 301 pictures of digits: ms CPU a picture, MB.

    qtrle          5.5     9.4
    ffv1          19.4    25.8
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Protocol

import av
import numpy as np

from pipeline.render.encoder import Picture

CODEC, PIXEL_FORMAT = "qtrle", "argb"
PICTURES_BETWEEN_KEYS = 300


class Sink(Protocol):
    """Takes the pictures of a scene one after the other, as `pipeline.render.encoder.VideoStream` does."""

    frame_count: int

    def put(self, picture: Picture) -> None:
        """Take a picture, whose pixels nobody changes any more."""
        ...

    def close(self) -> None:
        """Finish the file."""
        ...

    def abandon(self) -> None:
        """Stop without finishing the file."""
        ...


class FrameFile:
    """A file of pictures being written, RGBA as they are drawn."""

    takes_parts = True

    def __init__(self, path: Path, *, size: tuple[int, int], frames_per_second: int) -> None:
        self.frame_count = 0
        self._rate = frames_per_second
        self._pixels = np.zeros((size[1], size[0], 4), np.uint8)
        self._container = av.open(str(path), "w", format="mov")
        self._stream = self._container.add_stream(CODEC, rate=frames_per_second)
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = PIXEL_FORMAT
        self._stream.codec_context.gop_size = PICTURES_BETWEEN_KEYS
        self._stream.codec_context.time_base = Fraction(1, frames_per_second)

    def put(self, picture: Picture) -> None:
        """Write the picture, or keep the part of it until the rest has come."""
        if picture.pixels is not None:
            left, top = picture.at or (0, 0)
            height, width = picture.pixels.shape[:2]
            self._pixels[top : top + height, left : left + width] = picture.pixels
        if picture.repeat:
            frame = av.VideoFrame.from_ndarray(self._pixels, format="rgba")
            frame.pts, frame.time_base = self.frame_count, Fraction(1, self._rate)
            self._mux(self._stream.encode(frame), picture.repeat)
            self.frame_count += picture.repeat

    def close(self) -> None:
        """Finish the file."""
        self._mux(self._stream.encode(None), 1)
        self._container.close()

    def abandon(self) -> None:
        """Stop; what is in the file is not all."""
        self._container.close()

    def _mux(self, packets: Sequence[av.Packet], repeat: int) -> None:
        for packet in packets:
            packet.duration = repeat
            self._container.mux(packet)


class Sinks:
    """Several sinks as one."""

    takes_parts = True

    def __init__(self, *sinks: Sink) -> None:
        self._sinks = sinks

    @property
    def frame_count(self) -> int:
        """Frames written so far."""
        return self._sinks[0].frame_count

    def put(self, picture: Picture) -> None:
        """Give the picture to each."""
        for sink in self._sinks:
            sink.put(picture)

    def close(self) -> None:
        """Finish all files."""
        for sink in self._sinks:
            sink.close()

    def abandon(self) -> None:
        """Stop without finishing any."""
        for sink in self._sinks:
            sink.abandon()


def read_frames(paths: Sequence[Path], *, frames_per_second: int, ground: str) -> Iterator[tuple[np.ndarray, int]]:
    """Each picture of the files, RGBA [height, width, 4], and the frames that it lasts; `ground` as for `straight`."""
    for path in paths:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            assert stream.time_base is not None
            lasting = stream.time_base * frames_per_second
            for frame in container.decode(stream):
                yield straight(frame.to_ndarray(format="rgba"), ground), round(frame.duration * lasting)


def straight(pixels: np.ndarray, ground: str) -> np.ndarray:
    """A drawing without its ground, RGBA, with the colours as they are before alpha.

    Manim draws it with alpha upon a ground whose alpha is 0 but whose colour is there: a pixel is a·colour +
    (1 − a)·ground. `ground` is that colour, #RRGGBB. Where nothing is drawn the pixel has it still.
    """
    alpha = pixels[..., 3]
    through = (alpha > 0) & (alpha < 255)
    if not through.any():
        return pixels
    below = np.array([int(ground[at : at + 2], 16) for at in (1, 3, 5)], np.float32)
    result, seen = pixels.copy(), pixels[through].astype(np.float32)
    colours = below + (seen[:, :3] - below) * 255 / seen[:, 3:]
    result[through, :3] = np.clip(np.rint(colours), 0, 255)
    return result
