"""Sums: of one token's attention weights, of words' probabilities, of what is not shown one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._derived import entry_by_entry, is_derived, plainly
from pipeline.publish.sentences._groups import grouped
from pipeline.publish.sentences._row import Place, Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block
from pipeline.publish.sentences._vectors import ENTRIES, capital
from transformer_core.runs import unrolled
from transformer_core.stages import stage_of

FEW = 4
"""So many words are named one by one."""
PER_WORD = {
    "probabilities": ("the probability that {words} comes after {token}", "{token}之后是{words}的概率"),
    "cut.probabilities": (
        "with ΔE = 0, the probability that {words} comes after {token}",
        "ΔE = 0 时，{token}之后是{words}的概率",
    ),
}


class Sums:
    """Σ x."""

    def takes(self, row: Row) -> bool:
        """Digits of sums of numbers of the model, or of such sums."""
        return is_derived(row, "sum") and bool(_cells(row))

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence each, or one for the entries of a vector."""
        for alike in grouped(rows, lambda row: (row.formula, row.place.but(*ENTRIES))):
            entries = entry_by_entry(alike, speech)
            yield from [entries] if entries else (_told(row, speech) for row in alike)


def _told(row: Row, speech: Speech) -> str:
    cells = _cells(row)
    names = {each.name for each in cells}
    if {stage_of(name).key for name in names} == {"blocks.{layer}.attn.pattern"}:
        return _weights(row, cells, speech)
    if names == {"logits_exp"}:
        return _exponentials(row, cells, speech)
    if len(names) == 1 and cells[0].name in PER_WORD:
        return _words(row, cells, speech)
    return plainly(row, speech)


def _cells(row: Row) -> list[Place]:
    """The numbers of the model that are added up, [] where something else is among them."""
    places: list[Place] = []
    waiting = list((row.expression or {}).get("parents", ()))
    while waiting:
        part = waiting.pop(0)
        if part["name"] == "derived.sum":
            waiting += part["parents"]
        elif part["name"].startswith("derived."):
            return []
        else:
            places += map(Place.of, unrolled(part))
    return places


def _weights(row: Row, cells: Sequence[Place], speech: Speech) -> str:
    count, heads = len(cells), sorted({(each.layer or 0, each.index["head"]) for each in cells})
    if len({each.but("key") for each in cells}) == 1:
        head, query = speech.head(cells[0]), cells[0].index["query"]
        asker = speech.token(query, cells[0].run)
        # All keys, or all that no mask shuts.
        if count in (query + 1, len(speech.tokens)):
            en, zh = f"the {count} weights of {asker} add up to", f"{asker}的 {count} 个权重合计"
        else:
            one = count == 1
            en = f"the smallest {'weight' if one else f'{count} weights'} of {asker} {'is' if one else 'add up to'}"
            zh = f"{asker}最小的{'权重是' if one else f' {count} 个权重合计'}"
        return speech.say(f"{capital(head)}: {en} {row.text}.", f"{head}：{zh} {row.text}。")
    numbers = [str(head + 1) for _, head in heads]
    many = len(numbers) > 1
    en = f"The smallest {count} weights of {'heads' if many else 'head'} {speech.listed(numbers)} add up to {row.text}."
    return speech.say(en, f"头 {speech.series(numbers)} 最小的 {count} 个权重合计 {row.text}。")


def _words(row: Row, cells: Sequence[Place], speech: Speech) -> str:
    count, token = len(cells), speech.token(cells[0].index["position"], cells[0].run)
    if count <= FEW:
        named = speech.say(" or ", "或").join(speech.word(each.index["vocab"]) for each in cells)
    elif count == speech.config.get("vocabulary_size"):
        named = speech.say(f"any of all {count} words", f"全部 {count} 个词之一")
    else:
        named = speech.say(f"any of the {count} other words", f"其余 {count} 个词之一")
    told = speech.say(*PER_WORD[cells[0].name]).format(words=named, token=token)
    return speech.say(f"{capital(told)}: {row.text}.", f"{told}：{row.text}。")


def _exponentials(row: Row, cells: Sequence[Place], speech: Speech) -> str:
    count, token = len(cells), speech.token(cells[0].index["position"], cells[0].run)
    en = f"The sum of the exponentials of {count} further logits after {token}: {row.text}."
    return speech.say(en, f"{token}之后另外 {count} 个 logit 的指数之和：{row.text}。")


QUANTITY = Sums()
