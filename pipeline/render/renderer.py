"""A renderer on one exact grid of frames.

Manim counts each play's frames on its own (up for an animation, down for a wait), so times drift from
frames. Here a play from second a to second b owns the frames round(a·fps) to round(b·fps), whatever the
rate, so every beat begins at the same time in a draft and in a 4k video. A play that is skipped draws
nothing at all, and a still picture is drawn once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from manim import Camera, Mobject, Scene
from manim.renderer.cairo_renderer import CairoRenderer


class FrameRenderer(CairoRenderer):
    """Plays animations on the global frame grid.

    `time` is the exact sum of the durations played so far, in seconds. Skipped plays count in it only with
    `count_skipped` (pictures without a video); otherwise time is the video's own.
    """

    def __init__(
        self,
        *,
        writer: Callable[[Any], Any],
        camera_class: type[Camera],
        count_skipped: bool = False,
        skip_animations: bool = False,
    ) -> None:
        super().__init__(
            file_writer_class=writer,  # type: ignore[arg-type]
            camera_class=camera_class,
            skip_animations=skip_animations,
        )
        self.count_skipped = count_skipped
        self.start = 0.0

    @property
    def rate(self) -> float:
        """Frames per second."""
        return self.camera.frame_rate

    def play(self, scene: Scene, *args: Any, **kwargs: Any) -> None:
        """Play one set of animations and write its frames."""
        self.skip_animations = self._original_skipping_status
        self.update_skipping_status()
        scene.compile_animation_data(*args, **kwargs)
        scene.begin_animations()
        self.start = self.time
        if self.skip_animations:
            self._skip(scene)
        elif scene.is_current_animation_frozen_frame():
            self._hold(scene)
        else:
            self._move(scene)
        self.static_image = None
        self.num_plays += 1

    def update_frame(
        self,
        scene: Scene,
        mobjects: Iterable[Mobject] | None = None,
        include_submobjects: bool = True,
        ignore_skipping: bool = True,
        **kwargs: Any,
    ) -> None:
        """Draw these mobjects, or the whole scene for None, on the static picture where there is one.

        For an empty list Manim would draw the whole scene over its own static picture.
        """
        nothing_moves = mobjects is not None and not list(mobjects)
        if nothing_moves and self.static_image is not None:
            self.camera.set_frame_to_background(self.static_image)
            return
        super().update_frame(scene, mobjects, include_submobjects, ignore_skipping, **kwargs)

    def scene_finished(self, scene: Scene) -> None:
        """Close the video once the scene has been constructed."""
        self.file_writer.finish()

    def _frames(self, seconds: float) -> tuple[int, int]:
        first = round(self.start * self.rate)
        return first, round((self.start + seconds) * self.rate)

    def _skip(self, scene: Scene) -> None:
        if not scene.is_current_animation_frozen_frame():
            scene.update_to_time(scene.duration)
            self._finish_animations(scene)
        if self.count_skipped:
            self.time = self.start + scene.duration

    def _hold(self, scene: Scene) -> None:
        first, last = self._frames(scene.duration)
        if last > first:
            self.static_image = None
            self.update_frame(scene)
            self.file_writer.write_frame(self.get_frame(), repeat=last - first)
        self.time = self.start + scene.duration

    def _move(self, scene: Scene) -> None:
        self.save_static_frame_data(scene, scene.static_mobjects)
        first, last = self._frames(scene.duration)
        lead = first / self.rate - self.start
        end = self.start + scene.duration
        for frame in range(last - first):
            moment = min(max(0.0, frame / self.rate + (lead if abs(lead) > 1e-9 else 0.0)), scene.duration)
            self.time = self.start + moment
            scene.update_to_time(moment)
            self.update_frame(scene, scene.moving_mobjects)
            self.file_writer.write_frame(self.get_frame())
            if scene.stop_condition is not None and scene.stop_condition():
                end = (first + frame + 1) / self.rate
                break
        self._finish_animations(scene)
        scene.update_mobjects(0)
        self.time = end

    def _finish_animations(self, scene: Scene) -> None:
        for animation in scene.animations or ():
            animation.finish()
            animation.clean_up_from_scene(scene)
