"""Rows that belong together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from pipeline.publish.sentences._row import Row


def grouped(rows: Sequence[Row], of: Callable[[Row], Hashable]) -> list[list[Row]]:
    """The rows in groups of one `of` each, in order of appearance."""
    groups: dict[Hashable, list[Row]] = {}
    for row in rows:
        groups.setdefault(of(row), []).append(row)
    return list(groups.values())


def largest_first(rows: Sequence[Row]) -> list[Row]:
    """Sorted by value; equal ones keep their order."""
    return sorted(rows, key=lambda row: -row.value)
