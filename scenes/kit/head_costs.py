"""What attention costs when one width is cut into more and more heads: weights, multiplications, grid cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from transformer_core import derive
from transformer_core.trace import Cell, Trace

PROJECTIONS = 3
"""W_Q, W_K and W_V; W_O comes back from them."""


@dataclass(frozen=True)
class HeadCost:
    """One way to cut the width h · d_head: the counts of one layer's attention, for the sentence of the trace."""

    heads: int
    d_head: int
    weights: Cell
    products: Cell
    grid_cells: Cell


def head_costs(trace: Trace) -> tuple[HeadCost, ...]:
    """The costs for one head of the whole width, for the powers of two that divide the model's h, and for h.

    With w = h · d_head and n tokens: weights 4 d_model w (and 3 w + d_model biases where the model has them),
    multiplications 4 n d_model w + 2 n² w with no cell of a grid left out, grid cells h n².
    """
    config = trace.spec.config
    width = config.head_count * config.d_head
    cuts = [2**power for power in range(config.head_count.bit_length()) if config.head_count % 2**power == 0]
    return tuple(_cost(trace, heads, width // heads) for heads in sorted({*cuts, config.head_count}))


def _cost(trace: Trace, heads: int, d_head: int) -> HeadCost:
    config, tokens = trace.spec.config, len(trace.spec.ids)
    weights = _times(trace, PROJECTIONS + 1, config.d_model, heads, d_head)
    if config.attention_bias:
        biases = _times(trace, PROJECTIONS, heads, d_head)
        weights = derive.sum_of([weights, biases, derive.constant(trace, config.d_model)])
    projected = _times(trace, PROJECTIONS + 1, tokens, config.d_model, heads, d_head)
    compared = _times(trace, 2, tokens, tokens, heads, d_head)
    return HeadCost(
        heads=heads,
        d_head=d_head,
        weights=weights,
        products=derive.sum_of([projected, compared]),
        grid_cells=grid_cells(trace, heads),
    )


def grid_cells(trace: Trace, heads: int) -> Cell:
    """h n²: how many weights so many heads have to keep for the sentence of the trace."""
    tokens = len(trace.spec.ids)
    return _times(trace, heads, tokens, tokens)


def _times(trace: Trace, *factors: int) -> Cell:
    return reduce(derive.product, (derive.constant(trace, factor) for factor in factors))
