"""What an axis leaves out, said in its empty place."""

from __future__ import annotations

from manim import VGroup

from scenes.kit import frame
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import Label, Prose


def elided(matrix: NumberMatrix, text: str = "") -> VGroup:
    """Dots in every row and column of a matrix that holds no Cell; ``text`` beside them where it fits."""
    marks = VGroup()
    colour = matrix.theme.note
    for row in range(matrix.rows):
        if any(cell is not None for cell in matrix.grid[row]):
            continue
        box = matrix.box
        y = matrix.cell_box(row, 0).centre[1]
        label = Label(text, size=frame.CONTEXT_SIZE, color=colour)
        mark = label if text and label.advance < box.width else Prose("⋮", size=frame.CONTEXT_SIZE, color=colour)
        marks.add(mark.place(box.centre[0], y))
    for column in range(matrix.columns):
        if all(matrix.grid[row][column] is None for row in range(matrix.rows)):
            x = matrix.cell_box(0, column).centre[0]
            marks.add(Prose("⋯", size=frame.CONTEXT_SIZE, color=colour).place(x, matrix.box.centre[1]))
    return marks
