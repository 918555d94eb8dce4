"""Models that differ in their number of heads alone, as their cards tell of them: losses seed by seed, sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scenes.kit.texts import Field
from transformer_core import derive
from transformer_core.errors import CheckFailed
from transformer_core.trace import Cell, Trace


@dataclass(frozen=True)
class TrainedHeads:
    """One number of heads: sizes, and the loss on held-out sentences of every seed, in nats per word.

    ``floor`` is the loss there of the grammar that the sentences are drawn from, where the card has it.
    """

    name: str
    heads: int
    d_head: int
    d_model: int
    weights: Cell
    losses: tuple[Cell, ...]
    mean: Cell
    words: int
    floor: Cell | None


def trained_heads(trace: Trace, names: Sequence[str]) -> tuple[TrainedHeads, ...]:
    """What the cards of these companions say, by number of heads.

    Raises CheckFailed where they differ in d_model or weights, so that more than the heads would be compared.
    """
    found = sorted((_read(trace, name) for name in names), key=lambda each: each.heads)
    sizes = {(each.d_model, each.weights.value) for each in found}
    if len(sizes) > 1:
        raise CheckFailed(f"models {', '.join(names)}", "they differ in more than the number of heads")
    return tuple(found)


def _read(trace: Trace, name: str) -> TrainedHeads:
    validation = trace.spec.companions[name]["validation"]

    def number(path: str) -> Cell:
        return derive.card_number(trace, path, of=name)

    return TrainedHeads(
        name=name,
        heads=int(number("size.head_count").value),
        d_head=int(number("size.d_head").value),
        d_model=int(number("size.d_model").value),
        weights=number("size.weights"),
        losses=tuple(number(f"validation.losses.{place}") for place in range(len(validation["losses"]))),
        mean=number("validation.mean"),
        words=int(number("validation.n").value),
        floor=number("validation.floor") if "floor" in validation else None,
    )


def best_of(trained: Sequence[TrainedHeads]) -> TrainedHeads:
    """The one with the lowest mean loss; of equal ones the one with the fewest heads."""
    return min(trained, key=lambda each: (each.mean.value, each.heads))


def next_best_of(trained: Sequence[TrainedHeads]) -> TrainedHeads:
    """The one with the lowest mean loss but one; of a single one, that one."""
    best = best_of(trained)
    return best_of([each for each in trained if each is not best] or trained)


def apart(lower: TrainedHeads, higher: TrainedHeads) -> bool:
    """Whether every seed of the one has a lower loss than every seed of the other."""
    return max(cell.value for cell in lower.losses) < min(cell.value for cell in higher.losses)


def trained_fields(trained: Sequence[TrainedHeads]) -> Mapping[str, Field]:
    """What captions may quote of the comparison."""
    best = best_of(trained)
    return {
        "fewest": trained[0].heads,
        "most": trained[-1].heads,
        "best": best.heads,
        "next_best": next_best_of(trained).heads,
        "loss_best": best.mean,
        "loss_fewest": trained[0].mean,
        "trained_d_model": best.d_model,
        "trained_weights": best.weights,
        "trained_seeds": len(best.losses),
    }


def trained_facts(trained: Sequence[TrainedHeads]) -> Mapping[str, bool]:
    """What may be said beside which mean is the lowest: the first of three that no two seeds contradict.

    ``too_many``: the most heads do worse than the best number. ``several_win``: the fewest do. ``close``: neither.
    ``overlap``, whichever of these holds: some seed of the next best number does no worse than some of the best.
    """
    best, second = best_of(trained), next_best_of(trained)
    too_many, fewest_worse = apart(best, trained[-1]), apart(best, trained[0])
    return {
        "too_many": too_many,
        "several_win": fewest_worse and not too_many,
        "close": not too_many and not fewest_worse,
        "overlap": second is not best and not apart(best, second),
    }
