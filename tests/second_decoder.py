"""H.264 decoded by OpenH264 (Cisco's, BSD licence): a second opinion that shares no code with libavcodec.

The library is loaded where the system has it: libopenh264-7 or -8 of Debian and Ubuntu, openh264 of Fedora, Arch
and Homebrew. Its C interface is a table of functions, https://github.com/cisco/openh264 codec_api.h.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import av
import numpy as np

MISSING = "OpenH264 is not installed (Debian: apt-get install libopenh264-7)"
START_CODE = b"\0\0\0\1"
INITIALIZE, UNINITIALIZE, DECODE, FLUSH = 0, 1, 3, 5
AVC = 0
I420 = 23


class _Parameters(ctypes.Structure):
    """SDecodingParam. Nothing is concealed: an error stays an error."""

    _fields_ = [
        ("reconstructed", ctypes.c_char_p),
        ("load", ctypes.c_uint),
        ("layer", ctypes.c_ubyte),
        ("concealment", ctypes.c_int),
        ("parse_only", ctypes.c_bool),
        ("property_size", ctypes.c_uint),
        ("stream_type", ctypes.c_int),
    ]


class _Buffer(ctypes.Structure):
    """SBufferInfo: whether a picture is ready, and where."""

    _fields_ = [
        ("ready", ctypes.c_int),
        ("time_in", ctypes.c_ulonglong),
        ("time_out", ctypes.c_ulonglong),
        ("width", ctypes.c_int),
        ("height", ctypes.c_int),
        ("format", ctypes.c_int),
        ("strides", ctypes.c_int * 2),
        ("planes", ctypes.c_void_p * 3),
    ]


@cache
def library() -> ctypes.CDLL | None:
    """OpenH264, or None where the system does not have it."""
    name = ctypes.util.find_library("openh264")
    return ctypes.CDLL(name) if name else None


class Decoder:
    """One OpenH264 decoder, from a key frame on."""

    def __init__(self) -> None:
        found = library()
        assert found is not None, MISSING
        self._object = ctypes.c_void_p()
        assert found.WelsCreateDecoder(ctypes.byref(self._object)) == 0
        self._destroy = found.WelsDestroyDecoder
        self._destroy.argtypes = [ctypes.c_void_p]
        table = ctypes.cast(self._object, ctypes.POINTER(ctypes.c_void_p))[0]
        self._functions = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))
        given = _Parameters(property_size=8, stream_type=AVC, layer=255)
        start = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p, ctypes.POINTER(_Parameters))
        assert start(self._functions[INITIALIZE])(self._object, ctypes.byref(given)) == 0
        self._decode = ctypes.CFUNCTYPE(
            ctypes.c_int,
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_int,
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(_Buffer),
        )(self._functions[DECODE])
        self._flush = ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(_Buffer)
        )(self._functions[FLUSH])

    def decode(self, unit: bytes) -> np.ndarray | None:
        """Take one access unit in Annex B form; the picture that is due, [height * 3 / 2, width] as yuv420p, if any.

        The decoder may hold pictures back, since a later one could come before them. Raises ValueError for a unit
        that it finds an error in.
        """
        return self._picture(lambda *given: self._decode(self._object, unit, len(unit), *given))

    def flush(self) -> np.ndarray | None:
        """The next picture that was held back; None where there is none."""
        return self._picture(lambda *given: self._flush(self._object, *given))

    def _picture(self, call: Callable[..., int]) -> np.ndarray | None:
        planes, buffer = (ctypes.c_void_p * 3)(), _Buffer()
        state = call(planes, ctypes.byref(buffer))
        if state:
            raise ValueError(f"OpenH264 finds an error in the stream (state {state:#x})")
        if not buffer.ready:
            return None
        assert buffer.format == I420
        sizes = [(buffer.height, buffer.width)] + [(buffer.height // 2, buffer.width // 2)] * 2
        strides = [buffer.strides[0], buffer.strides[1], buffer.strides[1]]
        rows = [
            np.ctypeslib.as_array((ctypes.c_ubyte * (stride * height)).from_address(planes[number]))
            .reshape(height, stride)[:, :width]
            .copy()
            .reshape(-1)
            for number, ((height, width), stride) in enumerate(zip(sizes, strides, strict=True))
        ]
        return np.concatenate(rows).reshape(buffer.height * 3 // 2, buffer.width)

    def close(self) -> None:
        """Let go of the decoder."""
        end = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)
        end(self._functions[UNINITIALIZE])(self._object)
        self._destroy(self._object)


def access_units(path: Path) -> list[tuple[bool, bytes]]:
    """The access units of an mp4 in Annex B form, and whether each is a key frame; those carry the parameter sets."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        sets = _parameter_sets(stream.codec_context.extradata or b"")
        packets = [(packet.is_keyframe, bytes(packet)) for packet in container.demux(stream) if packet.size]
    return [(key, (sets if key else b"") + _annex_b(data)) for key, data in packets]


def frames(units: list[tuple[bool, bytes]]) -> Iterator[np.ndarray]:
    """The pictures of access units, the first of which is a key frame."""
    decoder = Decoder()
    try:
        for _, unit in units:
            picture = decoder.decode(unit)
            if picture is not None:
                yield picture
        while (picture := decoder.flush()) is not None:
            yield picture
    finally:
        decoder.close()


def _annex_b(data: bytes) -> bytes:
    """Units that have their length before them as units that have a start code."""
    made, at = [], 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        made.append(START_CODE + data[at + 4 : at + 4 + length])
        at += 4 + length
    return b"".join(made)


def _parameter_sets(record: bytes) -> bytes:
    """The parameter sets of an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3)."""
    assert record[0] == 1
    assert record[4] & 3 == 3, "lengths of four bytes"
    made, at = [], 5
    for mask in (0x1F, 0xFF):
        count, at = record[at] & mask, at + 1
        for _ in range(count):
            length = int.from_bytes(record[at : at + 2], "big")
            made.append(START_CODE + record[at + 2 : at + 2 + length])
            at += 2 + length
    return b"".join(made)
