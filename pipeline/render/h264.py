"""The few facts about an H.264 stream that are needed to add pictures to it: where its NAL units and frame numbers are.

Sections in brackets are those of Rec. ITU-T H.264. Streams here are byte streams with start codes (Annex B).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

START_CODE = b"\0\0\0\1"
SLICE, KEY_SLICE, SEQUENCE, PICTURE = 1, 5, 7, 8
"""nal_unit_type (table 7-1): a slice, a slice of an IDR picture, the two parameter sets."""
P_SLICES = (0, 5)
PROFILES_WITH_CHROMA = (100, 110, 122, 244, 44, 83, 86, 118, 128)
"""The profiles whose sequence parameter set tells about chroma and bit depth (7.3.2.1.1)."""


class Unreadable(ValueError):
    """A stream that is not built as expected."""


def split_units(stream: bytes) -> list[bytes]:
    """The NAL units between the start codes (B.1), without the zeros that may follow each."""
    return [unit.rstrip(b"\0") for unit in stream.split(b"\0\0\1")[1:]]


def join_units(units: list[bytes]) -> bytes:
    """A byte stream of NAL units."""
    return b"".join(START_CODE + unit for unit in units)


def unit_type(unit: bytes) -> int:
    """nal_unit_type (7.3.1)."""
    return unit[0] & 31


def is_reference(unit: bytes) -> bool:
    """Whether later pictures may be predicted from this one: nal_ref_idc (7.4.1)."""
    return bool(unit[0] & 0x60)


def unescape(unit: bytes) -> bytes:
    """The payload without its emulation prevention bytes (7.4.1)."""
    return unit.replace(b"\0\0\3", b"\0\0")


def escape(payload: bytes) -> bytes:
    """The payload with an emulation prevention byte wherever it would look like a start code (7.4.1)."""
    return re.sub(rb"\x00\x00(?=[\x00-\x03])", b"\0\0\3", payload)


class BitReader:
    """Reads fixed-length and Exp-Golomb numbers (9.1)."""

    def __init__(self, data: bytes) -> None:
        self._bits = int.from_bytes(data, "big")
        self._length, self.position = 8 * len(data), 0

    def fixed(self, length: int) -> int:
        """The next `length` bits, u(n)."""
        if self.position + length > self._length:
            raise Unreadable("it ends too early")
        self.position += length
        return self._bits >> (self._length - self.position) & ((1 << length) - 1)

    def golomb(self) -> int:
        """The next Exp-Golomb number, ue(v)."""
        zeros = 0
        while not self.fixed(1):
            zeros += 1
        return (1 << zeros) - 1 + self.fixed(zeros)


@dataclass(frozen=True)
class SequenceSet:
    """What a sequence parameter set (7.3.2.1.1) says about the numbering of pictures."""

    frame_number_bits: int
    order_type: int
    whole_frames: bool


def read_sequence(unit: bytes) -> SequenceSet:
    """Read a sequence parameter set. Raises Unreadable for other chroma than 4:2:0, scaling matrices, order type 1."""
    reader = BitReader(unescape(unit)[1:])
    profile = reader.fixed(8)
    reader.fixed(16)
    reader.golomb()
    if profile in PROFILES_WITH_CHROMA:
        if reader.golomb() != 1:
            raise Unreadable("its chroma is not 4:2:0")
        reader.golomb()
        reader.golomb()
        reader.fixed(1)
        if reader.fixed(1):
            raise Unreadable("it has scaling matrices")
    frame_number_bits = reader.golomb() + 4
    order_type = reader.golomb()
    if order_type == 0:
        reader.golomb()
    elif order_type == 1:
        raise Unreadable("its pictures are ordered by a cycle")
    reader.golomb()
    reader.fixed(1)
    reader.golomb()
    reader.golomb()
    return SequenceSet(frame_number_bits, order_type, whole_frames=bool(reader.fixed(1)))


@dataclass(frozen=True)
class SliceStart:
    """The first fields of a slice header (7.3.3); `number_at` is the bit, after the NAL header, of frame_num."""

    first_macroblock: int
    kind: int
    number_at: int


def read_slice(payload: bytes) -> SliceStart:
    """Read the start of a slice's unescaped NAL unit."""
    reader = BitReader(payload[1:24])
    first, kind, _ = reader.golomb(), reader.golomb(), reader.golomb()
    return SliceStart(first, kind, reader.position)


def with_frame_number(unit: bytes, number: int, *, bits: int) -> bytes:
    """The same slice with another frame_num: a field of fixed length, so that nothing after it moves."""
    payload = bytearray(unescape(unit))
    at = read_slice(payload).number_at
    first, last = 1 + at // 8, 1 + (at + bits - 1) // 8
    shift = 8 * (last - first + 1) - at % 8 - bits
    window = int.from_bytes(payload[first : last + 1], "big")
    window = window & ~(((1 << bits) - 1) << shift) | (number % (1 << bits)) << shift
    payload[first : last + 1] = window.to_bytes(last - first + 1, "big")
    return escape(bytes(payload))
