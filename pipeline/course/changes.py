"""Which shown numbers another trace changes, and by how much."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from pipeline.course.digest import digest
from pipeline.publish.verify import cell_of, compare
from transformer_core.address import format_address
from transformer_core.errors import InputError
from transformer_core.trace import Trace


@dataclass(frozen=True)
class Change:
    """A shown number: its address, its text then and now, and how far its value moved."""

    address: str
    then: str
    now: str
    distance: float

    def __str__(self) -> str:
        return f"{self.address} {self.then} → {self.now}"


def digit_changes(record: Mapping[str, Any], trace: Trace) -> list[Change]:
    """The numbers on screen or in captions whose text is another in this trace, largest change first."""
    found = []
    for row in _once(_texts(record)):
        difference, distance = compare(row, trace, identical=False)
        if difference:
            found.append(Change(row["address"], row["text"], difference.now, distance))
    return sorted(found, key=lambda change: (-change.distance, change.address))


def picture_changes(before: Mapping[str, Any], after: Mapping[str, Any], trace: Trace) -> list[Change]:
    """What is drawn to another size, or shown in one run only: for pictures that differ though no digit does."""
    found = []
    sizes = {_place(row): row for row in before["encodings"]}
    for row in _once(after["encodings"]):
        then = sizes.get(_place(row))
        if then and round(then["drawn"], 3) != round(row["drawn"], 3):
            distance = abs(float.fromhex(then["hex"]) - float.fromhex(row["hex"]))
            found.append(Change(_address(row, trace), f"{then['drawn']:.3f}", f"{row['drawn']:.3f}", distance))
    shown_before = {(row["beat"], row["address"]): row for row in _texts(before)}
    shown_after = {(row["beat"], row["address"]): row for row in _texts(after)}
    for key in sorted(shown_before.keys() ^ shown_after.keys()):
        then, now = (rows[key]["text"] if key in rows else "not shown" for rows in (shown_before, shown_after))
        found.append(Change(key[1], then, now, 0.0))
    return sorted(found, key=lambda change: (-change.distance, change.address))


def text_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """The numbers that two records show under one address as other texts, largest change first."""
    then = {row["address"]: row for row in _texts(before)}
    found = {}
    for row in _texts(after):
        old = then.get(row["address"])
        if old and old["text"] != row["text"]:
            distance = abs(_value(row) - _value(old))
            found[row["address"]] = Change(row["address"], old["text"], row["text"], distance)
    return sorted(found.values(), key=lambda change: (-change.distance, change.address))


def _value(row: Mapping[str, Any]) -> float:
    value = float.fromhex(row["hex"])
    return value if isfinite(value) else 0.0


def look_changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    """The beats whose pictures differ, where no number on screen tells why: an equals sign that is one no more."""
    beats = [beat for beat in {**before, **after} if before.get(beat) != after.get(beat)]
    return [Change(f"beat {beat}", "as drawn", "drawn otherwise", 0.0) for beat in beats]


def reads_digest(trace: Trace, quantities: Iterable[str], brief: Mapping[str, Any]) -> str:
    """The digest of what a scene read: its brief, these quantities, and what the trace says of itself.

    The hash of the weights and the versions, which no scene shows, are left out.

    Empty where it is not known what the scene read, or where the trace lacks a quantity.
    """
    names = sorted(quantities)
    if not names or not set(names) <= set(trace.names()):
        return ""
    about = json.loads(trace.spec.to_json())
    spec = {key: value for key, value in about.items() if key not in ("weights_hash", "versions")}
    arrays = {name: hashlib.sha256(trace.array(name).tobytes()).hexdigest() for name in names}
    return digest([spec, arrays, dict(brief)])


def _texts(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from record["numbers"]
    for beat in record["beats"]:
        for quoted in beat["quoted"]:
            yield {"beat": beat["name"], "text": quoted["text"], "kind": quoted["kind"], **quoted["cell"]}


def _once(rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Each number once, however often it is shown."""
    seen = set()
    for row in rows:
        key = (row.get("text"), *_place(row)[1:])
        if key not in seen:
            seen.add(key)
            yield row


def _place(row: Mapping[str, Any]) -> tuple[str, ...]:
    index, expression = row["index"], row.get("expression")
    told = json.dumps([index, expression or row.get("formula", "")], sort_keys=True)
    return row["beat"], row.get("channel", ""), row.get("scale", ""), row["name"], told


def _address(row: Mapping[str, Any], trace: Trace) -> str:
    try:
        return f"{format_address(cell_of(row, trace), trace.spec)}, drawn as {row['channel']},"
    except (InputError, KeyError, ValueError, ZeroDivisionError):
        return f"{row['name']}, drawn as {row['channel']},"
