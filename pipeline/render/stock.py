"""The reference: Manim's own renderer and camera, on the same grid of frames as the fast engine.

Nothing of the fast engine is used here, not even its grid, so that the two can be compared. Two of Manim's
habits are left out. It counts each play's frames on its own, so that times drift from frames; and where a
still has nothing that moves, it draws the whole scene over a picture of itself, so that whatever is
half transparent counts twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from manim import Camera, Scene
from manim.renderer.cairo_renderer import CairoRenderer


class StockRenderer(CairoRenderer):
    """Plays animations frame by frame, each frame drawn by Manim's `update_frame`.

    Takes and means the same as `pipeline.render.renderer.FrameRenderer`.
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

    def play(self, scene: Scene, *args: Any, **kwargs: Any) -> None:
        """Play one set of animations and write its frames."""
        self.skip_animations = self._original_skipping_status
        self.update_skipping_status()
        scene.compile_animation_data(*args, **kwargs)
        scene.begin_animations()
        start, still = self.time, scene.is_current_animation_frozen_frame()
        end = start + scene.duration
        if self.skip_animations:
            if not still:
                scene.update_to_time(scene.duration)
                _finish(scene)
            self.time = end if self.count_skipped else start
        elif still:
            self._draw_still(scene, start, end)
            self.time = end
        else:
            end = self._draw_frames(scene, start, end)
            _finish(scene)
            scene.update_mobjects(0)
            self.time = end
        self.static_image = None
        self.num_plays += 1

    def scene_finished(self, scene: Scene) -> None:
        """Close the video once the scene has been constructed."""
        self.file_writer.finish()

    def _draw_still(self, scene: Scene, start: float, end: float) -> None:
        rate = float(self.camera.frame_rate)
        count = round(end * rate) - round(start * rate)
        if count:
            self.static_image = None
            self.update_frame(scene)
            self.file_writer.write_frame(self.get_frame(), repeat=count)

    def _draw_frames(self, scene: Scene, start: float, end: float) -> float:
        """Write the frames from `start` to `end`; returns the second at which the play is over."""
        self.save_static_frame_data(scene, scene.static_mobjects)
        rate = float(self.camera.frame_rate)
        first = round(start * rate)
        lead = first / rate - start
        for frame in range(first, round(end * rate)):
            since_first = (frame - first) / rate
            moment = min(max(0.0, since_first + (lead if abs(lead) > 1e-9 else 0.0)), scene.duration)
            self.time = start + moment
            scene.update_to_time(moment)
            if scene.moving_mobjects or self.static_image is None:
                self.update_frame(scene, scene.moving_mobjects)
            else:
                self.camera.set_frame_to_background(self.static_image)
            self.file_writer.write_frame(self.get_frame())
            if scene.stop_condition is not None and scene.stop_condition():
                return (frame + 1) / rate
        return end


def _finish(scene: Scene) -> None:
    for animation in scene.animations or ():
        animation.finish()
        animation.clean_up_from_scene(scene)
