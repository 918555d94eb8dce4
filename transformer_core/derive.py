"""Numbers that a scene wants and that are no raw stage: cells made from cells, with formula and parents.

Each is a pure function of its parents' float64 values, so it can be computed again from another trace
(`expression`, `evaluate`). Sums are correctly rounded (`math.fsum`), hence the same in any order.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from transformer_core.cell import Cell
from transformer_core.operations import OPERATIONS
from transformer_core.runs import runs, unrolled
from transformer_core.stages import stage_of
from transformer_core.trace import Trace

_OF = " of "
"""Between a card's path and the companion whose card it is."""


def product(left: Cell, right: Cell) -> Cell:
    """left · right."""
    return _make("product", (left, right), f"{_symbol(left)} · {_symbol(right)}")


def difference(left: Cell, right: Cell) -> Cell:
    """left − right."""
    return _make("difference", (left, right), f"{_symbol(left)} − {_symbol(right)}")


def ratio(left: Cell, right: Cell) -> Cell:
    """left / right. Raises ZeroDivisionError where right is 0."""
    return _make("ratio", (left, right), f"{_symbol(left)} / {_symbol(right)}")


def exponential(cell: Cell) -> Cell:
    """exp(cell)."""
    return _make("exponential", (cell,), f"exp({_symbol(cell)})")


def sum_of(cells: Sequence[Cell]) -> Cell:
    """Σ cells. Raises ValueError for none."""
    return _make("sum", tuple(cells), f"Σ {_symbol(cells[0]) if cells else ''}")


def mean_of(cells: Sequence[Cell]) -> Cell:
    """Σ cells / n. Raises ValueError for none."""
    return _make("mean", tuple(cells), f"Σ {_symbol(cells[0]) if cells else ''} / n")


def rest_sum(cells: Sequence[Cell], *, shown: Sequence[Cell]) -> Cell:
    """Σ of the cells that are not shown: what an elision ("… 12 more, +0.83") stands for.

    Raises ValueError when a shown cell is not among them, or when none is left.
    """
    left_out = set(shown)
    if not left_out <= set(cells):
        raise ValueError("a shown cell is not one of the cells")
    return sum_of([cell for cell in cells if cell not in left_out])


def dot(left: Sequence[Cell], right: Sequence[Cell]) -> Cell:
    """left · right = Σ_k left_k right_k for vectors of one length."""
    return _make("dot", _pair(left, right), f"{_symbol(left[0])} · {_symbol(right[0])}")


def dot_terms(left: Sequence[Cell], right: Sequence[Cell]) -> tuple[Cell, ...]:
    """The products whose sum is left · right, one for each entry."""
    return tuple(product(a, b) for a, b in zip(left, right, strict=True))


def norm(cells: Sequence[Cell]) -> Cell:
    """‖x‖ = √Σ x²."""
    return _make("norm", tuple(cells), f"‖{_symbol(cells[0])}‖")


def distance(left: Sequence[Cell], right: Sequence[Cell]) -> Cell:
    """‖left − right‖ = √Σ (left − right)²; exactly 0 for vectors that are the same to the last bit."""
    return _make("distance", _pair(left, right), f"‖{_symbol(left[0])} − {_symbol(right[0])}‖")


def negative(cell: Cell) -> Cell:
    """−cell."""
    return _make("negative", (cell,), f"−{_symbol(cell)}")


def cosine(left: Sequence[Cell], right: Sequence[Cell]) -> Cell:
    """left · right / (‖left‖ ‖right‖). Raises ZeroDivisionError for a vector of zeros."""
    return _make("cosine", _pair(left, right), f"cos({_symbol(left[0])}, {_symbol(right[0])})")


def along(left: Sequence[Cell], right: Sequence[Cell]) -> Cell:
    """left · right / ‖right‖: the part of left in right's direction. ZeroDivisionError for right = 0."""
    one, two = _symbol(left[0]), _symbol(right[0])
    return _make("along", _pair(left, right), f"{one} · {two} / ‖{two}‖")


def across(left: Sequence[Cell], right: Sequence[Cell]) -> Cell:
    """‖left − (left · right / ‖right‖²) right‖: the part of left at a right angle to right.

    Raises ZeroDivisionError for right = 0.
    """
    return _make("across", _pair(left, right), f"‖{_symbol(left[0])} ⟂ {_symbol(right[0])}‖")


def entropy(cells: Sequence[Cell]) -> Cell:
    """−Σ p ln p in nats over shares that sum to 1; 0 ln 0 is 0."""
    return _make("entropy", tuple(cells), f"−Σ {_symbol(cells[0])} ln {_symbol(cells[0])}")


def constant(trace: Trace, value: float) -> Cell:
    """A fixed number that a formula names, such as a temperature, to stand among the parents of a cell."""
    return Cell("derived.constant", (), float(value), trace.digest[:16], repr(float(value)))


def sinusoid(trace: Trace, *, position: int, entry: int) -> Cell:
    """PE[p, m] by its formula, for positions beyond the trace's table: see `positions.sinusoidal`."""
    parents = tuple(constant(trace, value) for value in (position, entry, trace.spec.config.d_model, 10_000))
    return _make("sinusoid", parents, f"PE[{position}, {entry}]")


def tempered(logits: Sequence[Cell], *, own: Sequence[Cell], temperature: Cell) -> Cell:
    """Σ_own exp(l / T) / Σ_all exp(l / T): the probability of some words at a temperature above 0.

    Raises ValueError when one of `own` is not among the logits, ZeroDivisionError for T = 0.
    """
    chosen = set(own)
    if not own or not chosen <= set(logits):
        raise ValueError("a word's logit is not one of the logits")
    others = [cell for cell in logits if cell not in chosen]
    count = Cell("derived.constant", (), float(len(own)), temperature.digest, repr(float(len(own))))
    return _make("tempered", (temperature, count, *own, *others), f"Σ exp(l / {temperature.value:g}) / Σ_all")


def top_k(cells: Sequence[Cell], *, count: int) -> tuple[Cell, ...]:
    """The largest cells themselves, largest first; equal ones keep their order."""
    return tuple(sorted(cells, key=lambda cell: -cell.value)[:count])


def vector(trace: Trace, name: str, **index: int) -> tuple[Cell, ...]:
    """The cells of one quantity in order, all axes that are not given running."""
    return tuple(trace.cells(name, **index))


def projection_terms(trace: Trace, *, layer: int, head: int, role: str, position: int, entry: int) -> tuple[Cell, ...]:
    """E[m] · W[m, d] for each m: with b[d], where there is one, they sum to entry d of a token's Q, K or V.

    `role` is "query", "key" or "value".
    """
    weight = f"blocks.{layer}.attn.W_{role[0].upper()}"
    return dot_terms(
        vector(trace, f"blocks.{layer}.attn.input", position=position),
        vector(trace, weight, head=head, d_head=entry),
    )


def score_terms(trace: Trace, *, layer: int, head: int, query: int, key: int) -> tuple[Cell, ...]:
    """q[d] · k[d] for each d: they sum to the raw score."""
    return dot_terms(
        vector(trace, f"blocks.{layer}.attn.query", head=head, query=query),
        vector(trace, f"blocks.{layer}.attn.key", head=head, key=key),
    )


def weighted_value(trace: Trace, *, layer: int, head: int, query: int, key: int) -> tuple[Cell, ...]:
    """A[query, key] · V[key, d] for each d: summed over the keys they are z."""
    weight = trace.cell(f"blocks.{layer}.attn.pattern", head=head, query=query, key=key)
    return tuple(product(weight, value) for value in trace.cells(f"blocks.{layer}.attn.value", head=head, key=key))


def sqrt_of_d_head(trace: Trace) -> Cell:
    """√d_head, by which the scores are divided."""
    value = math.sqrt(trace.spec.config.d_head)
    return Cell("derived.sqrt_of_d_head", (), value, trace.digest[:16], "√d_head")


def card_number(trace: Trace, path: str, *, of: str = "") -> Cell:
    """A number of the model's card: `claims.binding.mean`; `of` names a companion whose card is meant.

    In a list, an entry is found by its `id` or its place, from 0. Raises KeyError for a companion that the trace does
    not have and for a path that leads to no number.
    """
    found: Any = trace.spec.companions[of] if of else trace.spec.card
    for part in path.split("."):
        if isinstance(found, Mapping):
            found = found[part]
        elif not isinstance(found, (list, tuple)):
            raise KeyError(path)
        elif part.isdecimal() and int(part) < len(found):
            found = found[int(part)]
        else:
            named = [item for item in found if isinstance(item, Mapping) and item.get("id") == part]
            if not named:
                raise KeyError(path)
            found = named[0]
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise KeyError(path)
    return Cell("derived.card_number", (), float(found), trace.digest[:16], f"{path}{_OF}{of}" if of else path)


def expression(cell: Cell) -> dict[str, Any]:
    """How the cell came about, as JSON-able data that `evaluate` turns into a cell again."""
    if not cell.derived:
        return {"name": cell.name, "index": dict(cell.index)}
    parents = [
        {"name": first.name, "index": dict(first.index), "along": axis, "count": count} if axis else expression(first)
        for first, count, axis in runs(cell.parents)
    ]
    return {"name": cell.name, "formula": cell.formula, "parents": parents}


def evaluate(data: Mapping[str, Any], trace: Trace) -> Cell:
    """The cell that an expression stands for, computed from this trace.

    Raises KeyError for an unknown operation and InputError for a place that the trace does not have.
    """
    name = data["name"]
    if not name.startswith("derived."):
        return trace.cell(name, **data["index"])
    operation = name.removeprefix("derived.")
    if operation == "sqrt_of_d_head":
        return sqrt_of_d_head(trace)
    if operation == "card_number":
        path, _, of = data["formula"].partition(_OF)
        return card_number(trace, path, of=of)
    if operation == "constant":
        return constant(trace, float(data["formula"]))
    parents = (evaluate(single, trace) for parent in data["parents"] for single in unrolled(parent))
    return _make(operation, tuple(parents), data["formula"])


def _make(operation: str, parents: tuple[Cell, ...], formula: str) -> Cell:
    if not parents:
        raise ValueError(f"{operation} of no cells")
    digests = {parent.digest for parent in parents}
    if len(digests) != 1:
        raise ValueError(f"{operation} of cells from different traces")
    value = float(OPERATIONS[operation]([parent.value for parent in parents]))
    return Cell(f"derived.{operation}", _agreed_index(parents), value, digests.pop(), formula, parents)


def _agreed_index(parents: Sequence[Cell]) -> tuple[tuple[str, int], ...]:
    """Each axis on which all parents that have it stand at the same place, in order of appearance."""
    places: dict[str, set[int]] = {}
    for parent in parents:
        for axis, place in parent.index:
            places.setdefault(axis, set()).add(place)
    return tuple((axis, min(found)) for axis, found in places.items() if len(found) == 1)


def _pair(left: Sequence[Cell], right: Sequence[Cell]) -> tuple[Cell, ...]:
    if len(left) != len(right):
        raise ValueError(f"vectors of {len(left)} and {len(right)} entries")
    return (*left, *right)


def _symbol(cell: Cell) -> str:
    return f"({cell.formula})" if cell.derived else stage_of(cell.name).symbol
