"""What a head's ΔE does to the next word: probabilities and logits with it, and with ΔE = 0.

Where the model's card claims that this head reads adjectives, the words are the adjectives that it looked at,
among all adjectives of the language; otherwise the two words whose probability changes most, among all words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenes.kit.texts import Field
from transformer_core import derive
from transformer_core.trace import Cell, Trace

CROWD = 40
"""So many words at most are drawn beside the ones that are named."""


@dataclass(frozen=True)
class WordEffect:
    """One word of the vocabulary: its probability with and without ΔE, and the change of its logit."""

    word: int
    text: str
    given: Cell
    cut: Cell
    change: Cell


@dataclass(frozen=True)
class Effect:
    """Named words of a group, the next words that depend on them, and whether the card's claim covers it."""

    claimed: bool
    named: tuple[WordEffect, ...]
    group: tuple[WordEffect, ...]
    dependents: tuple[WordEffect, ...]

    @property
    def given(self) -> Cell:
        """P(the next word is one of the dependents) with this ΔE."""
        return derive.sum_of([each.given for each in self.dependents])

    @property
    def cut(self) -> Cell:
        """P(the next word is one of the dependents) with ΔE = 0."""
        return derive.sum_of([each.cut for each in self.dependents])

    @property
    def falls(self) -> bool:
        """Whether the claim covers this place and P is smaller by more than a hundredth with ΔE = 0."""
        return self.claimed and self.cut.value < self.given.value - 0.01

    @property
    def words(self) -> str:
        """The dependents, as a caption writes them."""
        return " / ".join(each.text for each in self.dependents)


def effect_of(trace: Trace, *, layer: int, head: int, query: int) -> Effect | None:
    """The effect at the asking token; ``None`` for a trace that was made without cutting this head."""
    if trace.spec.cut != (layer, head) or "cut.logits" not in trace.names():
        return None
    adjectives = _adjectives(trace)
    named = _looked_at(trace, adjectives, layer=layer, head=head, query=query)
    if named and _claims(trace, layer=layer, head=head, query=query):
        group = tuple(_word(trace, query, word) for word in adjectives)
        right = tuple(each for each in group if each.word in named)
        dependents = tuple(_word(trace, query, word) for word in _dependents(trace, right))
        return Effect(True, right, group, dependents)
    everything = [_word(trace, query, word) for word in range(len(trace.spec.vocabulary))]
    moved = sorted(everything, key=lambda each: -abs(each.given.value - each.cut.value))
    return Effect(False, tuple(moved[:2]), tuple(moved[:CROWD]), tuple(moved[:2]))


def _word(trace: Trace, query: int, word: int) -> WordEffect:
    place = {"position": query, "vocab": word}
    return WordEffect(
        word,
        trace.spec.vocabulary[word],
        trace.cell("probabilities", **place),
        trace.cell("cut.probabilities", **place),
        derive.difference(trace.cell("logits", **place), trace.cell("cut.logits", **place)),
    )


def _claims(trace: Trace, *, layer: int, head: int, query: int) -> bool:
    """Whether the card claims of this head that, at a noun, it reads adjectives, with an effect."""
    claims = trace.spec.card.get("claims", ())
    nouns = trace.spec.card.get("word_groups", {}).get("noun", {})
    if not any(trace.spec.tokens[query] in words for words in nouns.values()):
        return False
    binding = any((c["id"], c.get("layer"), c.get("head")) == ("binding", layer, head) for c in claims)
    return binding and any(claim["id"] == "effect" for claim in claims)


def _adjectives(trace: Trace) -> list[int]:
    """The ids of the adjectives of the prompt's language, in the order of the card."""
    groups = trace.spec.card.get("word_groups", {}).get("adjective", {})
    vocabulary = list(trace.spec.vocabulary)
    tokens = set(trace.spec.tokens)
    best = max(groups.values(), key=lambda words: len(tokens & set(words)), default=())
    return [vocabulary.index(word) for word in best if word in vocabulary]


def _dependents(trace: Trace, named: Sequence[WordEffect]) -> list[int]:
    """The next words that the card says depend on the named ones; where it does not say, themselves."""
    card = trace.spec.card.get("dependents", {})
    own = {word: list(words) for language in card.values() for word, words in language.items()}
    wanted = dict.fromkeys(word for each in named for word in own.get(each.text, [each.text]))
    vocabulary = list(trace.spec.vocabulary)
    return [vocabulary.index(word) for word in wanted if word in vocabulary]


def _looked_at(trace: Trace, adjectives: Sequence[int], *, layer: int, head: int, query: int) -> set[int]:
    """The adjectives of the prompt to which the head gives more than an even share of its weight."""
    weights = list(trace.cells(f"blocks.{layer}.attn.pattern", head=head, query=query))
    even = 1 / sum(not cell.masked for cell in weights)
    return {
        word
        for word, cell in zip(trace.spec.ids, weights, strict=True)
        if word in adjectives and not cell.masked and cell.value > even
    }


def effect_fields(effect: Effect | None) -> dict[str, Field]:
    """What captions may quote of an effect: the words, and their probability with ΔE and with ΔE = 0."""
    if effect is None:
        return {"words": "–", "p_with": "–", "p_cut": "–"}
    if effect.claimed:
        return {"words": effect.words, "p_with": effect.given, "p_cut": effect.cut}
    most = effect.named[0]
    return {"words": most.text, "p_with": most.given, "p_cut": most.cut}
