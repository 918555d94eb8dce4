"""Entries of position encodings with their sign turned, as a turn's matrix has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._derived import is_derived
from pipeline.publish.sentences._groups import grouped
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block
from pipeline.publish.sentences._vectors import told


class Turned:
    """−PE."""

    def takes(self, row: Row) -> bool:
        """Digits of them."""
        return is_derived(row, "negative") and row.sources[0].name == "embed.PE"

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence for each position."""
        for alike in grouped(rows, lambda row: row.index["position"]):
            position = alike[0].index["position"]
            en, zh = f"The encoding of position {position} with its sign turned", f"位置 {position} 的编码变号后"
            yield told(speech.say(en, zh), alike, speech)


QUANTITY = Turned()
