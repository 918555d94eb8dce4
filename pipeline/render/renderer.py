"""A renderer on one exact grid of frames.

Manim counts each play's frames on its own (up for an animation, down for a wait), so times drift from
frames. Here a play from second a to second b owns the frames round(a·fps) to round(b·fps), whatever the
rate, so every beat begins at the same time in a draft and in a 4k video. A play that is skipped draws
nothing at all, a still picture is drawn once, and of a moving one only what changes (`canvas`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from manim import Camera, Scene
from manim.renderer.cairo_renderer import CairoRenderer
from manim.utils.iterables import list_update

from pipeline.render.canvas import Canvas
from pipeline.render.damage import Rectangle


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
        self._canvas: Canvas | None = None

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
        self.num_plays += 1

    def update_frame(self, scene: Scene, *args: Any, **kwargs: Any) -> None:
        """Draw a whole picture as Manim does, for whoever wants one between two frames."""
        if self._canvas is not None:
            self._canvas.forget()
        super().update_frame(scene, *args, **kwargs)

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
            canvas = self._current_canvas()
            canvas.stand(list_update(scene.mobjects, scene.foreground_mobjects))
            self._write(canvas.show([]), repeat=last - first)
        self.time = self.start + scene.duration

    def _move(self, scene: Scene) -> None:
        canvas = self._current_canvas()
        canvas.stand(scene.static_mobjects)
        first, last = self._frames(scene.duration)
        lead = first / self.rate - self.start
        end = self.start + scene.duration
        for frame in range(last - first):
            moment = min(max(0.0, frame / self.rate + (lead if abs(lead) > 1e-9 else 0.0)), scene.duration)
            self.time = self.start + moment
            scene.update_to_time(moment)
            self._write(canvas.show(scene.moving_mobjects))
            if scene.stop_condition is not None and scene.stop_condition():
                end = (first + frame + 1) / self.rate
                break
        self._finish_animations(scene)
        scene.update_mobjects(0)
        self.time = end

    def _current_canvas(self) -> Canvas:
        """The canvas of the camera's pixels, which the camera may have replaced by others."""
        if self._canvas is None or self._canvas.pixels is not self.camera.pixel_array:
            self._canvas = Canvas(self.camera)
        return self._canvas

    def _write(self, changed: Sequence[Rectangle], *, repeat: int = 1) -> None:
        self.file_writer.write_change(self.camera.pixel_array, changed, repeat=repeat)

    def _finish_animations(self, scene: Scene) -> None:
        for animation in scene.animations or ():
            animation.finish()
            animation.clean_up_from_scene(scene)
