"""Cisco's OpenH264 as a second decoder, which shares no code with FFmpeg's; only where its library is installed.

Called as its header codec_api.h (version 2, BSD-2-Clause) declares it, with error concealment off.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_long, c_ubyte, c_uint, c_ulonglong, c_void_p
from typing import Any

import numpy as np

LIBRARIES = ("libopenh264.so.7", "libopenh264.so.8", "libopenh264.dylib")
INITIALIZE, UNINITIALIZE, DECODE_NO_DELAY, FLUSH = 0, 1, 3, 5
"""Places in the table of a decoder's methods."""


class _Parameters(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("load", c_uint),
        ("layer", c_ubyte),
        ("concealment", c_int),
        ("parse_only", c_bool),
        ("property_size", c_uint),
        ("property_kind", c_int),
    ]


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("status", c_int),
        ("time_in", c_ulonglong),
        ("time_out", c_ulonglong),
        ("width", c_int),
        ("height", c_int),
        ("format", c_int),
        ("strides", c_int * 2),
        ("planes", POINTER(c_ubyte) * 3),
    ]


def library() -> ctypes.CDLL | None:
    """The library, or None where it is not installed."""
    for name in LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def decode(packets: list[bytes]) -> list[np.ndarray]:
    """The luma planes of byte-stream pictures, each given on its own. Raises AssertionError where the decoder errs."""
    loaded = library()
    assert loaded is not None
    decoder = c_void_p()
    assert loaded.WelsCreateDecoder(byref(decoder)) == 0
    table = ctypes.cast(decoder, POINTER(POINTER(c_void_p)))[0]

    def method(place: int, *kinds: Any):
        return ctypes.CFUNCTYPE(c_long, c_void_p, *kinds)(table[place])

    assert method(INITIALIZE, POINTER(_Parameters))(decoder, byref(_Parameters(property_size=8))) == 0
    step = method(DECODE_NO_DELAY, c_char_p, c_int, POINTER(POINTER(c_ubyte)), POINTER(_Buffer))
    flush = method(FLUSH, POINTER(POINTER(c_ubyte)), POINTER(_Buffer))
    pictures = []
    for packet in [*packets, None]:
        planes, buffer = (POINTER(c_ubyte) * 3)(), _Buffer()
        given = (planes, byref(buffer))
        state = flush(decoder, *given) if packet is None else step(decoder, packet, len(packet), *given)
        assert state & 0xFFFFFFFF == 0, f"decoding state {state & 0xFFFFFFFF:#x}"
        if buffer.status:
            rows = np.ctypeslib.as_array(planes[0], (buffer.height, buffer.strides[0]))
            pictures.append(rows[:, : buffer.width].copy())
    method(UNINITIALIZE)(decoder)
    loaded.WelsDestroyDecoder(decoder)
    return pictures
