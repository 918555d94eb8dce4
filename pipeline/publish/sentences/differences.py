"""Differences of two vectors, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._derived import is_derived, of_two, plainly
from pipeline.publish.sentences._groups import grouped
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block
from pipeline.publish.sentences._vectors import ENTRIES, told


class Differences:
    """x − y of vectors that have names."""

    def takes(self, row: Row) -> bool:
        """Digits of differences that are entries of a vector."""
        return is_derived(row, "difference") and bool(set(row.index) & set(ENTRIES))

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence for each pair of vectors."""
        for entries in grouped(rows, lambda row: tuple(each.but(*ENTRIES) for each in row.sources)):
            one, other = (tuple(row.sources[side] for row in entries) for side in (0, 1))
            pair = of_two(one, other, speech)
            if not pair:
                yield from (plainly(row, speech) for row in entries)
                continue
            yield told(speech.say(f"the difference of {pair}", speech.joined(pair, "之差")), entries, speech)


QUANTITY = Differences()
