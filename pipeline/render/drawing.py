"""One picture as outlines: what a camera paints, in its order, and nothing of how it came about.

Places are in the 16 × 9 frame with the origin at its top left corner and y downwards, as in the ledger.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np

WIDTH, HEIGHT = 16, 9
POINTS_PER_CURVE = 4


@dataclass(frozen=True)
class Paint:
    """A colour, ``#RRGGBB``, and how much of it covers what lies below, 0 to 1."""

    colour: str
    opacity: float


@dataclass(frozen=True)
class Stroke:
    """A line along an outline, `width` in frame units; `cap` butt, round or square, `join` miter, round or bevel."""

    paint: Paint
    width: float
    cap: str = "butt"
    join: str = "miter"


@dataclass(frozen=True)
class Subpath:
    """Cubic curves [curve, 4, 2] that follow one another, and whether the last ends where the first begins."""

    curves: np.ndarray
    closed: bool


@dataclass(frozen=True)
class Shape:
    """An outline that is painted as a whole: first the fill (nonzero winding), then the stroke."""

    subpaths: tuple[Subpath, ...]
    fill: Paint | None = None
    stroke: Stroke | None = None


@dataclass(frozen=True)
class Drawing:
    """Shapes in the order of painting, on a ground ``#RRGGBB``."""

    ground: str
    shapes: tuple[Shape, ...]

    def save(self, path: Path) -> None:
        """Write the points as one array, the rest as JSON in it."""
        subpaths = [each for shape in self.shapes for each in shape.subpaths]
        data = {
            "ground": self.ground,
            "shapes": [
                {
                    "sizes": [len(each.curves) for each in shape.subpaths],
                    "closed": [each.closed for each in shape.subpaths],
                    "fill": shape.fill and asdict(shape.fill),
                    "stroke": shape.stroke and asdict(shape.stroke),
                }
                for shape in self.shapes
            ],
        }
        curves = np.concatenate([np.zeros((0, POINTS_PER_CURVE, 2)), *(each.curves for each in subpaths)])
        np.savez(path, curves=curves, shapes=np.array(json.dumps(data)))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote."""
        with np.load(path) as file:
            curves, data = file["curves"], json.loads(str(file["shapes"]))
        shapes, start = [], 0
        for shape in data["shapes"]:
            subpaths = []
            for size, closed in zip(shape["sizes"], shape["closed"], strict=True):
                subpaths.append(Subpath(curves[start : start + size], closed))
                start += size
            fill = Paint(**shape["fill"]) if shape["fill"] else None
            shapes.append(Shape(tuple(subpaths), fill, _stroke(shape["stroke"])))
        return cls(data["ground"], tuple(shapes))


def _stroke(data: dict | None) -> Stroke | None:
    return Stroke(**{**data, "paint": Paint(**data["paint"])}) if data else None
