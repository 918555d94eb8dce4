"""Further runs of one model on one prompt's tokens, kept in the same trace under a prefix of their own.

A trace with an `order` holds, beside the prompt's run, these: the same tokens in that order, the prompt with
the positions left out, and both. `unplaced.blocks.0.attn.out` is the attention's ΔE without positions.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """`key` is the prefix of its quantities; `reordered`: tokens in the other order; `placed`: positions added."""

    key: str
    reordered: bool
    placed: bool


RUNS: dict[str, Run] = {
    run.key: run
    for run in (
        Run("reordered", reordered=True, placed=True),
        Run("unplaced", reordered=False, placed=False),
        Run("unplaced_reordered", reordered=True, placed=False),
    )
}


def split_run(name: str) -> tuple[Run | None, str]:
    """The run that a quantity's name belongs to, None for the prompt's own, and the name without its prefix."""
    first, _, rest = name.partition(".")
    return (RUNS[first], rest) if rest and first in RUNS else (None, name)


def run_name(run: str, name: str) -> str:
    """The name of a quantity in a run; `run` is empty for the prompt's own."""
    return f"{run}.{name}" if run else name


def reordered(items: tuple, order: tuple[int, ...]) -> tuple:
    """The items in the other order: place i holds item order[i]."""
    return tuple(items[place] for place in order)
