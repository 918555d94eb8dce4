"""The names of axes, the only ones that a traced quantity may have.

Counted from 0 in code and from 1 wherever a person reads or types.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Axis:
    """`name` as used in code, `meaning` in words, `letter` as used in formulas."""

    name: str
    meaning: str
    letter: str


AXES: dict[str, Axis] = {
    axis.name: axis
    for axis in (
        Axis("batch", "independent sequences computed together", "b"),
        Axis("position", "place of a token in the sequence", "p"),
        Axis("query", "position that asks", "i"),
        Axis("key", "position that is asked", "j"),
        Axis("head", "attention head of a layer", "h"),
        Axis("d_model", "entry of a token's vector", "m"),
        Axis("d_head", "entry of a query, key or value vector", "d"),
        Axis("d_mlp", "hidden unit of the feed-forward block", "f"),
        Axis("vocab", "token of the vocabulary", "w"),
        Axis("concat", "entry of the heads' results laid end to end, head · d_head long", "c"),
    )
}

TOKEN_AXES: frozenset[str] = frozenset({"position", "query", "key"})
