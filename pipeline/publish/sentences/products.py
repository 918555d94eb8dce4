"""Products written out term by term, before they are added up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._derived import is_derived, plainly
from pipeline.publish.sentences._groups import grouped
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block


class Products:
    """The terms of one sum of products, such as one entry of a query."""

    def takes(self, row: Row) -> bool:
        """Digits of products of two numbers of the model."""
        return is_derived(row, "product") and all(not each.name.startswith("derived.") for each in row.sources)

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence for each sum's terms."""
        for terms in grouped(rows, lambda row: (row.formula, _rest(row))):
            if len(terms) == 1:
                yield plainly(terms[0], speech)
                continue
            about = _about(terms[0], speech)
            texts = speech.series([row.text for row in terms])
            yield speech.say(
                f"Products {terms[0].formula}{about}, term by term: {texts}.",
                f"乘积 {terms[0].formula}{about}，逐项写出：{texts}。",
            )


def _axis(row: Row) -> str:
    """The axis along which the terms run: the entries that both factors have, else the last that there is."""
    one, other = (set(each.index) for each in row.sources)
    shared = [axis for axis in ("d_model", "d_head") if axis in one & other]
    return shared[0] if shared else next(axis for axis in ("d_head", "d_model") if axis in one | other)


def _rest(row: Row) -> object:
    return row.place.but(_axis(row))


def _about(row: Row, speech: Speech) -> str:
    """Whose they are and for which entry, as far as their place tells."""
    tokens = [speech.token(row.index[axis], row.place.run) for axis in ("key", "position") if axis in row.index]
    tokens += [speech.word(row.index["vocab"])] if "vocab" in row.index else []
    tokens = tokens[-1:] if tokens else []
    entry = [axis for axis in ("d_head", "d_model") if axis in row.index and axis != _axis(row)]
    named = [f"entry {row.index[entry[0]] + 1}"] if entry else []
    en = f" for {' of '.join((*named, *tokens))}" if named or tokens else ""
    zh = "，".join((*tokens, *(f"第 {row.index[axis] + 1} 个数" for axis in entry)))
    return speech.say(en, f"（{zh}）" if zh else "")


QUANTITY = Products()
