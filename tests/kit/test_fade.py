"""Appear and Vanish make the very pictures of Manim's FadeIn and FadeOut, and leave the same things behind."""

import numpy as np
import pytest
from manim import (
    BLUE,
    LEFT,
    RED,
    RIGHT,
    UP,
    YELLOW,
    AnimationGroup,
    Circle,
    FadeIn,
    FadeOut,
    LaggedStart,
    Scene,
    Square,
    Star,
    Triangle,
    VGroup,
)

from pipeline.render.engines import stage
from pipeline.render.runtime import manim_settings
from pipeline.render.writer import BeatWriter
from scenes.kit.fade import Appear, Vanish
from tests.truth.compare import Recorder


def scene_with(appear, vanish):
    class Fading(Scene):
        def construct(self):
            outlined = Star(fill_opacity=1).set_stroke(YELLOW, 6, background=True)
            group = VGroup(
                Square(fill_opacity=0.7, color=RED), Circle(color=BLUE, stroke_width=9).shift(RIGHT), outlined
            )
            other = Triangle(fill_opacity=0.3).shift(LEFT)
            shaded = Square(2.5).set_fill([RED, BLUE], opacity=[0.2, 1])
            self.play(LaggedStart(appear(group, run_time=0.4), appear(other, run_time=0.3), lag_ratio=0.3))
            self.play(appear(shaded), run_time=0.4)
            self.play(vanish(group, run_time=0.5), other.animate.shift(UP))
            assert group not in self.mobjects
            self.add(group)
            self.wait(0.1)
            self.play(AnimationGroup(vanish(other), vanish(shaded)), run_time=0.4)
            self.wait(0.1)

    return Fading


def recorded(scene_class):
    recorder = Recorder()
    with manim_settings(size=(160, 90), frames_per_second=30):
        staged = stage(
            lambda renderer: scene_class(renderer=renderer),
            scene_class,
            engine="fast",
            writer=lambda settings: BeatWriter(settings, stream=recorder, report=lambda *_: None),
        )
        staged.scene.render()
    return recorder, [type(each) for each in staged.scene.mobjects]


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_every_frame_is_manims():
    ours, left = recorded(scene_with(Appear, Vanish))
    manims, left_by_manim = recorded(scene_with(FadeIn, FadeOut))
    assert left == left_by_manim
    assert ours.frame_count == manims.frame_count
    assert len(set(ours.packed)) > 30
    for number in range(ours.frame_count):
        np.testing.assert_array_equal(ours.frame(number), manims.frame(number))
