"""The shapes of characters, straight from the shipped font files by fontTools."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

from pipeline.publish.shapes import NODES, POWERS, features, raw_moments
from scenes.kit.glyphs import CHAINS, FONTS


class _MomentPen(BasePen):
    """Integrates a font's own lines, quadratics or cubics as they are drawn; keeps the points they pass."""

    def __init__(self, glyphs: Any) -> None:
        super().__init__(glyphs)
        self.moments, self.count, self.ends = np.zeros(10), 0, []
        self._start = (0.0, 0.0)

    def _segment(self, *points: tuple[float, float]) -> None:
        control, degree = np.array([self._getCurrentPoint(), *points]), len(points)
        levels = np.repeat(control[:, None, :], len(NODES), axis=1)
        while len(levels) > 2:
            levels = levels[:-1] + (levels[1:] - levels[:-1]) * NODES[None, :, None]
        step = degree * (levels[1] - levels[0])
        place = levels[0] + (levels[1] - levels[0]) * NODES[:, None]
        self.moments += raw_moments(place[None, :, 0], place[None, :, 1], step[None, :, 1])[0]
        self.ends += [control[0], control[-1]]

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
        pen = _MomentPen(glyphs)
        glyphs[names[ord(character)]].draw(pen)
        if not pen.count:
            continue
        ends = np.array(pen.ends)
        scale = np.array([units ** -(2 + p + q) for p, q in POWERS])
        boxes = np.concatenate([ends.min(axis=0), ends.max(axis=0)])[None] / units
        shape, size, middle = features((pen.moments * scale)[None], boxes)
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
