"""A still picture at constant frame rate for the price of one: repeats that copy the picture before.

A P picture whose macroblocks are all skipped is an exact copy of the picture before it: a skipped macroblock
takes list entry 0, its motion vector is zero where its neighbours' are (8.4.1.1), it has no residual, and
between such blocks the deblocking filter has nothing to do (8.7.2.1). The encoder itself makes one, from two
equal grey pictures; it differs from every other repeat only in its frame_num. That number counts reference
pictures since the last IDR picture (7.4.3), so whatever the encoder makes later is numbered again too. With
pic_order_cnt_type 2 (no B pictures) the order of output follows from it (8.2.1.3) and nothing else has to
change. Sections are those of Rec. ITU-T H.264.

Whether all this holds is tried out, not believed: `repeats_of` decodes a busy picture, repeats of it and a moved
one before any repeat is used, and answers None where the decoder complains or a single byte differs. Then every frame
is encoded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import av
import numpy as np
from av.error import FFmpegError
from av.video.frame import PictureType

from pipeline.render import h264

GREY = 128
TRIED_REPEATS = 18
"""More than the sixteen values of the shortest frame_num, so that it wraps."""


@dataclass(frozen=True)
class Repeats:
    """What makes a repeat in streams with exactly these parameter sets. `skipped` is a slice NAL unit."""

    headers: bytes
    skipped: bytes
    frame_number_bits: int


class Numbering:
    """Gives the pictures of one stream their frame numbers, those of the encoder and the repeats between them."""

    def __init__(self, repeats: Repeats) -> None:
        self._repeats, self._number = repeats, 0

    def encoded(self, packet: bytes) -> bytes:
        """One picture of the encoder, numbered by its place in the stream."""
        units = h264.split_units(packet)
        kinds = {h264.unit_type(unit) for unit in units} & {h264.SLICE, h264.KEY_SLICE}
        self._number = 0 if h264.KEY_SLICE in kinds else self._number + 1
        return h264.join_units([self._numbered(unit) for unit in units])

    def repeat(self) -> bytes:
        """The picture before once more."""
        self._number += 1
        return h264.join_units([self._numbered(self._repeats.skipped)])

    def _numbered(self, unit: bytes) -> bytes:
        if h264.unit_type(unit) != h264.SLICE:
            return unit
        return h264.with_frame_number(unit, self._number, bits=self._repeats.frame_number_bits)


def repeats_of(open_encoder: Callable[[], Any], *, size: tuple[int, int]) -> Repeats | None:
    """How an encoder's pictures can be repeated; None where its streams are not as needed.

    `open_encoder` gives an encoder's codec context with global headers, set up like the stream's own.
    """
    try:
        return _made(open_encoder(), size)
    except (h264.Unreadable, IndexError):
        return None


def _made(encoder: Any, size: tuple[int, int]) -> Repeats:
    """Raises Unreadable for whatever is not as expected."""
    width, height = size
    grey = np.full((height * 3 // 2, width), GREY, np.uint8)
    busy = (np.arange(width) // 8 * 7 ^ np.arange(height * 3 // 2)[:, None] // 8 * 13).astype(np.uint8)
    moved = np.roll(busy, (2, 6), (0, 1))
    packets = [
        _only_packet(encoder, picture, number, key=key)
        for number, (picture, key) in enumerate([(grey, True), (grey, False), (busy, True), (moved, False)])
    ]
    headers = bytes(encoder.extradata or b"")
    sequences = [unit for unit in h264.split_units(headers) if h264.unit_type(unit) == h264.SEQUENCE]
    slices = h264.split_units(packets[1])
    _expect(len(sequences) == 1 and len(slices) == 1, "a picture is more than one slice")
    sequence = h264.read_sequence(sequences[0])
    start = h264.read_slice(h264.unescape(slices[0]))
    _expect(sequence.order_type == 2 and sequence.whole_frames, "pictures are not in the order of decoding")
    _expect(h264.unit_type(slices[0]) == h264.SLICE and h264.is_reference(slices[0]), "no reference picture")
    _expect(start.kind in h264.P_SLICES and start.first_macroblock == 0, "no P picture")
    repeats = Repeats(headers, slices[0], sequence.frame_number_bits)
    _expect(_are_copies(repeats, *packets[2:]), "a repeat is not a copy")
    return repeats


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise h264.Unreadable(otherwise)


def _only_packet(encoder: Any, picture: np.ndarray, number: int, *, key: bool) -> bytes:
    frame = av.VideoFrame.from_ndarray(picture, format="yuv420p")
    frame.pts = number
    frame.pict_type = PictureType.I if key else PictureType.NONE
    packets = encoder.encode(frame)
    _expect(len(packets) == 1, "the encoder looks ahead")
    return bytes(packets[0])


def _are_copies(repeats: Repeats, key_picture: bytes, next_picture: bytes) -> bool:
    """Whether repeats between these two pictures decode to the first, and leave the second as it was."""
    numbering = Numbering(repeats)
    first = numbering.encoded(key_picture)
    between = [numbering.repeat() for _ in range(TRIED_REPEATS)]
    last = numbering.encoded(next_picture)
    plain = _decoded(repeats, [key_picture, next_picture])
    repeated = _decoded(repeats, [first, *between, last])
    expected = [plain[0]] * (1 + TRIED_REPEATS) + [plain[-1]]
    return len(plain) == 2 and len(repeated) == len(expected) and all(map(np.array_equal, repeated, expected))


def _decoded(repeats: Repeats, packets: list[bytes]) -> list[np.ndarray]:
    """The pictures of a stream. Raises Unreadable for one that a decoder would have to mend."""
    decoder = av.CodecContext.create("h264", "r")
    decoder.extradata, decoder.thread_count = repeats.headers, 1
    decoder.options = {"err_detect": "explode"}
    try:
        frames = [frame for data in packets for frame in decoder.decode(av.Packet(data))] + decoder.decode(None)
    except FFmpegError as error:
        raise h264.Unreadable("the decoder refuses it") from error
    _expect(not any(frame.is_corrupt for frame in frames), "the decoder had to mend it")
    return [frame.to_ndarray() for frame in frames]
