"""The glyph atlas: outlines of text as arrays, shaped by HarfBuzz from the shipped fonts.

Manim's own ``Text`` depends on the pixel width, on a process-wide font cache and on which fonts the machine
has; a character without a glyph becomes a box, silently. Here one text gives one array of cubic curves, the
same on every machine, and a character that no shipped font has is an error that names it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import uharfbuzz as hb

from transformer_core.errors import InputError

FONTS = Path(__file__).resolve().parents[2] / "assets" / "fonts"
CHAINS = {
    "regular": ("NotoSans-Regular.ttf", "NotoSansSC-Regular.ttf", "NotoSansMath-Regular.ttf"),
    "strong": ("NotoSans-SemiBold.ttf", "NotoSansSC-SemiBold.ttf", "NotoSansMath-Regular.ttf"),
}
FEATURES = {"kern": True, "liga": False, "tnum": True}
CAP_HEIGHT = 0.714
"""Height of a Noto Sans capital or digit, in em."""


@dataclass(frozen=True)
class Outline:
    """A shaped text at one em per unit: cubic curves (curve, 4, 2), where each glyph's curves lie, its advance."""

    curves: np.ndarray
    spans: tuple[tuple[str, int, int], ...]
    advance: float


class Face:
    """One font file: its characters and the outlines of its glyphs, in em."""

    def __init__(self, path: Path) -> None:
        """Read a TrueType or OpenType file."""
        self.name = path.name
        face = hb.Face(hb.Blob.from_file_path(str(path)))
        self.font = hb.Font(face)
        self.units = face.upem
        self._outlines: dict[int, np.ndarray] = {}

    @property
    def gave_outlines(self) -> bool:
        """Whether any text so far has a glyph of this font."""
        return bool(self._outlines)

    def has(self, character: str) -> bool:
        """Whether the font has a glyph of its own for the character."""
        return bool(self.font.get_nominal_glyph(ord(character)))

    def outline(self, glyph: int) -> np.ndarray:
        """The closed contours of a glyph as cubic curves (curve, 4, 2), in em."""
        if glyph not in self._outlines:
            pen = _CubicPen()
            self.font.draw_glyph_with_pen(glyph, pen)
            curves = np.array(pen.curves, dtype=float).reshape(-1, 4, 2) / self.units
            curves.flags.writeable = False
            self._outlines[glyph] = curves
        return self._outlines[glyph]


class _CubicPen:
    """A fontTools-style pen that turns lines and quadratics into cubics and closes each contour."""

    def __init__(self) -> None:
        self.curves: list[list[tuple[float, float]]] = []
        self._start = self._here = (0.0, 0.0)

    def moveTo(self, point: tuple[float, float]) -> None:
        self._start = self._here = point

    def lineTo(self, point: tuple[float, float]) -> None:
        if point == self._here:
            return
        (x0, y0), (x1, y1) = self._here, point
        third = ((2 * x0 + x1) / 3, (2 * y0 + y1) / 3)
        two_thirds = ((x0 + 2 * x1) / 3, (y0 + 2 * y1) / 3)
        self.curves.append([self._here, third, two_thirds, point])
        self._here = point

    def qCurveTo(self, *points: tuple[float, float]) -> None:
        (x0, y0), (xc, yc), (x1, y1) = self._here, points[0], points[1]
        first = (x0 + 2 * (xc - x0) / 3, y0 + 2 * (yc - y0) / 3)
        second = (x1 + 2 * (xc - x1) / 3, y1 + 2 * (yc - y1) / 3)
        self.curves.append([self._here, first, second, points[1]])
        self._here = points[1]

    def curveTo(self, *points: tuple[float, float]) -> None:
        self.curves.append([self._here, points[0], points[1], points[2]])
        self._here = points[2]

    def closePath(self) -> None:
        self.lineTo(self._start)

    def endPath(self) -> None:
        self.closePath()


@cache
def face(name: str) -> Face:
    """The shipped font file of that name."""
    path = FONTS / name
    if not path.is_file():
        raise InputError(
            f"font {name}", "the file is missing from assets/fonts", "restore it with git checkout assets/fonts"
        )
    return Face(path)


def used_fonts() -> tuple[str, ...]:
    """The font files that the texts so far depend on: those that gave glyphs, and those asked before them."""
    found: list[str] = []
    for chain in CHAINS.values():
        last = max((place for place, name in enumerate(chain) if face(name).gave_outlines), default=-1)
        found += chain[: last + 1]
    return tuple(sorted(set(found)))


def _runs(text: str, weight: str) -> list[tuple[Face, str]]:
    faces = [face(name) for name in CHAINS[weight]]
    runs: list[tuple[Face, str]] = []
    for character in text:
        chosen = next((each for each in faces if each.has(character)), None)
        if chosen is None:
            raise InputError(
                f"character {character!r} (U+{ord(character):04X})",
                "none of the shipped fonts has a glyph for it",
                "write it with other characters, or add a font that has it to assets/fonts",
            )
        if runs and runs[-1][0] is chosen:
            runs[-1] = (chosen, runs[-1][1] + character)
        else:
            runs.append((chosen, character))
    return runs


@cache
def outline(text: str, weight: str = "regular") -> Outline:
    """Shape a text: kerned, with tabular figures, glyph by glyph from the first font of the chain that has it.

    Raises InputError naming the character that no shipped font has.
    """
    pieces: list[np.ndarray] = []
    spans: list[tuple[str, int, int]] = []
    pen_x, count = 0.0, 0
    for font_face, run in _runs(text, weight):
        buffer = hb.Buffer()
        buffer.add_str(run)
        buffer.guess_segment_properties()
        hb.shape(font_face.font, buffer, FEATURES)
        for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            curves = font_face.outline(info.codepoint)
            shift = (pen_x + position.x_offset / font_face.units, position.y_offset / font_face.units)
            pieces.append(curves + np.array(shift))
            spans.append((run[info.cluster], count, count + len(curves)))
            count += len(curves)
            pen_x += position.x_advance / font_face.units
    curves = np.concatenate(pieces) if pieces else np.zeros((0, 4, 2))
    curves.flags.writeable = False
    return Outline(curves, tuple(spans), pen_x)


def width(text: str, size: float, weight: str = "regular") -> float:
    """The advance width of a text set at ``size`` units an em."""
    return outline(text, weight).advance * size


def points_at(text: str, size: float, x: float, baseline: float, *, weight: str = "regular") -> np.ndarray:
    """Manim points (4 × curves, 3) of a text whose first glyph starts at (x, baseline)."""
    curves = outline(text, weight).curves
    points = np.zeros((curves.shape[0] * 4, 3))
    points[:, :2] = curves.reshape(-1, 2) * size + (x, baseline)
    return points
