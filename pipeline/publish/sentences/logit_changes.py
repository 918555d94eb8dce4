"""How one head's change moves the logits: with it, less without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._derived import is_derived
from pipeline.publish.sentences._groups import grouped, largest_first
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block

NAMES = ["logits", "cut.logits"]


class LogitChanges:
    """l with ΔE, less l without it, of each word."""

    def takes(self, row: Row) -> bool:
        """Digits of such differences."""
        return is_derived(row, "difference") and [each.name for each in row.sources] == NAMES

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence for each position."""
        for alike in grouped(rows, lambda row: row.index["position"]):
            token = speech.token(alike[0].index["position"], alike[0].place.run)
            parts = [f"{speech.word(row.index['vocab'])} {row.text}" for row in largest_first(alike)]
            yield speech.say(
                f"Logits after {token} with this ΔE, less those without it: {speech.listed(parts)}.",
                f"{token}之后各词的 logit，有这个 ΔE 时减去没有时：{speech.listed(parts)}。",
            )


QUANTITY = LogitChanges()
