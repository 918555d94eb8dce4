"""The comparison itself: a wrong pixel is found and placed, and a scene gets the engine that can draw it."""

import pytest
from manim import LEFT, RIGHT, Camera, Circle, MovingCamera, Scene, Square, ThreeDCamera

from pipeline.render import camera
from pipeline.render.damage import Rectangle
from pipeline.render.engines import stage
from pipeline.render.renderer import FrameRenderer
from pipeline.render.writer import BeatWriter
from tests.truth.compare import Recorder, compare

SMALL = {"size": (160, 90), "rate": 15}


class Moving(Scene):
    def construct(self):
        self.next_section("whole")
        disc = Circle().shift(LEFT)
        self.add(Square(fill_opacity=0.4), disc)
        self.play(disc.animate.shift(RIGHT), run_time=0.4)
        self.wait(0.4)


class Turning(Scene):
    """Names its camera where only the call of its base's constructor shows it."""

    def __init__(self, **kwargs):
        super().__init__(camera_class=ThreeDCamera, **kwargs)

    def construct(self):
        self.camera.set_phi(1)
        self.add(Square())
        self.wait(0.2)


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def both(scene_class):
    return compare(lambda renderer: scene_class(renderer=renderer), scene_class, **SMALL)


def staged(scene_class, engine):
    return stage(
        lambda renderer: scene_class(renderer=renderer),
        scene_class,
        engine=engine,
        writer=lambda settings: BeatWriter(settings, stream=Recorder(), report=lambda *_: None),
    )


def test_a_wrong_pixel_is_found_and_placed(monkeypatch):
    rightly = BeatWriter.write_change

    def worse(self, pixels, changed, *, repeat=1, frame=[0]):  # noqa: B006
        frame[0] += 1
        pixels = pixels.copy()
        pixels[30, 40, 1] ^= frame[0] == 2
        rightly(self, pixels, [Rectangle(0, 0, pixels.shape[1], pixels.shape[0])], repeat=repeat)

    monkeypatch.setattr(BeatWriter, "write_change", worse)
    assert both(Moving).words == "1 of 12 frames differ; in frame 1 (whole): 1 pixels by up to 1, at column 40, row 30"


def test_a_missing_frame_is_found(monkeypatch):
    monkeypatch.setattr(FrameRenderer, "_frames", lambda self, seconds: (0, round(seconds * self.rate) - 1))
    assert both(Moving).words.startswith("10 frames in 0.8 s against 12")


def test_each_engine_is_the_one_that_was_asked_for():
    fast, stock = staged(Moving, "fast"), staged(Moving, "stock")
    assert (fast.engine, stock.engine) == ("fast", "stock")
    assert type(stock.scene.renderer.camera) is Camera
    assert isinstance(fast.scene.renderer.camera, camera.ArrayPaths)
    assert not isinstance(stock.scene.renderer, FrameRenderer)
    assert fast.notice == stock.notice == ""


def test_a_camera_that_is_unknown_goes_to_manims_own_renderer_with_a_notice():
    handed = staged(Turning, "fast")
    assert handed.engine == "stock"
    assert type(handed.scene.renderer.camera) is ThreeDCamera
    assert "ThreeDCamera" in handed.notice
    assert staged(Turning, "stock").notice == ""


def test_a_camera_of_ones_own_is_unknown_too():
    class Own(MovingCamera):
        """Paints in its own way."""

    class Owned(Moving):
        def __init__(self, camera_class=Own, **kwargs):
            super().__init__(camera_class=camera_class, **kwargs)

    assert staged(Owned, "fast").engine == "stock"
