"""Repeats of a still are exact copies, at constant frame rate, and nothing of the pictures around them changes."""

from fractions import Fraction
from itertools import pairwise

import av
import numpy as np
import pytest

from pipeline.render import encoder, h264, h264_repeat
from pipeline.render.encoder import Picture, VideoStream, lone_encoder
from pipeline.render.h264_repeat import Numbering, repeats_of
from tests import second_decoder

SIZE, RATE = (322, 182), 10
STILLS = ((1, True), (40, False), (1, False), (2, False), (130, False), (1, True), (17, False), (3, False))
"""How long each picture is shown, and whether seeking may start at it."""


def busy(number: int) -> np.ndarray:
    """A picture with detail everywhere that moves from number to number."""
    x, y = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    pixels = np.full((SIZE[1], SIZE[0], 4), 255, np.uint8)
    for channel in range(3):
        wave = np.sin((x + 3 * number) / (5 + channel)) + np.cos((y - 2 * number) / (7 - channel))
        pixels[..., channel] = 127 + 60 * wave
    return pixels


def write(path, pictures, *, plain=False):
    stream = VideoStream(path, size=SIZE, frames_per_second=RATE, plain=plain)
    for number, (repeat, key) in enumerate(pictures):
        stream.put(Picture(busy(number), repeat, key))
    stream.close()
    return path


def decoded(path):
    with av.open(str(path)) as container:
        return [
            (frame.pts * frame.time_base, frame.key_frame, frame.to_ndarray()) for frame in container.decode(video=0)
        ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("videos")


@pytest.fixture(scope="module")
def video(folder):
    return write(folder / "stills.mp4", STILLS)


@pytest.fixture(scope="module")
def frames(video):
    return decoded(video)


@pytest.fixture(scope="module")
def once(folder):
    """The same pictures, each encoded and shown once, with the same key pictures."""
    keys = [key for _, key in STILLS]
    # At ten frames a second, the first two pictures last longer than four seconds.
    keys[2] = True
    return decoded(write(folder / "once.mp4", [(1, key) for key in keys], plain=True))


def test_a_repeat_is_the_picture_before_bit_for_bit(frames, once):
    shown = [number for number, (repeat, _) in enumerate(STILLS) for _ in range(repeat)]
    assert len(frames) == len(shown)
    for (_, _, picture), number in zip(frames, shown, strict=True):
        np.testing.assert_array_equal(picture, once[number][2])


def test_the_rate_is_constant_and_keys_are_where_they_were_asked_for(frames):
    times = [time for time, _, _ in frames]
    assert times[0] == 0
    assert {after - before for before, after in pairwise(times)} == {Fraction(1, RATE)}
    starts = np.cumsum([0] + [repeat for repeat, _ in STILLS])
    assert [number for number, (_, key, _) in enumerate(frames) if key] == [starts[0], starts[2], starts[5]]


def test_any_frame_can_be_sought(video, frames):
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        for number in (0, 20, 41, 44, 100, 173, 180, 194):
            container.seek(int(number / RATE / stream.time_base), stream=stream)
            found = next(
                frame for frame in container.decode(stream) if round(frame.pts * stream.time_base * RATE) == number
            )
            np.testing.assert_array_equal(found.to_ndarray(), frames[number][2])


def test_plain_encoding_makes_the_same_frames_at_the_same_times(folder, frames):
    plain = decoded(write(folder / "plain.mp4", STILLS, plain=True))
    assert [time for time, _, _ in plain] == [time for time, _, _ in frames]
    worst = max(np.abs(a[2].astype(int) - b[2]).max() for a, b in zip(plain, frames, strict=True))
    assert worst < 40


def test_a_still_costs_bytes_by_the_dozen(folder):
    short, long = (write(folder / f"{count}.mp4", [(count, True)]).stat().st_size for count in (10, 310))
    assert (long - short) / 300 < 40


@pytest.mark.parametrize(
    "change",
    [
        {"x264-params": encoder.SETTINGS.replace("bframes=0", "bframes=2")},
        {"x264-params": encoder.SETTINGS.replace("force-cfr=1", "force-cfr=0")},
        {"x264-params": encoder.SETTINGS + ":slices=2"},
    ],
    ids=["B pictures", "looking ahead", "two slices"],
)
def test_an_encoder_that_is_not_as_expected_is_not_meddled_with(change):
    def opened():
        context = lone_encoder(SIZE, RATE)
        context.options = {**context.options, **change}
        return context

    assert repeats_of(lambda: lone_encoder(SIZE, RATE), size=SIZE) is not None
    assert repeats_of(opened, size=SIZE) is None


def test_a_repeat_that_is_no_copy_is_found_out(monkeypatch):
    only_packet = h264_repeat._only_packet

    def with_a_blot(encoder, picture, number, *, key):
        picture = picture.copy()
        picture[20:30, 20:30] += 40 * (number % 2)
        return only_packet(encoder, picture, number, key=key)

    monkeypatch.setattr(h264_repeat, "_only_packet", with_a_blot)
    assert repeats_of(lambda: lone_encoder(SIZE, RATE), size=SIZE) is None


def test_a_stream_that_a_decoder_has_to_mend_is_found_out(monkeypatch):
    number_rightly = h264.with_frame_number
    monkeypatch.setattr(
        h264, "with_frame_number", lambda unit, number, bits: number_rightly(unit, 3 * number, bits=bits)
    )
    assert repeats_of(lambda: lone_encoder(SIZE, RATE), size=SIZE) is None


def test_where_repeating_fails_every_frame_is_encoded(folder, monkeypatch):
    monkeypatch.setattr(encoder, "known_repeats", lambda *_: None)
    monkeypatch.setattr(Numbering, "repeat", lambda self: pytest.fail("repeated"))
    assert len(decoded(write(folder / "unrepeated.mp4", STILLS[:3]))) == 42


def test_numbers_and_escapes():
    reader = h264.BitReader(bytes([0b10100110, 0b01000010]))
    assert [reader.golomb(), reader.golomb(), reader.golomb(), reader.golomb()] == [0, 1, 2, 3]
    assert (reader.position, reader.fixed(2)) == (12, 0)
    with pytest.raises(h264.Unreadable):
        h264.BitReader(b"\0\0").golomb()
    payload = b"\x41\0\0\0\0\1\0\0\3\0\0\4"
    assert h264.escape(payload) == b"\x41\0\0\3\0\0\3\1\0\0\3\3\0\0\4"
    assert h264.unescape(h264.escape(payload)) == payload


def test_a_frame_number_is_the_only_thing_that_changes():
    unit = bytes([0x41, 0b10011010, 0b00100011, 0x5F, 0xE4])
    changed = h264.with_frame_number(unit, 5, bits=4)
    assert changed == bytes([0x41, 0b10011010, 0b10100011, 0x5F, 0xE4])
    assert h264.with_frame_number(changed, 17, bits=4) == unit
    # A number that makes a start code out of the bytes around it is escaped.
    assert h264.with_frame_number(bytes([0x41, 0x9A, 0x80, 0, 1]), 0, bits=4) == bytes([0x41, 0x9A, 0, 0, 3, 1])


@pytest.mark.skipif(second_decoder.library() is None, reason=second_decoder.MISSING)
def test_a_second_decoder_sees_the_same_frames(video, frames):
    seen = list(second_decoder.frames(second_decoder.access_units(video)))
    assert len(seen) == len(frames)
    for planes, (_, _, picture) in zip(seen, frames, strict=True):
        np.testing.assert_array_equal(planes[: SIZE[1]], picture[: SIZE[1], : SIZE[0]])
