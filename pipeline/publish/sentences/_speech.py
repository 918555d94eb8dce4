"""How sentences name things: tokens, words, heads and lists, in one language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.publish.sentences._row import Place
from transformer_core.other_runs import RUNS, reordered

CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks of direction: invisible, and able to turn what follows them about."""
ISOLATE, END = "\u2068", "\u2069"
RIGHT_TO_LEFT = {"R", "AL", "AN"}
OTHER_RUNS = {
    "reordered": (" in the other order", "另一语序"),
    "unplaced": (" without positions", "不加位置"),
    "unplaced_reordered": (" in the other order, without positions", "另一语序，不加位置"),
}


def quoted(text: str) -> str:
    """A token in quotes, as one word of the sentence around it, whatever is in it.

    Marks of direction are named instead of obeyed, and a word that runs from right to left is isolated.
    """
    shown = CONTROLS.sub(lambda found: f"U+{ord(found[0]):04X}", text)
    if any(unicodedata.bidirectional(sign) in RIGHT_TO_LEFT for sign in shown):
        shown = f"{ISOLATE}{shown}{END}"
    return f"“{shown}”"


def _asker(numbers: Sequence[Mapping[str, Any]]) -> int | None:
    """The one token whose attention weights have digits."""
    asked = {row["index"]["query"] for row in numbers if row["name"].endswith(".attn.pattern")}
    return asked.pop() if len(asked) == 1 else None


def _is_han(sign: str) -> bool:
    return "\u4e00" <= sign <= "\u9fff"


def _is_letter(sign: str) -> bool:
    return (sign.isalnum() and not _is_han(sign)) or sign in {"′", "″", "‖"}


@dataclass(frozen=True)
class Speech:
    """One ledger's names. `labels` are those of the vocabulary by id; `asker` the place whose question is told."""

    language: str
    tokens: tuple[str, ...]
    order: tuple[int, ...]
    labels: Mapping[str, str]
    config: Mapping[str, Any]
    claims: tuple[Mapping[str, Any], ...]
    asker: int | None

    @classmethod
    def of(cls, data: Mapping[str, Any], language: str) -> Speech:
        """The names in a ledger."""
        trace, labels, query = data["trace"], data.get("labels", {}), data["render"]["query"]
        return cls(
            language,
            tuple(trace.get("tokens", ())),
            tuple(trace.get("order") or ()),
            labels.get("vocabulary", {}),
            trace.get("config", {}),
            tuple(labels.get("claims", ())),
            _asker(data["numbers"]) if query is None else query - 1,
        )

    def say(self, en: str, zh: str) -> str:
        """The words in the language."""
        return {"en": en, "zh": zh}[self.language]

    def token(self, place: int, run: str = "") -> str:
        """A token of the prompt in quotes; which one, where it occurs several times."""
        tokens = reordered(self.tokens, self.order) if run and RUNS[run].reordered and self.order else self.tokens
        if place >= len(tokens):
            return self.say(f"position {place}", f"位置 {place}")
        text = tokens[place]
        if tokens.count(text) == 1:
            return quoted(text)
        number = tokens[: place + 1].count(text)
        return self.say(f"{quoted(text)} (no. {number})", f"第 {number} 个{quoted(text)}")

    def word(self, place: int) -> str:
        """A word of the vocabulary in quotes."""
        return (
            quoted(self.labels[str(place)]) if str(place) in self.labels else self.say(f"word {place}", f"词 {place}")
        )

    def head(self, place: Place) -> str:
        """`head 1`, or `layer 2, head 1` in a model of several layers; "" for what belongs to no head."""
        if "head" not in place.index:
            return ""
        number = place.index["head"] + 1
        named = self.say(f"head {number}", f"头 {number}")
        if self.several("layer_count") and place.layer is not None:
            return self.say(f"layer {place.layer + 1}, {named}", f"层 {place.layer + 1}，{named}")
        return named

    def where(self, place: Place) -> str:
        """The head and layer, where the model has several, to be put behind a noun; "" where it has not."""
        if "head" in place.index and (self.several("head_count") or self.several("layer_count")):
            return self.head(place)
        if place.layer is not None and self.several("layer_count"):
            return self.say(f"layer {place.layer + 1}", f"层 {place.layer + 1}")
        return ""

    def several(self, what: str) -> bool:
        """Whether the model has more than one of it."""
        return self.config.get(what, 1) > 1

    def run(self, place: Place) -> str:
        """In which further run of the model, to be put behind a noun."""
        en, zh = OTHER_RUNS.get(place.run, ("", ""))
        return self.say(en, f"（{zh}）" if zh else "")

    def joined(self, *parts: str) -> str:
        """Parts of a Chinese phrase, with a space where letters, digits or formulas meet Chinese signs."""
        text = ""
        for part in filter(None, parts):
            last, first = text[-1:], part[0]
            apart = (_is_han(last) and _is_letter(first)) or (_is_letter(last) and _is_han(first))
            text += f" {part}" if apart else part
        return text

    def series(self, texts: Sequence[str]) -> str:
        """Numbers in a row."""
        return self.say(", ", "、").join(texts)

    def listed(self, parts: Sequence[str]) -> str:
        """Parts of a sentence: `a, b and c`."""
        if self.language == "zh":
            return "，".join(parts)
        return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
