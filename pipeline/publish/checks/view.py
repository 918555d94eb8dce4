"""What is on screen at one moment, taken from the points and styles of the mobjects as they are now.

Every visible part in drawing order, whose it is, and every line of text read back from its outlines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from manim import (
    Code,
    DecimalNumber,
    MarkupText,
    Mobject,
    Paragraph,
    SingleStringMathTex,
    Text,
    Typst,
    VMobject,
)
from manim.utils.family import extract_mobject_family_members

from pipeline.publish.checks.paint import Paint
from pipeline.publish.outlines import ReadGlyph, ReadText, read, read_line
from scenes.kit import frame
from scenes.kit.formula import Formula
from scenes.kit.ledger import INVISIBLE
from scenes.kit.matrix import NumberMatrix
from scenes.kit.record import ShownCell
from scenes.kit.text import BoundNumber, Glyphs
from transformer_core.address import format_address
from transformer_core.cell import Cell
from transformer_core.errors import InputError

FOREIGN = (Text, MarkupText, Paragraph, SingleStringMathTex, Typst, DecimalNumber, Code)
"""Manim's own texts: their outlines come from fonts that the audit cannot read back."""

DIMMED = 0.75
"""A part at less than this share of its own opacity is context, and may fall below what lit things keep."""

Edges = tuple[float, float, float, float]
"""Left, top, right, bottom in the 16 × 9 frame, from its top left corner."""


@dataclass(frozen=True)
class Part:
    """One visible mobject that has points, its place in the drawing order, and the text it belongs to."""

    mobject: Any
    order: int
    owner: Any
    box: Edges

    @property
    def filled(self) -> float:
        """The opacity of its fill."""
        return float(self.mobject.get_fill_opacity())

    @property
    def lit(self) -> bool:
        """Whether it is about as opaque as it was made."""
        own = getattr(self.mobject, "own_opacity", (1.0, 1.0))[0]
        return self.filled >= DIMMED * max(own, INVISIBLE)

    @property
    def ink(self) -> np.ndarray:
        """The fill's sRGB components."""
        return np.asarray(self.mobject.fill_rgbas[0][:3])


@dataclass(frozen=True)
class Run:
    """One line of text on screen: a whole Glyphs, or what stands in one cell of a matrix."""

    mobject: Any
    part: Part
    read: ReadText
    expected: str
    box: Edges
    shown: ShownCell | None = None
    place: tuple[int, int] | None = None

    @property
    def lit(self) -> bool:
        """Whether it is meant to be read now."""
        return self.part.lit


@dataclass
class View:
    """The picture of a scene at the end of a beat."""

    scene: Any
    beat: str
    _addresses: dict[int, str] = field(default_factory=dict)

    @cached_property
    def family(self) -> list[tuple[Any, Any]]:
        """Every mobject of the scene once, with the innermost text or matrix that it belongs to."""
        found: dict[int, tuple[Any, Any]] = {}

        def walk(mobject: Mobject, owner: Any) -> None:
            # Parts of a foreign text are themselves texts: the outermost counts.
            if isinstance(mobject, (Glyphs, NumberMatrix, Formula, *FOREIGN)) and not isinstance(owner, FOREIGN):
                owner = mobject
            found.setdefault(id(mobject), (mobject, owner))
            for each in mobject.submobjects:
                walk(each, owner)

        for top in self.scene.mobjects:
            walk(top, None)
        return list(found.values())

    @cached_property
    def parts(self) -> list[Part]:
        """Every visible part in drawing order."""
        owners = {id(mobject): owner for mobject, owner in self.family}
        camera = self.scene.camera
        drawn = extract_mobject_family_members(
            self.scene.mobjects, use_z_index=camera.use_z_index, only_those_with_points=True
        )
        return [
            Part(mobject, order, owners[id(mobject)], self._box(mobject.points))
            for order, mobject in enumerate(drawn)
            if isinstance(mobject, VMobject) and seen(mobject)
        ]

    def _box(self, points: np.ndarray) -> Edges:
        low, high = points.min(axis=0), points.max(axis=0)
        return self.edges((low[0], low[1], high[0], high[1]))

    def edges(self, box: tuple[float, float, float, float]) -> Edges:
        """A box (left, bottom, right, top) in Manim's coordinates as edges in the 16 × 9 frame."""
        (left, bottom), (right, top) = self.placed(np.array(box).reshape(2, 2)).tolist()
        return left, top, right, bottom

    def placed(self, points: np.ndarray) -> np.ndarray:
        """Points (…, 2) of Manim's coordinates as the camera sees them: places in the 16 × 9 frame."""
        away = (points - self.scene.camera.frame_center[:2]) * self.zoom
        return np.array([frame.WIDTH / 2, frame.HEIGHT / 2]) + away * (1, -1)

    @property
    def zoom(self) -> float:
        """Frame units on screen for one of Manim's units."""
        return frame.WIDTH / self.scene.camera.frame_width

    @cached_property
    def glyphs(self) -> dict[int, list[ReadGlyph]]:
        """The shapes of every visible filled part, by the id of its mobject."""
        parts = [part for part in self.parts if not isinstance(part.owner, FOREIGN)]
        characters = {c for part in parts if isinstance(part.owner, Glyphs) for c in part.owner.text}
        shapes = read([part.mobject.points for part in parts], characters)
        return {id(part.mobject): glyphs for part, glyphs in zip(parts, shapes, strict=True)}

    @cached_property
    def runs(self) -> list[Run]:
        """Every line of declared text."""
        found: list[Run] = []
        for part in self.parts:
            if isinstance(part.owner, Glyphs):
                found.append(self._run(part))
        for matrix in self.matrices:
            found += self._matrix_runs(matrix)
        return found

    def _run(self, part: Part) -> Run:
        text = read_line(self.glyphs[id(part.mobject)], part.owner.text)
        shown = part.owner.shown if isinstance(part.owner, BoundNumber) else None
        return Run(part.owner, part, text, plain(part.owner.text), self.edges(text.box), shown)

    @cached_property
    def matrices(self) -> list[NumberMatrix]:
        """Every matrix of which something is visible."""
        owners = {id(part.owner): part.owner for part in self.parts}
        return [owner for owner in owners.values() if isinstance(owner, NumberMatrix)]

    @cached_property
    def carriers(self) -> list[Any]:
        """Everything of which something is visible that shows a matrix, carries encodings or quotes Cells."""
        visible = {id(part.mobject) for part in self.parts}
        return self.matrices + [
            mobject
            for mobject, _ in self.family
            if (hasattr(mobject, "encodings") or hasattr(mobject, "quoted"))
            and not isinstance(mobject, NumberMatrix)
            and any(id(part) in visible for part in mobject.family_members_with_points())
        ]

    def _matrix_runs(self, matrix: NumberMatrix) -> Iterator[Run]:
        """What is read in each cell of a matrix, empty for cells whose digits are not there."""
        box, inside = matrix.box, {id(each) for each in matrix.digits.get_family()}
        shown = {(row, column): each for row, column, each in matrix.numbers()}
        cells: dict[tuple[int, int], list[tuple[Part, ReadGlyph]]] = {}
        for part in self.parts:
            if part.owner is not matrix or id(part.mobject) not in inside:
                continue
            for glyph in self.glyphs[id(part.mobject)]:
                x, y = (glyph.box[0] + glyph.box[2]) / 2, (glyph.box[1] + glyph.box[3]) / 2
                left, top = frame.place_of(np.array([x, y]))
                row = int((top - box.top) // (box.height / matrix.rows))
                column = int((left - box.left) // (box.width / matrix.columns))
                cells.setdefault((row, column), []).append((part, glyph))
        anchor = next(part for part in self.parts if part.owner is matrix)
        for place in dict.fromkeys([*shown, *cells]):
            found = cells.get(place, [])
            expected = shown[place].text if place in shown else ""
            text = read_line([glyph for _, glyph in found], expected)
            part = found[0][0] if found else anchor
            yield Run(matrix, part, text, expected, self.edges(text.box), shown.get(place), place)

    @cached_property
    def paint(self) -> Paint:
        """The filled surfaces under and over the texts."""
        texts = {id(run.part.mobject) for run in self.runs if run.read.text}
        return Paint.of([p for p in self.parts if id(p.mobject) not in texts], self.placed, self.scene.camera)

    def address(self, cell: Cell) -> str:
        """The cell's address for people; its bare name and index where the trace has no such place."""
        try:
            return format_address(cell, self.scene.trace.spec)
        except (IndexError, KeyError, InputError):
            return f"{cell.name}{dict(cell.index)}"

    def where(self, run: Run) -> str:
        """What a run is called in a finding."""
        if run.shown:
            return self.address(run.shown.cell)
        if run.place:
            return f"row {run.place[0] + 1}, column {run.place[1] + 1} of a {run.mobject.role} matrix"
        return f"{type(run.mobject).__name__} {run.mobject.text!r}"


def seen(mobject: Any) -> bool:
    """Whether a mobject's fill or stroke is opaque enough to be seen."""
    stroke = mobject.get_stroke_opacity() > INVISIBLE and mobject.get_stroke_width() > 0
    return bool(mobject.get_fill_opacity() > INVISIBLE or stroke)


def plain(text: str) -> str:
    """A text without its spaces, which have no outlines."""
    return re.sub(r"\s", "", text)
