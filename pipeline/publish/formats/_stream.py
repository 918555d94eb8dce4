"""A film through one of the encoders that the PyAV wheel brings, at a constant frame rate, with its chapters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, Interpolation, VideoReformatter

from pipeline.publish.formats._film import Film
from pipeline.render.encoder import Chapter, chapter_marks

CONVERSION = Interpolation.AREA | Interpolation.ACCURATE_RND | Interpolation.FULL_CHR_H_INP
SECONDS_BETWEEN_KEYS = 4


def write_stream(
    film: Film,
    path: Path,
    *,
    container: str,
    codec: str,
    pixel_format: str,
    options: Mapping[str, str],
    profile: str | None = None,
    flags: str = "",
    alone: bool = False,
) -> None:
    """Encode every frame in BT.709, TV range.

    `options` and `profile` are the encoder's, `flags` the mov muxer's. `alone`: no frame refers to another, so that a
    still is encoded once.
    """
    base, reformatter = Fraction(1, film.frames_per_second), VideoReformatter()
    with av.open(str(path), "w", format=container, options={"movflags": flags} if flags else {}) as file:
        file.metadata.update(film.metadata)
        file.set_chapters(chapter_marks(film.chapters))
        stream: Any = file.add_stream(codec, rate=film.frames_per_second, options=dict(options))
        stream.width, stream.height = film.size
        stream.pix_fmt = pixel_format
        context = stream.codec_context
        if profile is not None:
            context.profile = profile
        context.time_base, context.thread_count = base, 1
        context.gop_size = SECONDS_BETWEEN_KEYS * film.frames_per_second
        context.color_range, context.colorspace = ColorRange.MPEG, Colorspace.ITU709
        context.color_primaries, context.color_trc = ColorPrimaries.BT709, ColorTrc.BT709
        at = 0
        for pixels, repeat in film.pictures():
            frame = _converted(pixels, pixel_format, reformatter)
            packets: list[av.Packet] = []
            for _ in range(repeat):
                frame.pts, frame.time_base = at, base
                packets = _again(packets, at, base) if alone and packets else stream.encode(frame)
                file.mux(packets)
                at += 1
        file.mux(stream.encode(None))


def _again(packets: list[av.Packet], at: int, base: Fraction) -> list[av.Packet]:
    """The packet of a picture that stands alone, for another frame of it."""
    [packet] = packets
    copy = av.Packet(bytes(packet))
    copy.stream, copy.time_base, copy.is_keyframe = packet.stream, base, True
    copy.pts = copy.dts = at
    copy.duration = 1
    return [copy]


def copy_stream(
    source: Path,
    path: Path,
    *,
    container: str,
    chapters: Iterable[Chapter],
    metadata: Mapping[str, str],
    flags: str = "",
) -> None:
    """Copy a film's stream as it is into a file with other chapters and texts."""
    options = {"movflags": flags} if flags else {}
    with av.open(str(source)) as read, av.open(str(path), "w", format=container, options=options) as write:
        write.metadata.update(metadata)
        write.set_chapters(chapter_marks(chapters))
        origin = read.streams.video[0]
        stream = write.add_stream_from_template(origin, opaque=True)
        for packet in read.demux(origin):
            if packet.dts is not None:
                packet.stream = stream
                write.mux(packet)


def read_mark(path: Path) -> str:
    """What a video's file says of its numbers."""
    with av.open(str(path)) as file:
        told = {key.lower(): value for key, value in file.metadata.items()}
    return told.get("description", "")


def _converted(pixels: np.ndarray, pixel_format: str, reformatter: VideoReformatter) -> av.VideoFrame:
    return reformatter.reformat(
        av.VideoFrame.from_numpy_buffer(np.ascontiguousarray(pixels), format="rgba"),
        format=pixel_format,
        dst_colorspace=Colorspace.ITU709,
        src_color_range=ColorRange.JPEG,
        dst_color_range=ColorRange.MPEG,
        interpolation=CONVERSION,
    )
