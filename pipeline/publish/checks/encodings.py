"""Encodings: the drawn shade, area, width, length or opacity is what the scale makes of the Cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pipeline.publish.checks.view import View, seen
from pipeline.publish.outlines import contours
from scenes.kit.carriers import Carried, carried_by, measure
from scenes.kit.colour import rgb
from scenes.kit.encoding import SHADE
from scenes.kit.matrix import SIGNED_ROLES, NumberMatrix

COLOUR_TOLERANCE = 3 / 255
TOLERANCE = 1e-3


def sizes_are_the_scales(view: View) -> Iterator[str]:
    """Every area, width, length, position, height and opacity measures what its scale says."""
    for mobject in view.carriers:
        if isinstance(mobject, NumberMatrix):
            continue
        for carried in carried_by(mobject):
            wanted = carried.encoding.drawn
            drawn = _opacity(mobject) if carried.encoding.scale.channel == "opacity" else measure(carried)
            if abs(drawn - wanted) > TOLERANCE * max(1.0, abs(wanted)):
                yield _size_fault(view, carried, drawn, wanted)


def _size_fault(view: View, carried: Carried, drawn: float, wanted: float) -> str:
    encoding = carried.encoding
    return (
        f"{view.address(encoding.cell)} is drawn with {encoding.scale.channel} {drawn:.4g}, "
        f"its value {encoding.cell.value:.4g} makes {wanted:.4g}"
    )


def _opacity(mobject: Any) -> float:
    """The opacity that a mobject was given, whether or not it is dimmed now."""
    own = getattr(mobject, "own_opacity", None)
    fill, stroke = own or (mobject.get_fill_opacity(), mobject.get_stroke_opacity())
    return float(fill or stroke)


def shades_are_the_scales(view: View) -> Iterator[str]:
    """The ground drawn at every cell of a matrix has the colour of its value's step, all equally opaque."""
    matrices = [matrix for matrix in view.matrices if matrix.encodings()]
    parts: list[list[Any]] = [
        [part for part in matrix.shades.get_family() if part.has_points() and seen(part)] for matrix in matrices
    ]
    joined = [part for own in parts for part in own]
    found = contours([part.points for part in joined])
    start = 0
    for matrix, own in zip(matrices, parts, strict=True):
        inside = (found.owners >= start) & (found.owners < start + len(own))
        colours = np.array([part.fill_rgbas[0] for part in own]).reshape(-1, 4)[found.owners[inside] - start]
        start += len(own)
        yield from _shade_faults(view, matrix, found.boxes[inside], colours)
        opacities = {round(float(part.get_fill_opacity()), 2) for part in own}
        if len(opacities) > 1:
            where = view.address(carried_by(matrix)[0].encoding.cell)
            yield f"shades of the grid at {where} have opacities {', '.join(map(str, sorted(opacities)))}"


def _shade_faults(view: View, matrix: NumberMatrix, boxes: np.ndarray, colours: np.ndarray) -> Iterator[str]:
    scale = _scale(matrix)
    encodings = matrix.encodings()
    low, high = matrix.anchor.points.min(axis=0), matrix.anchor.points.max(axis=0)
    step = (high - low)[:2] / (matrix.columns, matrix.rows)
    for row, column, encoding in encodings:
        x, y = low[0] + (column + 0.5) * step[0], high[1] - (row + 0.5) * step[1]
        here = (boxes[:, 0] < x) & (x < boxes[:, 2]) & (boxes[:, 1] < y) & (y < boxes[:, 3])
        where = f"{view.address(encoding.cell)} = {encoding.cell.value:.3g}"
        if not here.any():
            yield f"{where} has no shade"
            return
        colour = colours[np.flatnonzero(here)[-1]][:3]
        role, wanted = _role(matrix, encoding.cell.value), int(encoding.drawn)
        if np.abs(scale[role, wanted] - colour).max() > COLOUR_TOLERANCE:
            nearest = min(scale, key=lambda step: float(np.abs(scale[step] - colour).max()))
            near = np.abs(scale[nearest] - colour).max() <= COLOUR_TOLERANCE
            drawn = f"step {nearest[1] + 1} of {nearest[0]}" if near else "a colour that is on no scale"
            yield f"{where} has the shade of {drawn}, its value makes step {wanted + 1} of {role}"
            return


def _role(matrix: NumberMatrix, value: float) -> str:
    return SIGNED_ROLES.get(matrix.role, matrix.role) if value < 0 else matrix.role


def _scale(matrix: NumberMatrix) -> dict[tuple[str, int], np.ndarray]:
    roles = {matrix.role, SIGNED_ROLES.get(matrix.role, matrix.role)}
    steps = range(len(SHADE.thresholds) + 1)
    bare = not matrix.has_digits
    return {(role, step): rgb(matrix.theme.shade(role, step, bare=bare)) for role in roles for step in steps}
