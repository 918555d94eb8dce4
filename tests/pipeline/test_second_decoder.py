"""A second decoder sees what the first one sees, frame by frame and from every key frame on.

What a decoder makes of H.264 is exact, so two that share no code must agree to the last bit, also about
packets that no encoder wrote.
"""

import av
import numpy as np
import pytest

from pipeline.render.encoder import Picture, VideoStream, finish_video
from tests import second_decoder
from tests.second_decoder import access_units, frames

pytestmark = pytest.mark.skipif(second_decoder.library() is None, reason=second_decoder.MISSING)

SIZE, RATE = (320, 180), 30
# (pictures that differ, frames for which the last of them stands)
COURSE = [(20, 1), (1, 300), (35, 90), (1, 1), (1, 2), (150, 1), (1, 33)]


def pictures() -> list[Picture]:
    """Bars and noise that move, and rest, and move; beats that begin in a motion and in a rest."""
    rng, made, at = np.random.default_rng(3), [], 0
    ground = np.full((SIZE[1], SIZE[0], 4), 255, np.uint8)
    ground[40:90, 30:120, :3] = rng.integers(0, 255, (50, 90, 1))
    for number, (moving, rest) in enumerate(COURSE):
        for step in range(moving):
            pixels = ground.copy()
            pixels[100:150, at * 7 % 250 : at * 7 % 250 + 60, :3] = (200, 30, at % 256)
            last = step == moving - 1
            made.append(Picture(pixels, rest if last else 1, key=step == 0 and number % 2 == 0))
            at += 1
    return made


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decoded")
    stream = VideoStream(folder / "raw.mp4", size=SIZE, frames_per_second=RATE)
    for picture in pictures():
        stream.put(picture)
    stream.close()
    finish_video(folder / "raw.mp4", folder / "video.mp4", chapters=[], metadata={})
    return folder / "video.mp4"


@pytest.fixture(scope="module")
def first_opinion(video):
    with av.open(str(video)) as container:
        return [frame.to_ndarray(format="yuv420p") for frame in container.decode(video=0)]


def drawn() -> list[np.ndarray]:
    return [picture.pixels for picture in pictures() for _ in range(picture.repeat)]


def test_both_decoders_see_the_same_bits(video, first_opinion):
    second = list(frames(access_units(video)))
    assert len(second) == len(first_opinion) == len(drawn())
    assert [
        number for number, pair in enumerate(zip(first_opinion, second, strict=True)) if (pair[0] != pair[1]).any()
    ] == []


def test_playing_from_every_key_frame_on_is_the_same(video, first_opinion):
    units = access_units(video)
    keys = [number for number, (key, _) in enumerate(units) if key]
    assert len(keys) >= 4
    for start, end in zip(keys, [*keys[1:], len(units)], strict=True):
        for number, picture in enumerate(frames(units[start:end]), start):
            np.testing.assert_array_equal(picture, first_opinion[number], err_msg=f"frame {number} from key {start}")


def test_each_frame_shows_what_was_drawn_for_its_time(video):
    """Luma of every frame against the picture that was put, by the formula of BT.709."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    for number, (picture, pixels) in enumerate(zip(frames(access_units(video)), drawn(), strict=True)):
        wanted = pixels[..., :3] @ weights * 219 / 255 + 16
        error = np.abs(picture[: SIZE[1]] - wanted)
        assert error.mean() < 1.5, f"frame {number}"
        assert np.percentile(error, 99.5) < 20, f"frame {number}"


def test_a_frame_out_of_place_would_be_seen(video):
    pictures_seen, wanted = list(frames(access_units(video))), drawn()
    luma = wanted[3][..., :3] @ np.array([0.2126, 0.7152, 0.0722]) * 219 / 255 + 16
    assert np.percentile(np.abs(pictures_seen[4][: SIZE[1]] - luma), 99.5) > 20


def test_a_damaged_packet_is_noticed(video):
    units = access_units(video)
    key, unit = units[10]
    broken = [*units[:10], (key, unit[:12] + bytes(byte ^ 0xFF for byte in unit[12:])), *units[11:12]]
    with pytest.raises((ValueError, AssertionError)):
        list(frames(broken))
