"""A matrix or vector of the model's numbers: one mobject per sign and shade, every cell with its address.

A grid of Cells becomes a plate, cell grounds shaded by size, digits in the role's colour and brackets. The parts
are few whatever the number of cells, so a matrix moves, fades and copies at the price of one mobject.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from manim import VGroup, VMobject

from scenes.kit import frame, glyphs
from scenes.kit.encoding import SHADE, Encoding
from scenes.kit.frame import Box
from scenes.kit.record import ShownCell
from scenes.kit.rounded import Rounded
from scenes.kit.theme import Theme
from transformer_core.display import show
from transformer_core.trace import Cell

Grid = Sequence[Sequence[Cell | None]]
"""Rows of Cells, top to bottom; ``None`` leaves a place empty (an elided part, a value not yet computed)."""


class FrozenGrid(tuple[tuple[Cell | None, ...], ...]):
    """A grid of Cells that copies of a matrix share."""

    def __deepcopy__(self, memo: object) -> FrozenGrid:
        return self


SIGNED_ROLES = {"weight": "weight_negative"}
BRACKET_WIDTH = 3.0
FLAT = 0.3
"""What a cell that looks like a minus sign lacks above and below, as a share of its height."""


class NumberMatrix(VGroup):
    """A grid of Cells in one role: their digits, shades of their sizes, and brackets.

    ``down`` and ``across`` name the axes that run along the rows and columns of the screen; the audit compares
    them with each Cell's own index. ``digits=False`` shows the shades alone.
    """

    def __init__(
        self,
        grid: Grid,
        *,
        box: Box,
        role: str,
        theme: Theme,
        down: str,
        across: str,
        size: float = frame.CONTEXT_SIZE,
        decimals: int = 2,
        digits: bool = True,
        shades: bool = True,
        brackets: bool = True,
        ink: str | None = None,
    ) -> None:
        super().__init__()
        self.grid = FrozenGrid(tuple(row) for row in grid)
        self.rows, self.columns = len(self.grid), len(self.grid[0])
        self.role, self.theme, self.down, self.across = role, theme, down, across
        self.size, self.decimals, self.has_digits, self.has_shades = size, decimals, digits, shades
        self.ink = ink
        self.plate = _plate(box, theme.plate(role), pad=0.05 if brackets else 0.0)
        self.anchor = _anchor(box)
        self.shades = VGroup(*(_shades(self, box) if shades else ()))
        self.digits = VGroup(*(_digits(self, box) if digits else ()))
        self.brackets = bracket_pair(box, theme.role(role)) if brackets else VGroup()
        self.add(self.plate, self.shades, self.digits, self.brackets, self.anchor)

    @property
    def box(self) -> Box:
        """Where the grid is now, however it was moved."""
        low, high = self.anchor.points.min(axis=0), self.anchor.points.max(axis=0)
        left, bottom = frame.place_of(low)
        right, top = frame.place_of(high)
        return Box(left, top, right - left, bottom - top)

    def cell_box(self, row: int, column: int) -> Box:
        """Where one cell of the grid is now."""
        return _cell_box(self.box, self.rows, self.columns, row, column)

    def numbers(self) -> list[tuple[int, int, ShownCell]]:
        """Every cell that shows digits: row, column, and the text it shows."""
        if not self.has_digits:
            return []
        return [
            (r, c, _shown(cell, self.decimals))
            for r, row in enumerate(self.grid)
            for c, cell in enumerate(row)
            if cell is not None
        ]

    def encodings(self) -> list[tuple[int, int, Encoding]]:
        """Every shaded cell: row, column, and what its shade stands for."""
        if not self.has_shades:
            return []
        return [
            (r, c, Encoding(cell, SHADE))
            for r, row in enumerate(self.grid)
            for c, cell in enumerate(row)
            if cell is not None and np.isfinite(cell.value)
        ]

    def part(self, rows: slice = slice(None), columns: slice = slice(None), **changes: Any) -> NumberMatrix:
        """A new matrix of some rows and columns, lying exactly on its place in this one."""
        row_range, column_range = range(self.rows)[rows], range(self.columns)[columns]
        first = self.cell_box(row_range[0], column_range[0])
        last = self.cell_box(row_range[-1], column_range[-1])
        box = Box(first.left, first.top, last.right - first.left, last.bottom - first.top)
        settings: dict[str, Any] = {
            "role": self.role,
            "theme": self.theme,
            "down": self.down,
            "across": self.across,
            "size": self.size,
            "decimals": self.decimals,
            "digits": self.has_digits,
            "shades": self.has_shades,
            "ink": self.ink,
            "box": box,
        }
        return NumberMatrix([row[columns] for row in self.grid[rows]], **{**settings, **changes})

    def shift_to(self, box: Box) -> Self:
        """Move, without changing size, so that the top left corner is that of ``box``."""
        here = self.box
        return self.shift(frame.at(box.left, box.top) - frame.at(here.left, here.top))


def _shown(cell: Cell, decimals: int) -> ShownCell:
    shown = show(cell, decimals=decimals)
    return ShownCell(cell, shown.text, shown.kind)


def _cell_box(box: Box, rows: int, columns: int, row: int, column: int) -> Box:
    width, height = box.width / columns, box.height / rows
    return Box(box.left + column * width, box.top + row * height, width, height)


def _plate(box: Box, colour: str, pad: float) -> Rounded:
    return Rounded(
        width=box.width + 2 * pad,
        height=box.height + 2 * pad,
        radius=min(0.06, box.width / 2, box.height / 2),
        centre=box.centre,
        stroke_width=0,
        fill_color=colour,
        fill_opacity=1,
    )


def _anchor(box: Box) -> VMobject:
    corners = [frame.at(box.left, box.top), frame.at(box.right, box.bottom)]
    return VMobject(stroke_width=0, fill_opacity=0).set_points_as_corners(corners)


def _rectangle(box: Box, inset: float) -> np.ndarray:
    left, top = frame.at(box.left + inset, box.top + inset)[:2]
    right, bottom = frame.at(box.right - inset, box.bottom - inset)[:2]
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)])
    points = np.zeros((16, 3))
    points[:, :2] = np.linspace(corners[:-1], corners[1:], 4, axis=1).reshape(-1, 2)
    return points


def _shades(matrix: NumberMatrix, box: Box) -> list[VMobject]:
    levels: dict[tuple[str, int], list[np.ndarray]] = {}
    inset = min(0.012, box.height / matrix.rows * 0.05)
    for row, cells in enumerate(matrix.grid):
        for column, cell in enumerate(cells):
            if cell is None or not np.isfinite(cell.value):
                continue
            key = (_signed(matrix.role, cell.value), int(SHADE.drawn(cell.value)))
            place = _cell_box(box, matrix.rows, matrix.columns, row, column)
            if cell.value < 0 and shows_sign(matrix):
                place = flattened(place)
            levels.setdefault(key, []).append(_rectangle(place, inset))
    return [
        _filled(np.concatenate(parts), matrix.theme.shade(role, level, bare=not matrix.has_digits))
        for (role, level), parts in sorted(levels.items())
    ]


def shows_sign(matrix: NumberMatrix) -> bool:
    """Whether its negative cells are told by their shape: no digit says their sign, and no hue may."""
    return matrix.role in SIGNED_ROLES and not matrix.has_digits and matrix.theme.sign_by_shape


def flattened(box: Box) -> Box:
    """The middle of a cell, as flat as a minus sign."""
    return Box(box.left, box.top + FLAT * box.height, box.width, (1 - 2 * FLAT) * box.height)


def _signed(role: str, value: float) -> str:
    return SIGNED_ROLES.get(role, role) if value < 0 else role


def _digits(matrix: NumberMatrix, box: Box) -> list[VMobject]:
    colours: dict[str, list[np.ndarray]] = {}
    cell_width = box.width / matrix.columns
    shown, widest = _measured(matrix)
    # Large numbers lose decimals rather than become too small to be read.
    least = min(matrix.size, frame.HEIGHT / 45)
    while matrix.decimals and least * widest > matrix.size * cell_width * 0.94:
        matrix.decimals -= 1
        shown, widest = _measured(matrix)
    matrix.size = min(matrix.size, matrix.size * cell_width * 0.94 / widest) if widest else matrix.size
    aligned = glyphs.width("0." + "0" * matrix.decimals, matrix.size) / 2 + glyphs.width("−", matrix.size) / 4
    # A number wider than "−0.00" would stick out of its cell on the left.
    longest = max((glyphs.width(each.text, matrix.size) for *_, each in shown), default=0)
    aligned = max(aligned, longest - cell_width * 0.48)
    for row, column, each in shown:
        place = _cell_box(box, matrix.rows, matrix.columns, row, column)
        text_width = glyphs.width(each.text, matrix.size)
        left = place.centre[0] - text_width / 2
        if "." in each.text:
            left = place.centre[0] + aligned - text_width
        baseline = frame.at(0, place.centre[1])[1] - matrix.size * glyphs.CAP_HEIGHT / 2
        colour = _ink(matrix, each)
        points = glyphs.points_at(each.text, matrix.size, left - frame.WIDTH / 2, baseline)
        colours.setdefault(colour, []).append(points)
    return [_filled(np.concatenate(parts), colour) for colour, parts in colours.items()]


def _measured(matrix: NumberMatrix) -> tuple[list[tuple[int, int, ShownCell]], float]:
    shown = matrix.numbers()
    return shown, max((glyphs.width(each.text, matrix.size) for *_, each in shown), default=0)


def _ink(matrix: NumberMatrix, shown: ShownCell) -> str:
    if shown.kind == "masked":
        return matrix.theme.note
    if matrix.ink:
        return matrix.theme.readable(matrix.ink, on=matrix.role) if matrix.has_shades else matrix.ink
    return matrix.theme.ink(_signed(matrix.role, shown.cell.value))


def _filled(points: np.ndarray, colour: str) -> VMobject:
    mobject = VMobject(stroke_width=0, fill_color=colour, fill_opacity=1)
    mobject.points = points
    return mobject


def bracket_pair(box: Box, colour: str) -> VGroup:
    """The two square brackets around a box."""
    reach, gap = min(0.09, box.width / 4), 0.07
    sides = []
    for x, inward in ((box.left - gap, 1), (box.right + gap, -1)):
        corners = [
            frame.at(x + inward * reach, box.top - gap / 2),
            frame.at(x, box.top - gap / 2),
            frame.at(x, box.bottom + gap / 2),
            frame.at(x + inward * reach, box.bottom + gap / 2),
        ]
        sides.append(
            VMobject(stroke_color=colour, stroke_width=BRACKET_WIDTH, fill_opacity=0).set_points_as_corners(corners)
        )
    return VGroup(*sides)
