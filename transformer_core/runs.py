"""Neighbouring cells of one quantity written short: the first, along which axis, and how many."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from transformer_core.cell import Cell

SHORTEST = 3
"""Fewer neighbours are written one by one."""


def runs(cells: Sequence[Cell]) -> Iterator[tuple[Cell, int, str]]:
    """(first, count, axis) for each run of cells that differ by one step on one axis; axis "" for a single cell."""
    start = 0
    while start < len(cells):
        axis = _axis(cells[start], cells[start + 1]) if start + 1 < len(cells) else ""
        end = start + 1
        while axis and end < len(cells) and _axis(cells[end - 1], cells[end]) == axis:
            end += 1
        if end - start >= SHORTEST:
            yield cells[start], end - start, axis
            start = end
        else:
            yield cells[start], 1, ""
            start += 1


def unrolled(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The expressions of the single cells that one entry of an expression's parents stands for."""
    if "count" not in data:
        yield data
        return
    for step in range(data["count"]):
        index = dict(data["index"])
        index[data["along"]] += step
        yield {"name": data["name"], "index": index}


def _axis(left: Cell, right: Cell) -> str:
    """The axis on which right is the next place after left, all else equal; "" where there is none."""
    if left.derived or right.derived or left.name != right.name:
        return ""
    changed = [(axis, b - a) for (axis, a), (_, b) in zip(left.index, right.index, strict=True) if a != b]
    return changed[0][0] if len(changed) == 1 and changed[0][1] == 1 else ""
