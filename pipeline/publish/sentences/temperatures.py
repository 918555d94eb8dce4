"""Probabilities at another temperature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._groups import grouped
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block

DRAWN = ("length",)


class Temperatures:
    """The probabilities of words with the logits divided by T."""

    def takes(self, row: Row) -> bool:
        """Digits and bars of them, and the sums of digits."""
        return _is_tempered(row) or _is_sum(row)

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence for each temperature, the words as they are shown, then their sum."""
        written = {row.key for row in rows if not row.channel}
        shown = [row for row in rows if _is_tempered(row) and not (row.channel and row.key in written)]
        sums = {_temperature(row.parents[0]): row for row in rows if _is_sum(row)}
        for alike in grouped(shown, lambda row: (_temperature(row.expression or {}), row.sources[2].index["position"])):
            warmth, token = _temperature(alike[0].expression or {}), alike[0].sources[2]
            place = speech.token(token.index["position"], token.run)
            parts = [f"{_owners(row, speech)} {row.text}" for row in alike]
            total = sums.pop(warmth, None)
            en = f"; together {total.text}" if total else ""
            zh = f"；合计 {total.text}" if total else ""
            yield speech.say(
                f"At temperature {warmth}, probabilities after {place}: {speech.listed(parts)}{en}.",
                f"温度 {warmth} 时，{place}之后各词的概率：{speech.listed(parts)}{zh}。",
            )
        for warmth, row in sums.items():
            en, zh = f"At temperature {warmth} the probabilities add up to", f"温度 {warmth} 时各概率合计"
            yield speech.say(f"{en} {row.text}.", f"{zh} {row.text}。")


def _is_tempered(row: Row) -> bool:
    return row.name == "derived.tempered" and (not row.channel or row.channel in DRAWN)


def _is_sum(row: Row) -> bool:
    made = {parent["name"] for parent in row.parents}
    return row.name == "derived.sum" and not row.channel and made == {"derived.tempered"}


def _temperature(expression: object) -> str:
    assert isinstance(expression, dict)
    return f"{float(expression['parents'][0]['formula']):g}"


def _owners(row: Row, speech: Speech) -> str:
    count = round(float(row.parents[1]["formula"]))
    if count == 1:
        return speech.word(row.sources[2].index["vocab"])
    return speech.say(f"the {count} other words", f"其余 {count} 个词")


QUANTITY = Temperatures()
