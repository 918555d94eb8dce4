"""The distances between vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._derived import halves, is_derived, of_two, plainly
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block


class Distances:
    """‖x − y‖ of two vectors that have names."""

    def takes(self, row: Row) -> bool:
        """Digits of distances."""
        return is_derived(row, "distance")

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence each."""
        for row in rows:
            pair = of_two(*halves(row), speech)
            en, zh = f"The distance between {pair}: {row.text}.", f"{speech.joined(pair, '的距离')}：{row.text}。"
            yield speech.say(en, zh) if pair else plainly(row, speech)


QUANTITY = Distances()
