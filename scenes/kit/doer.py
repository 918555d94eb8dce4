"""Who does it: what a word is in each of two sentences, and whom the model names when it is asked."""

from __future__ import annotations

from collections.abc import Mapping

from scenes.kit.pair import Pair
from transformer_core.trace import Trace

VERB = 1
"""The place of the verb in a clause of three words."""


def roles_of(pair: Pair) -> Mapping[tuple[str, str], str]:
    """What the followed word is in the ("first" or "second") sentence, by language.

    Told by the model's card, where it knows the verb of a clause of three words; else nothing.
    """
    tokens, told = pair.trace.spec.tokens, pair.trace.spec.card.get("roles", {})
    if len(tokens) != 3 or tokens[VERB] not in told or pair.followed == VERB or pair.order != (2, 1, 0):
        return {}
    sides = (0, 1) if pair.followed == 0 else (1, 0)
    return {
        (who, language): told[tokens[VERB]][language][side]
        for who, side in zip(("first", "second"), sides, strict=True)
        for language in ("en", "zh")
    }


def answers_of(trace: Trace) -> tuple[str, str] | None:
    """The likeliest word at the verb in each order; None unless positions, and only they, make both right."""
    found = []
    for run in ("", "reordered.", "unplaced.", "unplaced_reordered."):
        cells = list(trace.cells(f"{run}probabilities", position=VERB))
        found.append(trace.spec.vocabulary[max(cells, key=lambda cell: cell.value).at("vocab")])
    tokens = trace.spec.tokens
    right = found[:2] == [tokens[0], tokens[2]] and found[2] == found[3]
    return (found[0], found[1]) if right else None
