"""Which head looks where: shares of its weight on the token that a relation asks for, over held-out sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import torch
from torch import Tensor

from transformer_core.model import Transformer, forward
from transformer_core.numerics import plain_numerics
from transformer_core.recorder import Recorder
from transformer_core.training import relations_corpus as corpus
from transformer_core.training.relations_corpus import RELATIONS, Link, Linked
from transformer_core.training.relations_words import VERBS

HELD_OUT_COUNT = 1000
_SEEDS = {corpus.CHOOSING: 2, corpus.REPORTING: 3}

Shares = Mapping[str, Tensor]
"""By relation: the mean share of the weight at its source that is on its target, [layer, head]."""
Heads = Mapping[str, tuple[int, int]]
"""By relation: (layer, head), 0-based."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What needs no learning: always `offset` words back (the best such number for these very sentences), the
    same weight on all that is visible, the same on all visible words of the target's kind, and always the first
    word of that kind."""

    n: int
    offset: int
    offset_share: float
    uniform: float
    same_kind: float
    first_of_kind: float


@dataclass(frozen=True, slots=True)
class Effect:
    """P(a word that only the target brings comes next), with the head's ΔE and with ΔE = 0; `corpus` the truth."""

    with_delta: float
    without: float
    corpus: float


def held_out(part: str) -> list[Linked]:
    """The sentences that heads are chosen on, or the others that are reported on; training has none of either."""
    return corpus.draws(HELD_OUT_COUNT, part, seed=_SEEDS[part])


def shares(model: Transformer, vocabulary: Sequence[str], sentences: Sequence[Linked]) -> Shares:
    """Every head against every relation."""
    recorder = Recorder()
    with plain_numerics():
        forward(model, _ids(vocabulary, sentences), tap=recorder.tap)
    found = {}
    for relation in RELATIONS:
        rows, sources, targets = _places(sentences, relation)
        means = [
            recorder.kept[f"blocks.{layer}.attn.pattern"][rows, :, sources, targets].mean(dim=0)  # [head]
            for layer in range(model.config.layer_count)
        ]
        found[relation] = torch.stack(means)
    return found


def choose_heads(found: Shares) -> Heads:
    """A head of its own for each relation, so that the three shares add up to the most."""
    layers, heads = found[RELATIONS[0]].shape
    every = [(layer, head) for layer in range(layers) for head in range(heads)]
    best = max(
        permutations(every, len(RELATIONS)),
        key=lambda given: sum(float(found[relation][at]) for relation, at in zip(RELATIONS, given, strict=True)),
    )
    return dict(zip(RELATIONS, best, strict=True))


def best_head(shares_of_one: Tensor) -> tuple[int, int]:
    """The head with the largest share on one relation, whatever else it serves."""
    layer, head = divmod(int(shares_of_one.argmax()), shares_of_one.shape[1])
    return layer, head


def baseline(sentences: Sequence[Linked], relation: str) -> Baseline:
    """What needs no learning, for one relation."""
    links = [link for _, link in _links(sentences, relation)]
    backs = [link.source - link.target for link in links]
    offset = max(sorted(set(backs)), key=backs.count)
    return Baseline(
        n=len(links),
        offset=offset,
        offset_share=backs.count(offset) / len(links),
        uniform=_mean([1 / (link.source + 1) for link in links]),
        same_kind=_mean([1 / link.rivals for link in links]),
        first_of_kind=_mean([float(link.first) for link in links]),
    )


def effect(
    model: Transformer, vocabulary: Sequence[str], sentences: Sequence[Linked], relation: str, head: tuple[int, int]
) -> Effect:
    """What the model says after the source of a relation, with a head and without."""
    number = {word: place for place, word in enumerate(vocabulary)}
    links = _links(sentences, relation)
    answers = []
    for cut in (None, head):
        found = _probabilities(model, vocabulary, sentences, cut=cut)
        answers.append(
            _mean(
                [
                    float(found[row, link.source, [number[word] for word in link.dependents]].sum())
                    for row, link in links
                ]
            )
        )
    return Effect(answers[0], answers[1], _mean([link.share for _, link in links]))


def agreement(
    model: Transformer, vocabulary: Sequence[str], sentences: Sequence[Linked], head: tuple[int, int] | None = None
) -> tuple[float, int]:
    """P(the subject's number, given that a verb follows) right before the verb, and over how many sentences.

    Only sentences whose noun between has the other number count: going by the last noun would be always wrong.
    `head`: with its ΔE = 0.
    """
    found = _probabilities(model, vocabulary, sentences, cut=head)
    verbs = torch.tensor([[vocabulary.index(form) for form, _ in pair] for pair in VERBS])  # [verb, number]
    rights = []
    for row, one in enumerate(sentences):
        if one.other_many is not None and one.other_many != one.many:
            both = found[row, one.verb - 1, verbs].sum(dim=0)  # [number]
            rights.append(float(both[int(one.many)] / both.sum()))
    return _mean(rights), len(rights)


def _probabilities(
    model: Transformer, vocabulary: Sequence[str], sentences: Sequence[Linked], *, cut: tuple[int, int] | None
) -> Tensor:
    with plain_numerics():
        return torch.softmax(forward(model, _ids(vocabulary, sentences), cut=cut), dim=-1)


def _ids(vocabulary: Sequence[str], sentences: Sequence[Linked]) -> Tensor:
    number = {word: place for place, word in enumerate(vocabulary)}
    longest = max(len(sentence.words) for sentence in sentences)
    # What stands behind a token changes nothing there, so any id may fill up.
    return torch.tensor(
        [[number[word] for word in one.words] + [0] * (longest - len(one.words)) for one in sentences]
    )  # [sentence, position]


def _links(sentences: Sequence[Linked], relation: str) -> list[tuple[int, Link]]:
    return [(row, link) for row, one in enumerate(sentences) for link in one.links if link.relation == relation]


def _places(sentences: Sequence[Linked], relation: str) -> tuple[Tensor, Tensor, Tensor]:
    links = _links(sentences, relation)
    return (
        torch.tensor([row for row, _ in links]),
        torch.tensor([link.source for _, link in links]),
        torch.tensor([link.target for _, link in links]),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
