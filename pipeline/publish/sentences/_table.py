"""A small table between sentences."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """`title` says what stands in it; `head` names the columns, the first of which names the rows."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block = str | Table
"""A sentence, or a table."""
