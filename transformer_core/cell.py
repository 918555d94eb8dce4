"""One number with its address."""

from dataclasses import dataclass
from html import escape
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """A number of a trace, or one derived from such numbers.

    `name` is a stage's name, or `derived.…`; `index` are (axis, 0-based place) pairs in the stage's order;
    `value` is the float64 itself; `digest` the first 16 hex digits of the trace's digest; `formula` and
    `parents` say how a derived number came about. `masked` marks a place that the attention mask closed.

    A cell is a fact, not a quantity to compute with: no arithmetic, no order, no conversion. Sums and the
    like come from `transformer_core.derive`. Copies are the cell itself; cells with the same name, index,
    bits and formula are equal.
    """

    name: str
    index: tuple[tuple[str, int], ...]
    value: float
    digest: str
    formula: str = ""
    parents: tuple["Cell", ...] = ()
    masked: bool = False

    def at(self, axis: str) -> int:
        """The 0-based place on one axis. Raises KeyError when the cell has no such axis."""
        return dict(self.index)[axis]

    @property
    def derived(self) -> bool:
        """Whether the number comes from `derive` rather than straight from the forward pass."""
        return self.name.startswith("derived.")

    def _identity(self) -> tuple[Any, ...]:
        return (self.name, self.index, self.value.hex(), self.digest, self.formula, self.parents, self.masked)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Cell) and self._identity() == other._identity())

    def __hash__(self) -> int:
        return hash(self._identity())

    def __copy__(self) -> "Cell":
        return self

    def __deepcopy__(self, _memo: object) -> "Cell":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (
            Cell,
            (self.name, self.index, self.value, self.digest, self.formula, self.parents, self.masked),
        )

    def __bool__(self) -> bool:
        raise TypeError("a Cell is neither true nor false; look at cell.value")

    def _repr_html_(self) -> str:
        place = ", ".join(f"{axis} {number + 1}" for axis, number in self.index)
        address = f"{escape(self.name)}[{escape(place)}]"
        return f"<code>{address}</code> = <b>{self.value!r}</b> {escape(self.formula)}"
