"""Places: where a number stands in a grid is what its index says; its layer and head are the scene's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipeline.publish.checks.view import View
from scenes.kit.carriers import carried_by
from scenes.kit.matrix import NumberMatrix
from scenes.kit.tokens import TokenBox
from transformer_core.axes import AXES
from transformer_core.cell import Cell
from transformer_core.stages import layer_of


def grids_are_in_order(view: View) -> Iterator[str]:
    """In every matrix the declared axes run as declared, and all other axes stand still."""
    for matrix in view.matrices:
        yield from _axis_faults(view, matrix, matrix.down, list(matrix.grid), "down")
        yield from _axis_faults(view, matrix, matrix.across, list(zip(*matrix.grid, strict=True)), "across")
        yield from _mixed(view, matrix)


def _axis_faults(view: View, matrix: NumberMatrix, axis: str, lines: list, direction: str) -> Iterator[str]:
    """Along ``lines`` the axis must increase, and within a line it must not change."""
    if axis not in AXES:
        return
    last = -1
    for line in lines:
        places = [(dict(cell.index).get(axis), cell) for cell in line if cell is not None]
        if not places:
            continue
        first, cell = places[0]
        if first is None:
            yield f"{view.address(cell)} has no {axis}, by which its grid is ordered {direction}"
            return
        for place, other in places:
            if place != first:
                yield f"{view.address(other)} stands in a line of its grid where {axis} is {first + 1}"
                return
        if first <= last:
            yield f"{view.address(cell)} stands after {axis} {last + 1}: {axis} does not increase {direction}"
            return
        last = first


def _mixed(view: View, matrix: NumberMatrix) -> Iterator[str]:
    cells = [cell for line in matrix.grid for cell in line if cell is not None and not cell.derived]
    running = (matrix.down, matrix.across)
    for cell in cells[1:]:
        fixed = [(axis, place) for axis, place in cell.index if axis not in running]
        expected = [(axis, place) for axis, place in cells[0].index if axis not in running]
        if cell.name != cells[0].name or fixed != expected:
            yield f"{view.address(cell)} stands in a grid of {view.address(cells[0])}"
            return


def cells_are_of_the_head(view: View) -> Iterator[str]:
    """Every number and encoding is of the scene's layer and head, where the scene has these.

    A mobject that is meant to compare heads or layers says so with the attribute ``all_heads = True``.
    """
    layer, head = getattr(view.scene, "layer", None), getattr(view.scene, "head", None)
    if layer is None and head is None:
        return
    carried: dict[int, Any] = {id(run.mobject): run.mobject for run in view.runs if run.shown}
    carried |= {id(each): each for each in view.carriers}
    for mobject in carried.values():
        if getattr(mobject, "all_heads", False):
            continue
        for cell in _cells(mobject):
            fault = _foreign(cell, layer, head)
            if fault:
                yield f"{view.address(cell)} is of {fault}, not of the scene's"
                break


def _cells(mobject: Any) -> list[Cell]:
    if isinstance(mobject, NumberMatrix):
        return [cell for line in mobject.grid for cell in line if cell is not None]
    cells = [carried.encoding.cell for carried in carried_by(mobject)]
    cells += [shown.cell for shown in getattr(mobject, "quoted", ())]
    return [*cells, mobject.cell] if hasattr(mobject, "cell") else cells


def _foreign(cell: Cell, layer: int | None, head: int | None) -> str:
    if cell.derived:
        return next((fault for fault in (_foreign(each, layer, head) for each in cell.parents) if fault), "")
    own_layer, own_head = layer_of(cell.name), dict(cell.index).get("head")
    if own_layer is not None and layer is not None and own_layer != layer:
        return f"layer {own_layer + 1}"
    if own_head is not None and head is not None and own_head != head:
        return f"head {own_head + 1}"
    return ""


def scores_stand_by_their_tokens(view: View) -> Iterator[str]:
    """Each line of a grid of scores stands under or beside the label of its own token."""
    visible = {id(part.mobject) for part in view.parts}
    labels = [
        (each.position, view.edges(_box(each)))
        for each, _ in view.family
        if isinstance(each, TokenBox) and id(each.token) in visible
    ]
    for matrix in view.matrices:
        if getattr(matrix, "labelled", False):
            yield from _label_faults(view, matrix, labels)


def _box(mobject: Any) -> tuple[float, float, float, float]:
    (left, bottom), (right, top) = mobject.get_corner((-1, -1, 0))[:2], mobject.get_corner((1, 1, 0))[:2]
    return left, bottom, right, top


def _label_faults(view: View, matrix: NumberMatrix, labels: list) -> Iterator[str]:
    """Of the labels beside a row (or over a column), one must be the row's (or column's) own token."""
    tokens = view.scene.trace.spec.tokens
    box = view.edges(_box(matrix.anchor))
    lines = {1: list(matrix.grid), 0: list(zip(*matrix.grid, strict=True))}
    for axis, name in ((1, matrix.down), (0, matrix.across)):
        low, high = box[axis], box[axis + 2]
        step = (high - low) / len(lines[axis])
        outside = [
            (position, (edges[axis] + edges[axis + 2]) / 2)
            for position, edges in labels
            if edges[3 - axis] <= box[1 - axis] + 0.05 or edges[1 - axis] >= box[3 - axis] - 0.05
        ]
        for number, line in enumerate(lines[axis]):
            cell = next((cell for cell in line if cell is not None), None)
            start = low + number * step
            beside = {position for position, middle in outside if start < middle < start + step}
            if cell is None or not beside or cell.at(name) in beside:
                continue
            word = tokens[min(beside)]
            yield f"{view.address(cell)} stands at the label of {word}"
            return
