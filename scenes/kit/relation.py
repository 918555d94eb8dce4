"""What a model's card says of heads that look where a relation asks: read, never asserted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from scenes.kit.texts import Field
from transformer_core import derive
from transformer_core.trace import Cell, Trace

PREFIX = "relation."
MOST = 0.5
"""A weight above this is most of what its word gives."""

_NEEDED = {"layer", "head", "at", "on", "mean", "n", "baseline", "offset", "first_of_kind", "all_heads"}


@dataclass(frozen=True)
class Relation:
    """One claim ``relation.<kind>``: at words of the group ``at`` this head's weight is on one of the group ``on``.

    ``target`` is the name of that group. ``share`` is the mean weight on the right word over ``count`` places of
    unseen sentences; ``fixed`` and ``first`` what one gets there by always looking ``offset`` words back, or at the
    first word of the group; ``other`` the next best head (from 0) and its share, or None for a model of one head.
    All are numbers of the card.
    """

    kind: str
    layer: int
    head: int
    at: frozenset[str]
    on: frozenset[str]
    target: str
    share: Cell
    count: Cell
    offset: Cell
    fixed: Cell
    first: Cell
    other: tuple[int, Cell] | None

    @property
    def beats_counting(self) -> bool:
        """Whether the head does better than any fixed number of words back, by more than a tenth."""
        return self.share.value > self.fixed.value + 0.1

    @property
    def first_as_good(self) -> bool:
        """Whether always looking at the first word of the group does as well as the head, but for rounding."""
        return self.first.value > self.share.value - 0.02

    @property
    def other_as_good(self) -> bool:
        """Whether the next best head does about as well."""
        return self.other is not None and self.other[1].value > self.share.value - 0.05

    def links(self, cell: Cell, tokens: Sequence[str]) -> bool:
        """Whether most of a word's weight goes from one that asks in this relation to one that may answer."""
        return cell.value > MOST and tokens[cell.at("query")] in self.at and tokens[cell.at("key")] in self.on


def relations_of(trace: Trace) -> tuple[Relation, ...]:
    """The relations that the card claims of heads, in its order; none for a card without such claims."""
    claims = trace.spec.card.get("claims", ())
    found = enumerate(claims if isinstance(claims, Sequence) else ())
    return tuple(_relation(trace, place, claim) for place, claim in found if _is_relation(trace, claim))


def _is_relation(trace: Trace, claim: Any) -> bool:
    """Whether a claim is of a head that the model has, and says all that a relation needs."""
    named = isinstance(claim, Mapping) and str(claim.get("id", "")).startswith(PREFIX)
    if not named or not claim.keys() >= _NEEDED:
        return False
    config = trace.spec.config
    return claim["layer"] in range(config.layer_count) and claim["head"] in range(config.head_count)


def _relation(trace: Trace, place: int, claim: Mapping[str, Any]) -> Relation:
    def number(path: str) -> Cell:
        return derive.card_number(trace, f"claims.{place}.{path}")

    layer, head = claim["layer"], claim["head"]
    others = [each for each in range(len(claim["all_heads"][layer])) if each != head]
    shares = {each: number(f"all_heads.{layer}.{each}") for each in others}
    best = max(others, key=lambda each: shares[each].value, default=None)
    return Relation(
        kind=claim["id"].removeprefix(PREFIX),
        layer=layer,
        head=head,
        at=_words(trace, claim["at"]),
        on=_words(trace, claim["on"]),
        target=claim["on"],
        share=number("mean"),
        count=number("n"),
        offset=number("offset"),
        fixed=number("baseline"),
        first=number("first_of_kind"),
        other=None if best is None else (best, shares[best]),
    )


def _words(trace: Trace, group: str) -> frozenset[str]:
    languages = trace.spec.card.get("word_groups", {}).get(group, {})
    return frozenset(word for words in languages.values() for word in words)


def different_heads(trace: Trace, layer: int, *, count: int = 3) -> tuple[int, ...]:
    """The heads (from 0) of a layer whose patterns lie farthest apart, by summed absolute difference; all if few."""
    patterns = trace.array(f"blocks.{layer}.attn.pattern")
    heads = range(len(patterns))
    apart = np.abs(patterns[:, None] - patterns[None]).sum(axis=(2, 3))
    chosen = combinations(heads, min(count, len(heads)))
    return max(chosen, key=lambda several: sum(apart[one, two] for one, two in combinations(several, 2)))


def told(relations: Sequence[Relation], kind: str = "subject") -> Relation | None:
    """The relation that captions tell most of: that of a verb and its subject; or another kind."""
    return next((each for each in relations if each.kind == kind), None)


def relation_fields(relations: Sequence[Relation], layer: int) -> dict[str, Field]:
    """What captions may quote: how many heads of the layer have a name, and the numbers of the one that is told of."""
    named = {"n_named": _named(relations, layer), **_referent_fields(told(relations, "referent"))}
    one = told(relations)
    if one is None:
        return named | dict.fromkeys(("told_head", "n", "share", "offset", "baseline", "first_noun"), "–")
    return named | {
        "told_head": one.head + 1,
        "n": one.count,
        "share": one.share,
        "offset": one.offset,
        "baseline": one.fixed,
        "first_noun": one.first,
    }


def _referent_fields(one: Relation | None) -> dict[str, Field]:
    other, share = (one.other if one else None) or (None, None)
    return {
        "referent_head": "–" if one is None else one.head + 1,
        "referent_share": "–" if one is None else one.share,
        "other_head": "–" if other is None else other + 1,
        "other_share": "–" if share is None else share,
    }


def relation_facts(relations: Sequence[Relation], layer: int, heads: int) -> dict[str, bool]:
    """Which caption variants hold, by what the card claims of heads; ``heads`` is how many the layer has."""
    one, named = told(relations), _named(relations, layer)
    pronoun = told(relations, "referent")
    return {
        "several": heads > 1,
        "some_named": 0 < named < heads,
        "nameless": named == 0 and heads > 1,
        "measured": bool(relations),
        "unmeasured": not relations and heads > 1,
        "subject": one is not None,
        "beats_counting": one is not None and one.beats_counting,
        "first_as_good": one is not None and one.first_as_good,
        "referent_alone": pronoun is not None and not pronoun.other_as_good,
        "referent_shared": pronoun is not None and pronoun.other_as_good,
    }


def _named(relations: Sequence[Relation], layer: int) -> int:
    return len({each.head for each in relations if each.layer == layer})
