"""The lengths of vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._derived import is_derived, of_one, plainly
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block


class Lengths:
    """‖x‖ of a vector that has a name."""

    def takes(self, row: Row) -> bool:
        """Digits of norms."""
        return is_derived(row, "norm")

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence each."""
        for row in rows:
            phrase = of_one(row, speech)
            en, zh = f"The length of {phrase}: {row.text}.", f"{speech.joined(phrase, '的长度')}：{row.text}。"
            yield speech.say(en, zh) if phrase else plainly(row, speech)


QUANTITY = Lengths()
