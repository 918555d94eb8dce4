"""A number of each query and key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.publish.sentences._groups import grouped, largest_first
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block, Table
from pipeline.publish.sentences._vectors import capital

MOST = 2
"""The rows of more queries are a table."""


@dataclass(frozen=True)
class Grid:
    """`key` is the stage's; `en` and `zh` name the numbers of the query `{}`."""

    key: str
    en: str
    zh: str

    def takes(self, row: Row) -> bool:
        """Digits of this quantity."""
        return row.digits_of == self.key

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """For each head a sentence for the token whose question is told, and a table where there are more."""
        for one in grouped(rows, lambda row: row.place.but("query", "key")):
            asked = grouped(one, lambda row: row.index["query"])
            few = len(asked) <= MOST
            yield from (self._sentence(row, speech) for row in asked if few or row[0].index["query"] == speech.asker)
            if not few:
                yield self._table(one, speech)

    def _sentence(self, rows: Sequence[Row], speech: Speech) -> str:
        place = rows[0].place
        where, asker = speech.head(place), speech.token(place.index["query"], place.run)
        parts = [self._part(row, speech) for row in largest_first(rows) if row.kind != "masked"]
        shut = [row for row in rows if row.kind == "masked"]
        if shut:
            number, text = len(shut), shut[0].text
            parts.append(speech.say(f"{text} with the {number} masked", f"被遮住的 {number} 个都是 {text}"))
        named = speech.say(self.en, self.zh).format(asker)
        return speech.say(
            f"{capital(where)}, {named}: {speech.listed(parts)}.", f"{where}，{named}：{speech.listed(parts)}。"
        )

    def _part(self, row: Row, speech: Speech) -> str:
        key = speech.token(row.index["key"], row.place.run)
        if row.index["key"] == row.index["query"]:
            key = speech.say("itself", "它自己")
        return speech.say(f"{row.text} with {key}", f"与{key} {row.text}")

    def _table(self, rows: Sequence[Row], speech: Speech) -> Table:
        places = {(row.index["query"], row.index["key"]): row.text for row in rows}
        queries, keys = (sorted({place[side] for place in places}) for side in (0, 1))
        where, run = speech.head(rows[0].place), rows[0].place.run
        title = speech.say(
            f"{capital(where)}, {self.en.format('all tokens')}, a row for each query, a column for each key",
            f"{where}，{self.zh.format('全部词元')}（每行一个查询，每列一个键）",
        )
        return Table(
            title,
            (speech.say("query", "查询"), *(speech.token(key, run) for key in keys)),
            tuple((speech.token(query, run), *(places.get((query, key), "…") for key in keys)) for query in queries),
        )
