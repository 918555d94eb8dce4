"""Dot products of vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._derived import entry_by_entry, halves, is_derived, of_two, plainly
from pipeline.publish.sentences._groups import grouped
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block, Table
from pipeline.publish.sentences._vectors import ENTRIES

FEWEST = 5
"""Fewer products of position encodings are sentences instead of a table."""


class DotProducts:
    """x · y: of position encodings as a table, of other vectors that have names as a sentence, else entry by entry."""

    def takes(self, row: Row) -> bool:
        """Digits of dot products."""
        return is_derived(row, "dot")

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """What is alike together."""
        for alike in grouped(rows, lambda row: (row.formula, row.place.but("position", *ENTRIES))):
            positions = [row for row in alike if {each.name for each in row.sources} == {"embed.PE"}]
            if len(positions) >= FEWEST:
                yield _table(positions, speech)
            rest = [row for row in alike if len(positions) < FEWEST or row not in positions]
            entries = entry_by_entry(rest, speech)
            if entries:
                yield entries
                continue
            for row in rest:
                pair = of_two(*halves(row), speech)
                en, zh = f"The dot product of {pair}: {row.text}.", f"{speech.joined(pair, '的点积')}：{row.text}。"
                yield speech.say(en, zh) if pair else plainly(row, speech)


def _table(rows: Sequence[Row], speech: Speech) -> Table:
    texts = {(row.sources[0].index["position"], row.sources[-1].index["position"]): row.text for row in rows}
    down, across = (sorted({place[side] for place in texts}) for side in (0, 1))
    title = speech.say(
        "PE(p) · PE(q), a row for each position p, a column for each position q",
        "PE(p) · PE(q)（每行一个位置 p，每列一个位置 q）",
    )
    return Table(
        title,
        ("p", *map(str, across)),
        tuple((str(p), *(texts.get((p, q), "…") for q in across)) for p in down),
    )


QUANTITY = DotProducts()
