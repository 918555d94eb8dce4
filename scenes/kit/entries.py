"""A vector goes to another place entry by entry: it lies down, or one vector's entries come out of another's."""

from __future__ import annotations

from manim import LaggedStart

from scenes.kit.carry import carry
from scenes.kit.matrix import NumberMatrix


class Entries:
    """The entries of ``new``, each of them starting at the entry of ``old`` with the same number.

    ``parts`` are on stage while they travel; the scene puts ``new`` in their place afterwards.
    """

    def __init__(self, old: NumberMatrix, new: NumberMatrix) -> None:
        self.old, self.parts = old, pieces(new)

    def travel(self, *, run_time: float, lag: float = 0.12) -> LaggedStart:
        """One after another along the reading direction; the old ones stay."""
        pairs = zip(pieces(self.old), self.parts, strict=True)
        return LaggedStart(*(carry(old, new, leave=True) for old, new in pairs), lag_ratio=lag, run_time=run_time)


def pieces(vector: NumberMatrix) -> list[NumberMatrix]:
    """The entries of a standing or lying vector, from its first to its last, each on its place."""
    if vector.columns == 1:
        return [vector.part(rows=slice(i, i + 1), brackets=False) for i in range(vector.rows)]
    return [vector.part(columns=slice(i, i + 1), brackets=False) for i in range(vector.columns)]
