"""Which engine draws a scene: the fast one, or Manim's own where that is asked for or is the only one that can."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from manim import Camera, MovingCamera, Scene
from manim.renderer.cairo_renderer import CairoRenderer

from pipeline.render.camera import fast_camera
from pipeline.render.renderer import FrameRenderer
from pipeline.render.stock import StockRenderer

FAST_CAMERAS = (Camera, MovingCamera)
"""The cameras whose pictures the fast engine draws byte for byte; any other may place or paint in its own way."""


@dataclass(frozen=True)
class Staged:
    """A scene with its renderer, ready to be rendered. `notice` says why Manim's own draws it unasked."""

    scene: Any
    engine: str
    notice: str = ""


def stage(make: Callable[[CairoRenderer], Any], scene_class: type[Scene], *, engine: str, **options: Any) -> Staged:
    """Make a scene for an engine, `fast` or `stock`.

    `make` is called with the renderer; `options` are those of `FrameRenderer` but for the camera's class. That
    is the one the scene asks for: Manim itself would leave it out as soon as a renderer is given.
    """
    asked = _camera_in_signature(scene_class)
    staged = _staged(make, asked, engine=engine, options=options)
    told = staged.scene.camera_class
    # A scene may also name its camera in the call of its base's constructor, where only making it shows it.
    return staged if told is asked else _staged(make, told, engine=engine, options=options)


def _staged(
    make: Callable[[CairoRenderer], Any], camera: type[Camera], *, engine: str, options: dict[str, Any]
) -> Staged:
    if engine == "stock":
        return Staged(make(StockRenderer(camera_class=camera, **options)), "stock")
    if camera not in FAST_CAMERAS:
        notice = f"its {camera.__name__} is not one that the fast engine knows; Manim's own renderer draws it"
        return Staged(make(StockRenderer(camera_class=camera, **options)), "stock", notice)
    return Staged(make(FrameRenderer(camera_class=fast_camera(camera), **options)), "fast")


def _camera_in_signature(scene_class: type[Scene]) -> type[Camera]:
    """The camera class that the scene or one of its bases has as a default in its constructor."""
    for base in scene_class.__mro__:
        constructor = base.__dict__.get("__init__")
        parameter = inspect.signature(constructor).parameters.get("camera_class") if constructor else None
        if parameter is not None and isinstance(parameter.default, type):
            return parameter.default
    return Camera
