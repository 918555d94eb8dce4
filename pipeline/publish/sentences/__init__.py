"""The numbers of a ledger as sentences, in English and Chinese: one file for each quantity, found in this folder.

A file `some.py` has `QUANTITY`, which says which rows of a ledger it takes and tells them as sentences and tables:
`Vectors` for a vector of each token, `Grid` for a number of each query and key, `Words` for a number of each word, or a
class of its own. Every number in a sentence is the text of a row: as it stands on screen, or, for what is drawn
without digits, the drawn value by the same rules of display. Rows that no file takes are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.publish.sentences import pattern, probabilities
from pipeline.publish.sentences._folder import quantities, taker
from pipeline.publish.sentences._groups import grouped
from pipeline.publish.sentences._row import Row, rows_of
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block

__all__ = ["Block", "Told", "brief", "tell"]

FEW = 4
"""So many numbers of a quantity without a file are written out behind its symbol; more are counted."""
MOMENT = 1e-3
"""Seconds by which times are told apart."""


@dataclass(frozen=True)
class Told:
    """What a beat's numbers say.

    `blocks` are sentences and tables of what is shown for the first time; `counted` are the numbers by their symbol of
    which no sentence speaks; `again` how many numbers were told in an earlier beat; `drawn` how many values
    are drawn without digits in that beat, by channel.
    """

    blocks: tuple[Block, ...]
    counted: Mapping[str, int]
    again: int
    drawn: Mapping[str, int]


def tell(data: Mapping[str, Any], language: str) -> dict[str, Told]:
    """The numbers of each beat of a ledger.

    Digits are told in the first beat that shows them. What is drawn without digits is told in the beat that draws most
    of it, of those in a row in which it is first on screen: a picture often begins to come while a beat ends.
    """
    speech, past = Speech.of(data, language), _Past()
    beats = [list(rows_of(data, beat["name"])) for beat in data["beats"]]
    homes = _homes(beats)
    told = {}
    for place, (beat, every) in enumerate(zip(data["beats"], beats, strict=True)):
        rows = [row for row in every if not row.channel or homes[row.about, row.channel] == place]
        fresh = [row for row in rows if not past.knows(row)]
        # A guess of which one word's number is not known yet is told whole.
        open_ones = {row.about for row in fresh if "vocab" in row.index and not row.channel}
        chosen = _once(row for row in rows if not past.knows(row) or (not row.channel and row.about in open_ones))
        digits = {row.key for row in every if not row.channel and not row.spoken}
        again = digits - {row.key for row in chosen}
        # In the order of the rows, so that every process writes the same text.
        drawn = dict.fromkeys((row.key, row.channel) for row in every if row.channel and row.key not in digits)
        blocks, counted = _tell(chosen, speech)
        told[beat["name"]] = Told(blocks, counted, len(again), Counter(channel for _, channel in drawn))
        past.learn(rows)
    return told


def _homes(beats: Sequence[Sequence[Row]]) -> dict[tuple[Hashable, str], int]:
    """In which beat what is drawn without digits is told."""
    counts: dict[tuple[Hashable, str], Counter[int]] = {}
    for place, rows in enumerate(beats):
        for row in rows:
            if row.channel:
                counts.setdefault((row.about, row.channel), Counter())[place] += 1
    homes = {}
    for about, count in counts.items():
        first = last = min(count)
        while last + 1 in count:
            last += 1
        homes[about] = max(range(first, last + 1), key=lambda place: count[place])
    return homes


def brief(data: Mapping[str, Any], beat: Mapping[str, Any], language: str) -> list[str]:
    """The largest attention weights and probabilities that have digits in the last picture of a beat."""
    speech = Speech.of(data, language)
    last = [row for row in data["numbers"] if row["beat"] == beat["name"] and row["time_out"] >= beat["end"] - MOMENT]
    rows = _once(rows_of({"numbers": last, "quoted": (), "encodings": ()}, beat["name"]))
    told = []
    for quantity in (pattern.QUANTITY, probabilities.QUANTITY):
        taken = [row for row in rows if quantity.takes(row) and row.kind != "masked"]
        told += [quantity.brief(alike, speech) for alike in grouped(taken, lambda row: row.about)]
    return told


@dataclass
class _Past:
    """What earlier beats told: the digits on screen, those in captions, what was drawn without digits."""

    written: set[Hashable] = field(default_factory=set)
    spoken: set[Hashable] = field(default_factory=set)
    drawn: set[Hashable] = field(default_factory=set)

    def knows(self, row: Row) -> bool:
        """Whether a row was told. Digits on screen are told again where only a caption named them."""
        if row.channel:
            return row.key in self.written or row.about in self.drawn
        return row.key in self.written or (row.spoken and row.key in self.spoken)

    def learn(self, rows: Iterable[Row]) -> None:
        """A beat was told."""
        for row in rows:
            if row.channel:
                self.drawn.add(row.about)
            else:
                (self.spoken if row.spoken else self.written).add(row.key)


def _once(rows: Iterable[Row]) -> list[Row]:
    """Each number once: as it stands on screen before as it is quoted or drawn."""
    kept: dict[Hashable, Row] = {}
    for row in rows:
        kept.setdefault(row.key, row)
    return list(kept.values())


def _tell(rows: Sequence[Row], speech: Speech) -> tuple[tuple[Block, ...], Mapping[str, int]]:
    """Each quantity's rows together, the quantities in the order in which they come on screen."""
    blocks: list[Block] = []
    counted: Counter[str] = Counter()
    for taken in grouped(rows, taker):
        name = taker(taken[0])
        if name:
            blocks += quantities()[name].tell(taken, speech)
            continue
        for alike in grouped([row for row in taken if not row.channel], lambda row: row.symbol):
            if len(alike) > FEW:
                counted[alike[0].symbol] += len(alike)
            else:
                texts = speech.series([row.text for row in alike])
                blocks.append(speech.say(f"{alike[0].symbol}: {texts}.", f"{alike[0].symbol}：{texts}。"))
    return tuple(blocks), counted
