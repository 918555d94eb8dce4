"""What was encoded, decoded again: frames, times, tags, colours, chapters."""

from fractions import Fraction
from itertools import pairwise

import av
import numpy as np
import pytest

from pipeline.render.encoder import Chapter, Picture, VideoStream, finish_video
from tests.decoded import SWATCH_TOLERANCE, decode_bt709

SIZE, RATE = (854, 480), 30
GROUND, WEIGHT = (0x0B, 0x0E, 0x14), (0x58, 0xC4, 0xDD)


def picture(step: int = 0) -> np.ndarray:
    """A blue swatch that moves to the right on the dark ground."""
    pixels = np.empty((SIZE[1], SIZE[0], 4), np.uint8)
    pixels[...] = (*GROUND, 255)
    pixels[100:200, 100 + step : 200 + step] = (*WEIGHT, 255)
    return pixels


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    folder = tmp_path_factory.mktemp("video")
    stream = VideoStream(folder / "raw.mp4", size=SIZE, frames_per_second=RATE)
    for step in range(20):
        stream.put(Picture(picture(step), key=step == 0))
    stream.put(Picture(picture(19), repeat=40))
    stream.put(Picture(picture(50), repeat=3, key=True))
    stream.close()
    assert stream.frame_count == 63
    finish_video(
        [folder / "raw.mp4"],
        folder / "video.mp4",
        chapters=[Chapter("Ask & answer", 0.0, 2.0), Chapter("跳过", 2.0, 2.0), Chapter("尾", 2.0, 2.1)],
        metadata={"title": "T", "comment": "python cli.py render", "description": "numbers sha256:00"},
    )
    return folder / "video.mp4"


@pytest.fixture(scope="module")
def frames(video):
    with av.open(str(video)) as container:
        return list(container.decode(video=0))


def test_every_frame_at_a_constant_rate(video, frames):
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        assert (stream.frames, stream.average_rate, len(frames)) == (63, RATE, 63)
        assert stream.duration * stream.time_base == Fraction(63, RATE)
    times = [frame.pts * frame.time_base for frame in frames]
    assert times[0] == 0
    assert {after - before for before, after in pairwise(times)} == {Fraction(1, RATE)}


def test_tagged_as_bt709(video, frames):
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        context = stream.codec_context
        assert (context.name, context.pix_fmt, context.width, context.height) == ("h264", "yuv420p", *SIZE)
        assert (context.color_primaries, context.color_trc, context.colorspace, context.color_range) == (
            1,
            1,
            1,
            1,
        )
    assert int(frames[0].colorspace) == 1
    assert int(frames[0].color_range) == 1


@pytest.mark.parametrize("number", [0, 10, 19, 30, 58, 60])
def test_the_blue_of_weights_comes_back(frames, number):
    shown = decode_bt709(frames[number], 150, 160)
    assert max(abs(a - b) for a, b in zip(shown, WEIGHT, strict=True)) <= SWATCH_TOLERANCE


def test_the_ground_comes_back(frames):
    assert max(abs(a - b) for a, b in zip(decode_bt709(frames[5], 400, 700), GROUND, strict=True)) <= SWATCH_TOLERANCE


def test_starts_before_it_has_loaded(video):
    data = video.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_a_player_can_seek_to_each_beat(frames):
    assert [number for number, frame in enumerate(frames) if frame.key_frame] == [0, 60]


def test_chapters_and_metadata(video):
    with av.open(str(video)) as container:
        assert [(c["start"], c["end"], c["metadata"]["title"]) for c in container.chapters()] == [
            (0, 2000, "Ask & answer"),
            (2000, 2100, "尾"),
        ]
        assert container.metadata["title"] == "T"
        assert container.metadata["comment"] == "python cli.py render"
        assert container.metadata["description"] == "numbers sha256:00"


def test_the_same_pictures_make_the_same_video(tmp_path, frames):
    stream = VideoStream(tmp_path / "raw.mp4", size=SIZE, frames_per_second=RATE)
    for step in range(20):
        stream.put(Picture(picture(step), key=step == 0))
    stream.close()
    with av.open(str(tmp_path / "raw.mp4")) as container:
        again = list(container.decode(video=0))
    for one, other in zip(again[:10], frames[:10], strict=True):
        np.testing.assert_array_equal(one.to_ndarray(), other.to_ndarray())


def test_an_error_in_the_thread_reaches_the_caller(tmp_path):
    stream = VideoStream(tmp_path / "nowhere" / "raw.mp4", size=SIZE, frames_per_second=RATE)

    def keep_writing():
        for _ in range(50):
            stream.put(Picture(picture()))
        stream.close()

    with pytest.raises(FileNotFoundError):
        keep_writing()


def test_an_error_at_the_very_end_reaches_the_caller_too(tmp_path, monkeypatch):
    from pipeline.render import encoder

    def broken(*_, **__):
        raise OSError(28, "No space left on device")

    class Container:
        def __enter__(self):
            return self

        __exit__ = broken

    class Track:
        def finish(self):
            return None

    monkeypatch.setattr(encoder.av, "open", lambda *_, **__: Container())
    monkeypatch.setattr(encoder, "_Track", lambda *_, **__: Track())
    stream = VideoStream(tmp_path / "raw.mp4", size=SIZE, frames_per_second=RATE)
    with pytest.raises(OSError, match="No space left"):
        stream.close()
    stream.abandon()


def test_a_frame_of_another_size_is_an_error(tmp_path):
    stream = VideoStream(tmp_path / "raw.mp4", size=SIZE, frames_per_second=RATE)
    stream.put(Picture(picture()))
    with pytest.raises(ValueError, match="100×100 in a video of 854×480"):
        stream.put(Picture(np.zeros((100, 100, 4), np.uint8)))
    stream.abandon()
