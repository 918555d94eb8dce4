"""A number of each word of the vocabulary, at one position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.publish.sentences._groups import grouped, largest_first
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block

MOST = 3
"""So many words are told in brief."""
DRAWN = ("length",)
"""Channels that show a word's number as a bar."""


@dataclass(frozen=True)
class Words:
    """`name` is the quantity's; `en` and `zh` have `{token}`, behind which a word is guessed, and `{words}`."""

    name: str
    en: str
    zh: str

    def takes(self, row: Row) -> bool:
        """Digits and bars of this quantity."""
        return row.name == self.name and (not row.channel or row.channel in DRAWN)

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence for each position: the words with their numbers, largest first."""
        for alike in grouped(rows, lambda row: (row.place.but("vocab"), bool(row.channel))):
            told = self._told(alike, speech)
            bars = speech.say(", drawn as bars without digits", "（画成横条，不写数字）") if alike[0].channel else ""
            yield speech.say(f"{told}{bars}.", f"{told}{bars}。")

    def brief(self, rows: Sequence[Row], speech: Speech) -> str:
        """The likeliest words of one guess, whose row this is."""
        told = self._told(largest_first(rows)[:MOST], speech)
        return speech.say(f"{told}.", f"{told}。")

    def _told(self, rows: Sequence[Row], speech: Speech) -> str:
        place = rows[0].place
        token = speech.token(place.index["position"], place.run) + speech.run(place)
        parts = [f"{speech.word(row.index['vocab'])} {row.text}" for row in largest_first(rows)]
        return speech.say(self.en, self.zh).format(token=token, words=speech.listed(parts))
