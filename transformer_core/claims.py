"""Of which head a model's card claims something: where a scene that is about such a head starts."""

from collections.abc import Mapping
from typing import Any


def claimed_head(card: Mapping[str, Any], claim: str, *, layer: int) -> int:
    """The head (from 0) of a layer (from 0) of which the card has the claim `claim`; 0 where it has none."""
    for each in card.get("claims", ()):
        if each.get("id") == claim and each.get("layer") == layer and isinstance(each.get("head"), int):
            return each["head"]
    return 0
