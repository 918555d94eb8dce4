"""What several heads cost: weights, multiplications and cells of the grids, by the number of heads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipeline.publish.sentences._derived import is_derived
from pipeline.publish.sentences._groups import grouped
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block

MATRICES = 4
"""W_Q, W_K, W_V and W_O."""


class HeadCosts:
    """Fixed numbers multiplied and added up: by what they count where that is clear, else as arithmetic."""

    def takes(self, row: Row) -> bool:
        """Digits that are made of fixed numbers alone."""
        return (is_derived(row, "product") or is_derived(row, "sum")) and bool(_terms(row.expression or {}))

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence for each number of heads."""
        for alike in grouped(rows, lambda row: _heads(row, speech)):
            heads = _heads(alike[0], speech)
            if heads is None:
                yield from (_arithmetic(row, speech) for row in alike)
                continue
            parts = [f"{row.text} {speech.say(*_counted(row))}" for row in alike]
            yield speech.say(f"With h = {heads}: {', '.join(parts)}.", f"h = {heads} 时：{'，'.join(parts)}。")


def _terms(expression: Mapping[str, Any]) -> list[list[int]]:
    """The factors of each term, [] where a factor is no fixed whole number."""
    if expression["name"] == "derived.sum":
        parts = [_terms(parent) for parent in expression["parents"]]
        return [part[0] for part in parts] if all(len(part) == 1 for part in parts) else []
    if expression["name"] == "derived.constant":
        value = float(expression["formula"])
        return [[int(value)]] if value.is_integer() else []
    if expression["name"] != "derived.product":
        return []
    factors: list[int] = []
    for parent in expression["parents"]:
        part = _terms(parent)
        if len(part) != 1:
            return []
        factors += part[0]
    return [factors]


def _heads(row: Row, speech: Speech) -> int | None:
    """The number of heads that a count is for; None where it counts something else."""
    terms, tokens, width = _terms(row.expression or {}), len(speech.tokens), speech.config.get("d_model", 0)
    first = terms[0]
    if len(terms) == 1 and len(first) == 3 and first[1:] == [tokens, tokens]:
        return first[0]
    inner = first[1:] if len(terms) == 2 and first[1:2] == [tokens] else first
    if first[0] == MATRICES and len(inner) == 4 and inner[1] == width == inner[2] * inner[3]:
        return inner[2]
    return None


def _counted(row: Row) -> tuple[str, str]:
    terms = _terms(row.expression or {})
    if len(terms) == 2:
        return "multiplications", "次乘法"
    return ("grid cells", "个格子") if len(terms[0]) == 3 else ("weights", "个参数")


def _arithmetic(row: Row, speech: Speech) -> str:
    sign = "=" if row.kind == "exact" else "≈"
    made = " + ".join(" · ".join(map(str, term)) for term in _terms(row.expression or {}))
    return f"{made} {sign} {row.text}{speech.say('.', '。')}"


QUANTITY = HeadCosts()
