"""The attention pattern: how much of its attention each token gives to which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._groups import grouped, largest_first
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block
from pipeline.publish.sentences._vectors import capital
from transformer_core.stages import stage_of

DRAWN = ("area", "width", "length")
MOST = 3
"""Of what is drawn without digits, the largest weights of a token are told."""


class Pattern:
    """“creature” gives 0.53 of its attention to “fluffy”."""

    def takes(self, row: Row) -> bool:
        """The weights with digits, and those drawn as dots, arcs and bars."""
        told = not row.channel or row.channel in DRAWN
        return told and not row.name.startswith("derived.") and stage_of(row.name).key == "blocks.{layer}.attn.pattern"

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence for each token's digits; the drawn weights of a head in one."""
        written = {row.key for row in rows if not row.channel}
        for row in grouped([row for row in rows if not row.channel], lambda row: row.place.but("key")):
            yield self._sentence(row, speech)
        drawn = [row for row in rows if row.channel and row.key not in written]
        for one in grouped(drawn, lambda row: row.place.but("query", "key")):
            asked = sorted(grouped(one, lambda row: row.index["query"]), key=lambda row: row[0].index["query"])
            head = capital(speech.head(one[0].place))
            parts = [self._gives(row, speech, most=MOST) for row in asked]
            yield speech.say(
                f"{head}, drawn without digits: {'; '.join(parts)}.", f"{head}，只画出，不写数字：{'；'.join(parts)}。"
            )

    def brief(self, rows: Sequence[Row], speech: Speech) -> str:
        """The largest weights of one token, whose row this is."""
        head = capital(speech.head(rows[0].place))
        told = self._gives(rows, speech, most=MOST, of="its attention")
        return speech.say(f"{head}: {told}.", f"{head}：{told}。")

    def _sentence(self, rows: Sequence[Row], speech: Speech) -> str:
        head = capital(speech.head(rows[0].place))
        shut = sum(row.kind == "masked" for row in rows)
        text = next((row.text for row in rows if row.kind == "masked"), "")
        en = f"; {shut} masked {'word gets' if shut == 1 else 'words get'} {text}" if shut else ""
        zh = f"；被遮住的 {shut} 个词得 {text}" if shut else ""
        told = self._gives([row for row in rows if row.kind != "masked"], speech, most=len(rows), of="its attention")
        return speech.say(f"{head}: {told}{en}.", f"{head}：{told}{zh}。")

    def _gives(self, rows: Sequence[Row], speech: Speech, *, most: int, of: str = "") -> str:
        """One token's weights, largest first."""
        place, ordered = rows[0].place, largest_first(rows)
        asker = speech.token(place.index["query"], place.run)
        parts = [self._part(row, speech, of=of if number == 0 else "") for number, row in enumerate(ordered[:most])]
        more = len(ordered) - most
        if more > 0:
            parts.append(speech.say(f"less to {more} more", f"其余 {more} 个更小"))
        whose = "注意力的" if of else ""
        return speech.say(f"{asker} gives {speech.listed(parts)}", f"{asker}把{whose} {speech.listed(parts)}")

    def _part(self, row: Row, speech: Speech, *, of: str) -> str:
        key = speech.token(row.index["key"], row.place.run)
        if row.index["key"] == row.index["query"]:
            key = speech.say("itself", "它自己")
        return speech.say(f"{row.text}{f' of {of}' if of else ''} to {key}", f"{row.text} 给{key}")


QUANTITY = Pattern()
