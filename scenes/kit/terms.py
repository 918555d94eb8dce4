"""The terms of a weighted sum: weight × value for each key that a token sees, the small ones as one."""

from __future__ import annotations

from dataclasses import dataclass

from transformer_core import derive
from transformer_core.trace import Cell, Trace

SHOWN = 5
"""So many keys have a term of their own."""


@dataclass(frozen=True)
class Term:
    """One addend of z: its keys, weight, value vector (``None`` for several keys) and weighted value."""

    keys: tuple[int, ...]
    weight: Cell
    value: tuple[Cell, ...] | None
    weighted: tuple[Cell, ...]

    @property
    def rest(self) -> bool:
        """Whether the term stands for the keys that are not shown one by one."""
        return self.value is None


@dataclass(frozen=True)
class WeightedTerms:
    """Σ_j A[query, j] V_j = z for one token and head, in the order of the sentence."""

    terms: tuple[Term, ...]
    total: tuple[Cell, ...]
    weight_sum: Cell
    masked: tuple[Cell, ...]


def weighted_terms(trace: Trace, *, layer: int, head: int, query: int, shown: int = SHOWN) -> WeightedTerms:
    """The terms of z: at most ``shown`` keys (the largest weights, in their order), one for the rest."""
    name = f"blocks.{layer}.attn"
    weights = list(trace.cells(f"{name}.pattern", head=head, query=query))
    visible = [key for key, cell in enumerate(weights) if not cell.masked]
    largest = sorted(visible, key=lambda key: -weights[key].value)[:shown]
    products = {key: derive.weighted_value(trace, layer=layer, head=head, query=query, key=key) for key in visible}
    terms = [
        Term((key,), weights[key], tuple(trace.cells(f"{name}.value", head=head, key=key)), products[key])
        for key in sorted(largest)
    ]
    rest = tuple(key for key in visible if key not in largest)
    if rest:
        summed = tuple(derive.sum_of(column) for column in zip(*(products[key] for key in rest), strict=True))
        terms.append(Term(rest, derive.sum_of([weights[key] for key in rest]), None, summed))
    return WeightedTerms(
        terms=tuple(terms),
        total=tuple(trace.cells(f"{name}.z", head=head, query=query)),
        weight_sum=derive.sum_of([weights[key] for key in visible]),
        masked=tuple(cell for cell in weights if cell.masked),
    )
