"""A row of a ledger as the sentences read it."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from transformer_core.cell import Cell
from transformer_core.display import show
from transformer_core.other_runs import split_run
from transformer_core.runs import unrolled
from transformer_core.stages import layer_of, stage_of


@dataclass(frozen=True)
class Place:
    """Where a number stands: quantity, further run or "", 0-based layer or None, 0-based places by axis."""

    name: str
    run: str
    layer: int | None
    index: Mapping[str, int]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Place:
        """The place that a row, or a part of an expression, names."""
        run, name = split_run(data["name"])
        return cls(name, run.key if run else "", layer_of(name), data.get("index", {}))

    def but(self, *axes: str) -> tuple[Hashable, ...]:
        """What tells this place from others, those axes aside."""
        rest = tuple((axis, place) for axis, place in self.index.items() if axis not in axes)
        return self.name, self.run, rest


@dataclass(frozen=True)
class Row:
    """One number: its place, its text, its value, how it was derived.

    `channel` is what carries it where it is drawn without digits; `spoken`: a caption or alt text quotes it.
    """

    place: Place
    text: str
    kind: str
    value: float
    formula: str = ""
    expression: Mapping[str, Any] | None = field(default=None, repr=False)
    channel: str = ""
    spoken: bool = False

    @property
    def name(self) -> str:
        """The quantity, without a run's prefix."""
        return self.place.name

    @property
    def index(self) -> Mapping[str, int]:
        """0-based places by axis."""
        return self.place.index

    @property
    def digits_of(self) -> str:
        """The key of the stage whose digits these are; empty for what is derived or drawn without digits."""
        return "" if self.channel or self.name.startswith("derived.") else stage_of(self.name).key

    @cached_property
    def key(self) -> Hashable:
        """What tells the number from others, however it is shown."""
        made = json.dumps(self.expression, sort_keys=True) if self.expression else ""
        return self.place.but(), made

    @cached_property
    def about(self) -> Hashable:
        """What tells the numbers that belong in one sentence from others: one token's weights, one guess's words."""
        return self.place.but("key", "vocab"), self.formula

    @property
    def symbol(self) -> str:
        """The letters that stand for the quantity in formulas."""
        return self.formula if self.name.startswith("derived.") else stage_of(self.name).symbol

    @property
    def parents(self) -> tuple[Mapping[str, Any], ...]:
        """The expressions that a derived number was made from, each cell by itself."""
        given = (self.expression or {}).get("parents", ())
        return tuple(single for parent in given for single in unrolled(parent))

    @cached_property
    def sources(self) -> tuple[Place, ...]:
        """The places that a derived number was made from."""
        return tuple(map(Place.of, self.parents))


def rows_of(data: Mapping[str, Any], beat: str) -> Iterator[Row]:
    """The rows of one beat: numbers as they come on screen, those that are quoted, then what is drawn.

    What was made from other numbers comes behind them.
    """
    numbers = [row for row in data["numbers"] if row["beat"] == beat]
    numbers.sort(key=lambda row: (row["name"].startswith("derived."), row["time_in"]))
    yield from map(_written, numbers)
    yield from (replace(_written(row), spoken=True) for row in data["quoted"] if row["beat"] == beat)
    for row in data["encodings"]:
        if row["beat"] == beat:
            yield _drawn(row)


def _written(row: Mapping[str, Any]) -> Row:
    value = float.fromhex(row["hex"])
    return Row(Place.of(row), row["text"], row["kind"], value, row.get("formula", ""), row.get("expression"))


def _drawn(row: Mapping[str, Any]) -> Row:
    value, expression = float.fromhex(row["hex"]), row.get("expression")
    shown = show(Cell(row["name"], tuple(row["index"].items()), value, ""))
    formula = expression["formula"] if expression else ""
    return Row(Place.of(row), shown.text, shown.kind, value, formula, expression, row["channel"])
