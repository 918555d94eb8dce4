"""The picture that stands on a scene's screen, as outlines instead of pixels.

The camera is asked what it would draw, in which order, where and with which paint; only the last step, the
pixels, is left out. What has no outlines (a bitmap, a cloud of points, a gradient) is refused: a figure
would otherwise lack it without a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import Camera, CapStyleType, LineJointType, ManimColor, Mobject, Scene, VMobject
from manim.utils.iterables import list_update

from pipeline.render.drawing import HEIGHT, POINTS_PER_CURVE, WIDTH, Drawing, Paint, Shape, Stroke, Subpath
from transformer_core.errors import CheckFailed

CAPS = {CapStyleType.ROUND: "round", CapStyleType.SQUARE: "square"}
JOINS = {LineJointType.ROUND: "round", LineJointType.BEVEL: "bevel"}


def drawing_of(scene: Scene) -> Drawing:
    """What is visible now. Raises CheckFailed for a mobject that has no outlines or more than one colour."""
    return drawing_of_mobjects(list_update(scene.mobjects, scene.foreground_mobjects), scene.renderer.camera)


def drawing_of_mobjects(mobjects: Sequence[Mobject], camera: Camera) -> Drawing:
    """The same for mobjects that stand in no scene."""
    shapes = [shape for each in camera.get_mobjects_to_display(mobjects) for shape in _shapes(each, camera)]
    return Drawing(ManimColor(camera.background_color).to_hex(), tuple(shapes))


def _shapes(mobject: Mobject, camera: Camera) -> list[Shape]:
    """The mobject as the camera paints it: a stroke that lies behind, then fill and stroke."""
    if not isinstance(mobject, VMobject) or mobject.get_background_image():
        raise CheckFailed(f"figure with a {type(mobject).__name__}", "that is made of pixels, not of outlines")
    fill = _paint(camera.get_fill_rgbas(mobject), mobject)
    behind, stroke = (_stroke(mobject, camera, background=background) for background in (True, False))
    if not (fill or behind or stroke):
        return []
    subpaths = _subpaths(mobject, camera)
    under = [Shape(subpaths, stroke=behind)] if behind and subpaths else []
    over = [Shape(subpaths, fill, stroke)] if (fill or stroke) and subpaths else []
    return under + over


def _paint(rgbas: np.ndarray, mobject: VMobject) -> Paint | None:
    """The one colour of these; None where it is fully transparent."""
    rgbas = np.clip(np.asarray(rgbas, dtype=float), 0, 1)
    if not rgbas[:, 3].any():
        return None
    if np.ptp(rgbas, axis=0).any():
        raise CheckFailed(f"figure with a {type(mobject).__name__}", "its colour is a gradient, not one colour")
    colour = "#" + "".join(f"{round(255 * component):02X}" for component in rgbas[0, :3])
    return Paint(colour, float(rgbas[0, 3]))


def _stroke(mobject: VMobject, camera: Camera, *, background: bool) -> Stroke | None:
    width = float(mobject.get_stroke_width(background)) * camera.cairo_line_width_multiple
    paint = _paint(camera.get_stroke_rgbas(mobject, background=background), mobject) if width else None
    if paint is None:
        return None
    cap, join = CAPS.get(mobject.cap_style, "butt"), JOINS.get(mobject.joint_type, "miter")
    return Stroke(paint, width * _scale(camera)[0], cap, join)


def _subpaths(mobject: VMobject, camera: Camera) -> tuple[Subpath, ...]:
    points = camera.transform_points_pre_display(mobject, mobject.points)
    placed = _placed(points, camera)
    found = []
    for start, end in mobject.get_subpath_split_indices_from_points(points, n_dims=2):
        count = (end - start) // POINTS_PER_CURVE
        if count:
            curves = placed[start : start + count * POINTS_PER_CURVE].reshape(count, POINTS_PER_CURVE, 2)
            closed = mobject.consider_points_equals_2d(points[start], points[end - 1])
            found.append(Subpath(curves, bool(closed)))
    return tuple(found)


def _placed(points: np.ndarray, camera: Any) -> np.ndarray:
    """Manim's points [point, 3] as places in the frame."""
    across, down = _scale(camera)
    centre = camera.frame_center
    return np.stack(
        [(points[:, 0] - centre[0]) * across + WIDTH / 2, (centre[1] - points[:, 1]) * down + HEIGHT / 2], axis=1
    )


def _scale(camera: Any) -> tuple[float, float]:
    """Frame units for one of the scene's, as far as the camera has gone closer."""
    return WIDTH / camera.frame_width, HEIGHT / camera.frame_height
