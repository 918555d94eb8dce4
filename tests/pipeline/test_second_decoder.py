"""A second decoder sees what the first one sees, frame by frame and from every key frame on.

What a decoder makes of H.264 is exact, so two that share no code must agree to the last bit, also about
packets that no encoder wrote.
"""

import av
import numpy as np
import pytest

from tests import second_decoder
from tests.played_video import SIZE, drawn, write_video
from tests.second_decoder import access_units, frames

pytestmark = pytest.mark.skipif(second_decoder.library() is None, reason=second_decoder.MISSING)


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    return write_video(tmp_path_factory.mktemp("decoded"))


@pytest.fixture(scope="module")
def first_opinion(video):
    with av.open(str(video)) as container:
        return [frame.to_ndarray(format="yuv420p") for frame in container.decode(video=0)]


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
