"""A vector of each token, told entry by entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.publish.sentences._folder import quantities
from pipeline.publish.sentences._groups import grouped
from pipeline.publish.sentences._row import Place, Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block, Table
from transformer_core.axes import TOKEN_AXES
from transformer_core.stages import stage_of

MOST = 3
"""More vectors of one quantity are a table."""
OWNERS = (*sorted(TOKEN_AXES), "vocab")
ENTRIES = ("d_model", "d_head", "d_mlp", "concat")


@dataclass(frozen=True)
class Vectors:
    """`key` is the stage's; `en` and `zh` are nouns, as in "the query of “creature”" and "“creature”的查询"."""

    key: str
    en: str
    zh: str

    def takes(self, row: Row) -> bool:
        """Digits of this quantity."""
        return row.digits_of == self.key

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence for each vector, or one table of many."""
        sets = grouped(rows, lambda row: row.place.but(*ENTRIES, *TOKEN_AXES))
        for alike in sets:
            vectors = grouped(alike, lambda row: row.place.but(*ENTRIES))
            if len(vectors) > MOST and len({_entries(vector) for vector in vectors}) == 1:
                yield self._table(vectors, speech)
            else:
                yield from (told(self.phrase(vector[0].place, speech), vector, speech) for vector in vectors)

    def phrase(self, place: Place, speech: Speech) -> str:
        """The vector at a place, in the middle of a sentence."""
        owner, run, where = self.owner(place, speech), speech.run(place), speech.where(place)
        en = f"the {self.en} of {owner}{f' in {where}' if where else ''}{run}"
        return speech.say(en, speech.joined(owner, "的", self.zh) + (f"（{where}）" if where else "") + run)

    def owner(self, place: Place, speech: Speech) -> str:
        """Whose vector it is."""
        return speech.token(self._at(place), place.run)

    def _at(self, place: Place) -> int:
        return next(place.index[axis] for axis in OWNERS if axis in place.index)

    def _table(self, vectors: Sequence[Sequence[Row]], speech: Speech) -> Table:
        place, entries = vectors[0][0].place, _entries(vectors[0])
        where, run = speech.where(place), speech.run(place)
        en = f"The {self.en} of each token{f' in {where}' if where else ''}{run}, entry by entry"
        title = speech.say(
            en, speech.joined("每个词元的", self.zh) + (f"（{where}）" if where else "") + f"{run}，逐个写出"
        )
        rows = sorted(vectors, key=lambda vector: self._at(vector[0].place))
        return Table(
            title,
            (speech.say("token", "词元"), *(str(entry + 1) for entry in entries)),
            tuple(
                (self.owner(vector[0].place, speech), *(row.text for row in sorted(vector, key=_entry)))
                for vector in rows
            ),
        )


def told(phrase: str, vector: Sequence[Row], speech: Speech) -> str:
    """A vector's name and its entries: all of them in order, or those that are shown with their numbers."""
    ordered = sorted(vector, key=_entry)
    [axis] = [axis for axis in ENTRIES if axis in vector[0].index]
    texts, begin = [row.text for row in ordered], capital(phrase)
    if len(texts) < speech.config.get(axis, len(texts)):
        parts = "; ".join(_part(run, speech) for run in _runs(ordered))
        return speech.say(f"{begin}, {parts}.", f"{begin}，{parts.replace('; ', '；')}。")
    if len(set(texts)) == 1:
        count = len(texts)
        return speech.say(f"{begin}: all {count} entries are {texts[0]}.", f"{begin}：{count} 个数都是 {texts[0]}。")
    return speech.say(f"{begin}: {speech.series(texts)}.", f"{begin}：{speech.series(texts)}。")


def _runs(ordered: Sequence[Row]) -> list[list[Row]]:
    """Neighbouring entries together."""
    runs: list[list[Row]] = []
    for row in ordered:
        if runs and _entry(row) == _entry(runs[-1][-1]) + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _part(run: Sequence[Row], speech: Speech) -> str:
    first, last = _entry(run[0]) + 1, _entry(run[-1]) + 1
    texts = speech.series([row.text for row in run])
    if first == last:
        return speech.say(f"entry {first}: {texts}", f"第 {first} 个数：{texts}")
    return speech.say(f"entries {first} to {last}: {texts}", f"第 {first} 至 {last} 个数：{texts}")


def phrase_of(places: Sequence[Place], speech: Speech) -> str:
    """The one vector that these places are the entries of, as a phrase; "" where they are no such vector."""
    first = places[0]
    if any(each.but(*ENTRIES) != first.but(*ENTRIES) for each in places) or first.name.startswith("derived."):
        return ""
    entries = [each.index.get(axis, 0) for each in places for axis in ENTRIES if axis in each.index]
    if entries != list(range(len(places))):
        return ""
    key = stage_of(first.name).key
    found = [each for each in quantities().values() if isinstance(each, Vectors) and each.key == key]
    if not found:
        return ""
    [axis] = [axis for axis in ENTRIES if axis in first.index]
    size = speech.config.get(axis, len(places))
    phrase = found[0].phrase(first, speech)
    if len(places) == size:
        return phrase
    return speech.say(f"the first {len(places)} entries of {phrase}", speech.joined(phrase, f"的前 {len(places)} 个数"))


def capital(text: str) -> str:
    """The first letter as a capital."""
    return text[:1].upper() + text[1:]


def _entry(row: Row) -> int:
    return next(row.index[axis] for axis in ENTRIES if axis in row.index)


def _entries(vector: Sequence[Row]) -> tuple[int, ...]:
    return tuple(sorted(map(_entry, vector)))
