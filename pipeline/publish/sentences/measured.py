"""What a model's card has measured: of each of its claims, and of each model that is compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.publish.sentences._derived import is_derived
from pipeline.publish.sentences._groups import grouped
from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block
from pipeline.publish.sentences._vectors import capital

OF = " of "
"""Between a card's path and the model whose card it is."""
RELATIONS = {
    "relation.modifier": ("from a noun to its adjective", "名词 → 它的形容词"),
    "relation.subject": ("from a verb to its subject", "动词 → 它的主语"),
    "relation.referent": ("from a pronoun to its noun", "代词 → 所指的名词"),
}
FACTS = {
    "n": ("n = {}", "n = {}"),
    "mean": ("mean weight {}", "平均权重 {}"),
    "offset": ("always looking back by {}", "总看前 {} 个词"),
    "baseline": ("always looking back the same way: {}", "总看前面同样远的词：{}"),
    "first_of_kind": ("always the first of the kind: {}", "总看第一个同类词：{}"),
    "validation.floor": ("the grammar's own loss {}", "语法本身的损失 {}"),
    "validation.mean": ("mean loss {}", "平均损失 {}"),
    "size.weights": ("{} weights", "{} 个参数"),
}


class Measured:
    """Numbers of a card, by claim or by model."""

    def takes(self, row: Row) -> bool:
        """Digits from a card."""
        return is_derived(row, "card_number")

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """A sentence for each claim and each model."""
        for alike in grouped(rows, _about):
            subject = _subject(_about(alike[0]), speech)
            parts = _facts(alike, speech)
            yield speech.say(f"{capital(subject)}: {'; '.join(parts)}.", f"{subject}：{'；'.join(parts)}。")


def _about(row: Row) -> tuple[str, str]:
    """The kind of thing that a number is about, and which."""
    path, _, model = row.formula.partition(OF)
    first, _, rest = path.partition(".")
    return ("claim", rest.partition(".")[0]) if first == "claims" and not model else ("model", model)


def _subject(about: tuple[str, str], speech: Speech) -> str:
    kind, which = about
    if kind == "model":
        return speech.say(f"model {which}", f"模型 {which}") if which else speech.say("the model's card", "模型卡")
    claims = {str(number): claim for number, claim in enumerate(speech.claims)}
    claims |= {str(claim["id"]): claim for claim in speech.claims}
    claim = claims.get(which, {"id": which})
    named = speech.say(*RELATIONS.get(claim["id"], (claim["id"], claim["id"])))
    if "head" not in claim:
        return speech.say(f"measured, {named}", f"测量结果（{named}）")
    return speech.say(f"head {claim['head']}, {named}, as measured", f"头 {claim['head']} 的测量结果（{named}）")


def _facts(rows: Sequence[Row], speech: Speech) -> list[str]:
    """How far back a fixed look goes, and what it gets, are one fact."""
    facts: list[str] = []
    for before, row in zip((None, *rows), rows, strict=False):
        if before and before.formula.endswith(".offset") and row.formula.endswith(".baseline"):
            facts[-1] += f"{speech.say(': ', '：')}{row.text}"
        else:
            facts.append(_fact(row, speech))
    return facts


def _fact(row: Row, speech: Speech) -> str:
    path, _, _ = row.formula.partition(OF)
    parts = path.split(".")
    name = parts[2] if parts[0] == "claims" and len(parts) > 2 else path
    if name == "all_heads":
        head = int(parts[-1]) + 1
        return speech.say(f"head {head} for comparison: {row.text}", f"作比较的头 {head}：{row.text}")
    return speech.say(*FACTS[name]).format(row.text) if name in FACTS else f"{path} {row.text}"


QUANTITY = Measured()
