"""Numbers made from whole vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.publish.sentences._row import Place, Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._vectors import ENTRIES, phrase_of, told

ORDERS = {("", "reordered"): "", ("unplaced", "unplaced_reordered"): "unplaced"}
"""Runs that differ by the order of the tokens, and the run whose name says what they have in common."""


def is_derived(row: Row, operation: str) -> bool:
    """Whether a row holds digits of that operation."""
    return not row.channel and row.name == f"derived.{operation}"


def of_one(row: Row, speech: Speech) -> str:
    """The vector that a number was made from, as a phrase; "" where it was made from something else."""
    return phrase_of(row.sources, speech)


def of_two(one: tuple[Place, ...], other: tuple[Place, ...], speech: Speech) -> str:
    """Two vectors as a phrase: `a and b`; "" where one is something else.

    One token's vectors in two orders of the same tokens are named together.
    """
    first, second = phrase_of(one, speech), phrase_of(other, speech)
    if not first or not second:
        return ""
    alike = ORDERS.get((one[0].run, other[0].run))
    if alike is not None:
        tokens = [speech.token(each[0].index["position"], each[0].run) for each in (one, other)]
        if tokens[0] == tokens[1] and one[0].name == other[0].name:
            named = phrase_of(tuple(replace(each, run=alike) for each in one), speech)
            return speech.say(f"{named} in one order and in the other", f"两种语序下{named}")
    if first == second:
        return speech.say(f"{first} and itself", speech.joined(first, "与它自己"))
    return speech.say(f"{first} and {second}", speech.joined(first, "与", second))


def halves(row: Row) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """The sources of a number that was made from two vectors of one length."""
    middle = len(row.sources) // 2
    return row.sources[:middle], row.sources[middle:]


def entry_by_entry(rows: Sequence[Row], speech: Speech) -> str:
    """Numbers of one formula that are the entries of a vector; "" for others."""
    if len(rows) < 2 or not all(set(row.index) & set(ENTRIES) for row in rows):
        return ""
    formula = rows[0].formula
    return told(speech.say(f"{formula}, entry by entry", f"{formula}，逐个写出"), rows, speech)


def plainly(row: Row, speech: Speech) -> str:
    """A number by its formula."""
    return speech.say(f"{row.formula}: {row.text}.", f"{row.formula}：{row.text}。")
