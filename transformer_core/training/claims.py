"""What is claimed of a trained model, measured on sentences that it never saw, with its rounded weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from transformer_core.model import Transformer, forward
from transformer_core.numerics import plain_numerics
from transformer_core.recorder import Recorder
from transformer_core.training import grammar, lexicon
from transformer_core.training.corpus import HeldOut

HELD_OUT_COUNT = 1000
LAYER, HEAD = 0, 0
_TOGETHER = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """Where the head looks from a noun: shares of its weight, means over held-out sentences.

    `mean` on the noun's own adjectives, `other` on those of the other noun before it. What no learning
    would give: `uniform` over the visible tokens, `any_adjective` over the visible adjectives, `offset_share`
    by always looking `offset` words back, the best such number.
    """

    mean: float
    other: float
    uniform: float
    any_adjective: float
    offset: int
    offset_share: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """P(the next word depends on the noun's own adjectives): `with_delta`, and `without` when ΔE = 0.

    The words that depend on them: those adjectives, and after a subject the verbs of its moods. `other` is
    the P of the other noun's adjectives, `corpus` what the grammar says, `any_adjective` the P of a reader
    who knows how often adjectives are said again, but not which.
    """

    with_delta: float
    without: float
    other: float
    corpus: float
    any_adjective: float
    n: int


@dataclass(frozen=True, slots=True)
class _Case:
    ids: tuple[int, ...]
    noun: int
    own: tuple[int, ...]
    other: tuple[int, ...]
    dependents: tuple[int, ...]
    others: tuple[int, ...]
    corpus: float
    any_adjective: float


def measure(model: Transformer, vocabulary: Sequence[str], sentences: Sequence[HeldOut]) -> tuple[Binding, Effect]:
    """Both claims at once; every mean is over all the sentences."""
    cases = [_case(held, vocabulary) for held in sentences]
    rows, with_delta = _at_nouns(model, cases)
    without = _at_nouns(model, cases, cut=(LAYER, HEAD))[1]
    offsets = {
        back: _mean([float(case.noun - back in case.own) for case in cases])
        for back in range(max(case.noun for case in cases) + 1)
    }
    best = max(offsets, key=lambda back: offsets[back])
    binding = Binding(
        mean=_mean([float(row[list(case.own)].sum()) for case, row in zip(cases, rows, strict=True)]),
        other=_mean([float(row[list(case.other)].sum()) for case, row in zip(cases, rows, strict=True)]),
        uniform=_mean([len(case.own) / (case.noun + 1) for case in cases]),
        any_adjective=_mean([len(case.own) / (len(case.own) + len(case.other)) for case in cases]),
        offset=best,
        offset_share=offsets[best],
        n=len(cases),
    )
    effect = Effect(
        with_delta=_mean([_sum(p, case.dependents) for p, case in zip(with_delta, cases, strict=True)]),
        without=_mean([_sum(p, case.dependents) for p, case in zip(without, cases, strict=True)]),
        other=_mean([_sum(p, case.others) for p, case in zip(with_delta, cases, strict=True)]),
        corpus=_mean([case.corpus for case in cases]),
        any_adjective=_mean([case.any_adjective for case in cases]),
        n=len(cases),
    )
    return binding, effect


def dependents(language: str) -> dict[str, tuple[str, ...]]:
    """For each adjective the words that depend on it: itself, said again, and the verb of a mood."""
    verbs = lexicon.own_verbs(language)
    own = [word.in_language(language) for word in lexicon.ADJECTIVES]
    return {word: (word, verbs[word]) if word in verbs else (word,) for word in own}


def pattern_row(model: Transformer, ids: Sequence[int], *, query: int) -> list[float]:
    """The head's weights from one position (0-based) on all tokens of a prompt."""
    recorder = Recorder()
    with plain_numerics():
        forward(model, torch.tensor(ids), tap=recorder.tap)
    return [float(share) for share in recorder.kept[f"blocks.{LAYER}.attn.pattern"][HEAD, query]]


def next_word(model: Transformer, ids: Sequence[int], *, at: int = -1, cut: bool = False) -> Mapping[int, float]:
    """P(each id comes after position `at`), with the head's ΔE or with ΔE = 0."""
    with plain_numerics():
        logits = forward(model, torch.tensor(ids), cut=(LAYER, HEAD) if cut else None)
        return dict(enumerate(torch.softmax(logits[at], dim=-1).tolist()))


def _case(held: HeldOut, vocabulary: Sequence[str]) -> _Case:
    sentence = held.sentence
    number = {word: place for place, word in enumerate(vocabulary)}
    asked, other = sentence.phrases[held.asked], sentence.phrases[held.other]
    verbs = lexicon.own_verbs(sentence.language)
    own = sentence.wording(asked)[1]
    moods = [verbs[word] for word in own if word in verbs] if asked.role == "subject" else []
    # An echo of the other noun's adjectives stands before the asked noun too: all of it is "the other's".
    other_words = set(sentence.wording(other)[1])
    others = tuple(place for place in range(asked.noun) if sentence.words[place] in other_words)
    return _Case(
        ids=tuple(number[word] for word in sentence.words),
        noun=asked.noun,
        own=asked.adjectives,
        other=others,
        dependents=tuple(number[word] for word in (*own, *moods)),
        others=tuple(number[word] for word in sorted(other_words)),
        corpus=grammar.AGAIN + (1 - grammar.AGAIN) * (grammar.OWN_VERB if moods else 0.0),
        any_adjective=grammar.AGAIN * len(own) / len(dependents(sentence.language)),
    )


def _at_nouns(
    model: Transformer, cases: Sequence[_Case], *, cut: tuple[int, int] | None = None
) -> tuple[list[Tensor], list[Tensor]]:
    """For each case the head's weights [key] and the probabilities [vocab] at its noun."""
    rows, probabilities = [], []
    longest = max(len(case.ids) for case in cases)
    for start in range(0, len(cases), _TOGETHER):
        part = cases[start : start + _TOGETHER]
        # What stands behind the noun changes nothing there, so any id may fill up.
        ids = torch.tensor([case.ids + (0,) * (longest - len(case.ids)) for case in part])
        recorder = Recorder()
        with plain_numerics():
            logits = forward(model, ids, tap=recorder.tap, cut=cut)
        pattern = recorder.kept[f"blocks.{LAYER}.attn.pattern"][:, HEAD]  # [batch, query, key]
        for place, case in enumerate(part):
            rows.append(pattern[place, case.noun])
            probabilities.append(torch.softmax(logits[place, case.noun], dim=-1))
    return rows, probabilities


def _sum(probabilities: Tensor, ids: Sequence[int]) -> float:
    return float(probabilities[list(ids)].sum())


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
