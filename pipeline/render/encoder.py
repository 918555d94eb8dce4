"""Pictures to H.264, in a thread of its own while the next picture is drawn.

One continuous stream for a whole scene: yuv420p, converted to and tagged as BT.709 in TV range, constant
frame rate. A still is converted and encoded once, then repeated (`h264_repeat`); of a moving picture only
what changed is handed over and converted (`yuv`).

The settings were chosen by measuring two stretches of 300 moving 1080p60 pictures of digits: ms CPU a picture on one
thread, kB, PSNR of the blocks that are not flat, mean and lowest hundredth.

    veryfast, crf 18             9.7 and 10.2    1243 and  900    46.2 and 43.1    35.9 and 35.4
    the settings here, qp 20     3.9 and  3.7    1912 and 1979    49.0 and 47.8    41.0 and 40.5
    the settings here, qp 22               3.7             1698             46.2             38.8
    the settings here, qp 24               3.5             1403             44.2             36.6

Adaptive quantisation is off because it takes bits away from text.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from queue import Queue
from typing import Any

import av
import numpy as np
from av.codec.context import Flags
from av.video.frame import PictureType
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc

from pipeline.render.h264_repeat import Numbering, Repeats, repeats_of
from pipeline.render.yuv import PIXEL_FORMAT, YuvPicture

CODEC, PRESET, QUANTISER = "libx264", "ultrafast", "22"
SETTINGS = "force-cfr=1:bframes=0:ref=1:weightp=0:scenecut=0:rc-lookahead=0:mbtree=0:aq-mode=0:cabac=1:8x8dct=1"
"""No picture refers to a later one, so that each is encoded as soon as it is there."""
# x264's decoded frames depend on how many threads it has: one gives every machine the same video, and leaves the other
# core to drawing.
THREADS = 1
QUEUED_PICTURES = 16
SECONDS_BETWEEN_KEYS = 4


@dataclass(frozen=True)
class Picture:
    """RGBA bytes [height, width, 4], shown for `repeat` frames; `key`: seeking may start here.

    With `at` it is a part of the picture, from that place (x, y, both even) on, and the rest stays as it was;
    a part shown for 0 frames is followed by another one of the same picture. Without pixels it is the picture before.
    """

    pixels: np.ndarray | None
    repeat: int = 1
    key: bool = False
    at: tuple[int, int] | None = None


class VideoStream:
    """One video being written. The caller gives each picture away and must not change its pixels any more.

    `plain`: encode every frame of a still instead of repeating it.
    """

    takes_parts = True
    """A picture may come as the parts of it that changed."""

    def __init__(self, path: Path, *, size: tuple[int, int], frames_per_second: int, plain: bool = False) -> None:
        self.frame_count = 0
        self._size, self._rate, self._path, self._plain = size, frames_per_second, path, plain
        self._queue: Queue[Picture | None] = Queue(maxsize=QUEUED_PICTURES)
        self._error: BaseException | None = None
        self._abandoned = self._ended = False
        self._thread = threading.Thread(target=self._run, name="encoder", daemon=True)
        self._thread.start()

    def put(self, picture: Picture) -> None:
        """Queue a picture. Raises what the encoder raised, as soon as it is known.

        Raises ValueError for a picture of another size, which would otherwise be stretched without a word.
        """
        self._raise()
        if picture.pixels is not None and picture.at is None:
            height, width = picture.pixels.shape[:2]
            if (width, height) != self._size:
                raise ValueError(f"a picture of {width}×{height} in a video of {self._size[0]}×{self._size[1]}")
        self.frame_count += picture.repeat
        self._queue.put(picture)

    def close(self) -> None:
        """Encode what is queued and close the file. Raises what the encoder raised."""
        self._queue.put(None)
        self._thread.join()
        self._raise()

    def abandon(self) -> None:
        """Stop without finishing the file."""
        self._abandoned = True
        self._queue.put(None)
        self._thread.join()

    def _raise(self) -> None:
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            with av.open(str(self._path), "w", format="mp4") as container:
                track = _Track(container, size=self._size, frames_per_second=self._rate, plain=self._plain)
                while (picture := self._next()) is not None and not self._abandoned:
                    track.write(picture)
                if not self._abandoned:
                    track.finish()
        except BaseException as error:
            self._error = error
            # The caller may be waiting for room in the queue.
            while self._next() is not None:
                pass

    def _next(self) -> Picture | None:
        """The next picture; None, from then on, when there will be no more."""
        if not self._ended:
            picture = self._queue.get()
            self._ended = picture is None
            return picture
        return None


class _Track:
    """The video track of a container: the picture now, and how its frames get into the file."""

    def __init__(self, container: Any, *, size: tuple[int, int], frames_per_second: int, plain: bool) -> None:
        self._container, self._picture = container, YuvPicture(size)
        self._stream = container.add_stream(CODEC, rate=frames_per_second)
        self._time_base = Fraction(1, frames_per_second)
        self._until_key = self._between_keys = SECONDS_BETWEEN_KEYS * frames_per_second
        self._frames, self._is_another = 0, True
        set_up(self._stream.codec_context, size=size, frames_per_second=frames_per_second)
        repeats = None if plain else known_repeats(size, frames_per_second)
        self._stream.codec_context.open()
        same = repeats is not None and bytes(self._stream.codec_context.extradata or b"") == repeats.headers
        self._numbering = Numbering(repeats) if repeats is not None and same else None

    def write(self, picture: Picture) -> None:
        """Take over what changed, and write its frames."""
        if picture.pixels is not None:
            self._picture.paste(picture.pixels, at=picture.at or (0, 0))
            self._is_another = True
        if picture.repeat == 0:
            return
        key = picture.key or (self._is_another and self._until_key <= 0)
        if key:
            self._until_key = self._between_keys
        self._until_key -= picture.repeat
        for number in range(picture.repeat):
            if self._numbering is None or (number == 0 and (key or self._is_another)):
                self._encode(key=key and number == 0)
            else:
                self._mux(self._numbering.repeat(), key=False)
        self._is_another = False

    def finish(self) -> None:
        """Write what the encoder still holds."""
        self._container.mux(self._stream.encode(None))

    def _encode(self, *, key: bool) -> None:
        frame = self._picture.frame
        frame.pts, frame.time_base = self._frames, self._time_base
        frame.pict_type = PictureType.I if key else PictureType.NONE
        packets = self._stream.encode(frame)
        if self._numbering is None:
            self._frames += 1
            self._container.mux(packets)
        else:
            (packet,) = packets
            self._mux(self._numbering.encoded(bytes(packet)), key=packet.is_keyframe)

    def _mux(self, data: bytes, *, key: bool) -> None:
        packet = av.Packet(data)
        packet.stream, packet.time_base = self._stream, self._time_base
        packet.pts = packet.dts = self._frames
        packet.duration, packet.is_keyframe = 1, key
        self._frames += 1
        self._container.mux(packet)


@cache
def known_repeats(size: tuple[int, int], frames_per_second: int) -> Repeats | None:
    """How these videos' stills are repeated, which takes a good many decoded pictures to find out."""
    return repeats_of(lambda: lone_encoder(size, frames_per_second), size=size)


def lone_encoder(size: tuple[int, int], frames_per_second: int) -> Any:
    """An encoder like a stream's own, without a file."""
    context = av.CodecContext.create(CODEC, "w")
    set_up(context, size=size, frames_per_second=frames_per_second)
    context.flags |= Flags.global_header
    return context


def set_up(context: Any, *, size: tuple[int, int], frames_per_second: int) -> None:
    """Give an H.264 encoder the settings of every video here."""
    context.width, context.height = size
    context.pix_fmt = PIXEL_FORMAT
    context.options = {
        "preset": PRESET,
        "qp": QUANTISER,
        "g": str(SECONDS_BETWEEN_KEYS * frames_per_second),
        "x264-params": SETTINGS,
    }
    context.framerate = Fraction(frames_per_second)
    context.time_base = Fraction(1, frames_per_second)
    context.thread_count = THREADS
    context.sample_aspect_ratio = Fraction(1, 1)
    context.color_range = ColorRange.MPEG
    context.color_primaries = ColorPrimaries.BT709
    context.color_trc = ColorTrc.BT709
    context.colorspace = Colorspace.ITU709


@dataclass(frozen=True)
class Chapter:
    """A named stretch of a video, in seconds."""

    title: str
    start: float
    end: float


def chapter_marks(chapters: Iterable[Chapter]) -> list[Any]:
    """The chapters as `set_chapters` of any of PyAV's containers takes them; those without length are left out."""
    return [
        {
            "id": number,
            "start": round(chapter.start * 1000),
            "end": round(chapter.end * 1000),
            "time_base": Fraction(1, 1000),
            "metadata": {"title": chapter.title},
        }
        for number, chapter in enumerate(chapters)
        if chapter.end > chapter.start
    ]


def finish_video(
    sources: Sequence[Path], target: Path, *, chapters: Iterable[Chapter], metadata: Mapping[str, str]
) -> None:
    """Copy finished streams as they are, one after the other, into an mp4 that starts to play before it has loaded.

    Raises ValueError where they were not all encoded alike.
    """
    with av.open(str(target), "w", format="mp4", options={"movflags": "+faststart"}) as write:
        write.metadata.update(metadata)
        write.set_chapters(chapter_marks(chapters))
        stream, headers, start = None, b"", 0
        for source in sources:
            with av.open(str(source)) as read:
                origin = read.streams.video[0]
                told = bytes(origin.codec_context.extradata or b"")
                if stream is None:
                    stream, headers = write.add_stream_from_template(origin), told
                if told != headers:
                    raise ValueError(f"{source.name} was encoded in another way than what comes before it")
                start = _append(read, origin, write, stream, start=start)


def _append(read: Any, origin: Any, write: Any, stream: Any, *, start: int) -> int:
    """Copy a stream's packets, later by `start`; the end of the last, in the units of the stream's time."""
    for packet in read.demux(origin):
        if packet.dts is not None:
            packet.stream = stream
            packet.pts, packet.dts = packet.pts + start, packet.dts + start
            write.mux(packet)
    return start + origin.duration
