"""The frame grid: exact counts at every rate, nothing drawn that is not seen, a still drawn once."""

import functools

import pytest
from manim import BLUE, LEFT, RED, RIGHT, Circle, FadeOut, Scene, Square, config

from pipeline.render.camera import fast_camera
from pipeline.render.renderer import FrameRenderer
from pipeline.render.runtime import manim_settings
from pipeline.render.writer import BeatWriter
from transformer_core.errors import CheckFailed

SIZE = (160, 90)


class Odd(Scene):
    """Durations that fit no frame rate."""

    def construct(self):
        self.beat_times = []
        self.next_section("one")
        disc = Circle(color=RED, fill_opacity=0.5).shift(LEFT * 2)
        self.add(Square(color=BLUE, fill_opacity=0.3), disc)
        for seconds in (0.31, 0.77, 0.13):
            self.play(disc.animate.shift(RIGHT), run_time=seconds)
            self.wait(0.29)
            self.beat_times.append(self.time)
        self.next_section("two", skip_animations=getattr(self, "skip_two", False))
        self.beat_times.append(self.time)
        self.play(FadeOut(disc), run_time=0.4)
        self.next_section("three")
        self.wait(0.5)


class Frames:
    """Stands where the encoder would."""

    def __init__(self):
        self.pictures = []

    def put(self, picture):
        self.pictures.append(picture)

    @property
    def frame_count(self):
        return sum(picture.repeat for picture in self.pictures)

    def close(self):
        return None

    abandon = close


def run(scene_class, rate, **options):
    stream = Frames()
    with manim_settings(size=SIZE, frames_per_second=rate):
        renderer = FrameRenderer(
            writer=functools.partial(BeatWriter, stream=stream, report=lambda beat, frames: None),
            camera_class=fast_camera(),
            **options,
        )
        scene = scene_class(renderer=renderer)
        scene.render()
    return scene, stream


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("rate", [15, 24, 30, 60])
def test_frames_are_the_rounded_times(rate):
    scene, stream = run(Odd, rate)
    assert scene.time == pytest.approx(0.31 + 0.77 + 0.13 + 3 * 0.29 + 0.4 + 0.5, abs=1e-12)
    assert stream.frame_count == round(scene.time * rate)


def test_times_are_the_same_at_every_rate():
    times = [run(Odd, rate)[0].beat_times for rate in (15, 30, 60)]
    assert times[0] == times[1] == times[2]


def test_a_still_is_one_picture_and_each_beat_starts_with_a_key():
    _, stream = run(Odd, 60)
    repeats = [picture.repeat for picture in stream.pictures if picture.repeat > 1]
    assert sum(repeats) in range(round(60 * (3 * 0.29 + 0.5)) - 3, round(60 * (3 * 0.29 + 0.5)) + 4)
    assert len(repeats) == 4
    keys = [number for number, picture in enumerate(stream.pictures) if picture.key]
    assert len(keys) == 3
    assert keys[0] == 0


def test_a_still_shows_the_opacity_that_the_moving_picture_showed():
    class Half(Scene):
        def construct(self):
            moving = Circle().shift(LEFT * 5)
            self.add(Square(color=BLUE, fill_opacity=0.3), moving)
            self.play(moving.animate.shift(RIGHT * 0.5), run_time=0.2)
            self.wait(1)
            self.wait_until(lambda: self.time > 1.5, max_time=2)

    _, stream = run(Half, 30)
    assert len({picture.pixels[45, 80].tobytes() for picture in stream.pictures}) == 1


def test_a_skipped_beat_takes_no_time_of_a_video_but_of_a_sheet():
    class Skipping(Odd):
        skip_two = True

    scene, stream = run(Skipping, 30)
    assert scene.time == pytest.approx(2.08 + 0.5)
    assert stream.frame_count == round(30 * (2.08 + 0.5))
    scene, stream = run(Skipping, 30, skip_animations=True, count_skipped=True)
    assert scene.time == pytest.approx(2.08 + 0.4 + 0.5)
    assert stream.frame_count == 0


def test_skipping_draws_nothing(monkeypatch):
    monkeypatch.setattr(FrameRenderer, "update_frame", lambda *_, **__: pytest.fail("drew a frame"))
    run(Odd, 30, skip_animations=True)


def test_waiting_for_something_ends_in_time():
    class Until(Scene):
        def construct(self):
            self.wait_until(lambda: self.time >= 0.5, max_time=3)

    scene, stream = run(Until, 30)
    assert stream.frame_count == 16
    assert scene.time == pytest.approx(16 / 30)


def test_sound_is_refused():
    class Loud(Scene):
        def construct(self):
            self.add_sound("click.wav")

    with pytest.raises(CheckFailed, match="sound"):
        run(Loud, 15)


def test_configuration_is_left_as_it_was():
    before = dict(config)
    run(Odd, 24)
    assert dict(config) == before
