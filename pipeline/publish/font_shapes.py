"""The shapes of characters, straight from the shipped font files by fontTools."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

from pipeline.publish.shapes import NODES, POWERS, features, raw_moments
from scenes.kit.glyphs import CHAINS, FONTS


class _SegmentPen(BasePen):
    """Keeps a font's own lines, quadratics and cubics, by the number of their control points, as they are drawn."""

    def __init__(self, glyphs: Any) -> None:
        super().__init__(glyphs)
        self.segments: dict[int, list[tuple[tuple[float, float], ...]]] = {}
        self.count = 0
        self._start = (0.0, 0.0)

    def _segment(self, *points: tuple[float, float]) -> None:
        control: tuple[Any, ...] = (self._getCurrentPoint(), *points)
        self.segments.setdefault(len(control), []).append(control)

    def _moveTo(self, pt: tuple[float, float]) -> None:
        self.count, self._start = self.count + 1, pt

    def _lineTo(self, pt: tuple[float, float]) -> None:
        self._segment(pt)

    def _qCurveToOne(self, pt1: tuple[float, float], pt2: tuple[float, float]) -> None:
        self._segment(pt1, pt2)

    def _curveToOne(self, pt1: tuple[float, float], pt2: tuple[float, float], pt3: tuple[float, float]) -> None:
        self._segment(pt1, pt2, pt3)

    def _closePath(self) -> None:
        self._segment(self._start)


def _moments(control: np.ndarray) -> np.ndarray:
    """The ten raw moments of all segments [segment, control point, 2] together."""
    levels = control[:, :, None, :].repeat(len(NODES), axis=2)
    while levels.shape[1] > 2:
        levels = levels[:, :-1] + np.diff(levels, axis=1) * NODES[:, None]
    step = levels[:, 1] - levels[:, 0]
    place = levels[:, 0] + step * NODES[:, None]
    degree = control.shape[1] - 1
    return raw_moments(place[..., 0], place[..., 1], degree * step[..., 1]).sum(axis=0)


@cache
def _font(name: str) -> tuple[Any, dict[int, str], float]:
    font: Any = TTFont(FONTS / name, lazy=True)
    return font.getGlyphSet(), font.getBestCmap(), float(font["head"].unitsPerEm)


@cache
def _references(character: str) -> tuple[tuple[int, float, float, np.ndarray], ...]:
    """For each font with it: contour count, root of the area and height of the centroid in em, features."""
    found = []
    for name in dict.fromkeys(name for chain in CHAINS.values() for name in chain):
        glyphs, names, units = _font(name)
        if ord(character) not in names:
            continue
        pen = _SegmentPen(glyphs)
        glyphs[names[ord(character)]].draw(pen)
        if not pen.count:
            continue
        segments = [np.array(each) for each in pen.segments.values()]
        ends = np.concatenate([each[:, [0, -1]].reshape(-1, 2) for each in segments])
        scale = np.array([units ** -(2 + p + q) for p, q in POWERS])
        moments = sum(map(_moments, segments)) * scale
        boxes = np.concatenate([ends.min(axis=0), ends.max(axis=0)])[None] / units
        shape, size, middle = features(moments[None], boxes)
        found.append((pen.count, float(size[0]), float(middle[0, 1]), shape[0]))
    return tuple(found)


@cache
def table(characters: frozenset[str]) -> dict[int, tuple[list[tuple[str, float, float]], np.ndarray]]:
    """The shapes of some characters, by their number of contours."""
    parts: dict[int, list[tuple[tuple[str, float, float], np.ndarray]]] = {}
    for character in sorted(characters):
        for count, size, height, shape in _references(character):
            parts.setdefault(count, []).append(((character, size, height), shape))
    return {
        count: ([label for label, _ in part], np.array([shape for _, shape in part])) for count, part in parts.items()
    }
