"""The card of the model order: how often it knows who does it, with positions and without."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch

from transformer_core.errors import CheckFailed
from transformer_core.model import Transformer, forward, next_token
from transformer_core.sources import LoadedModel
from transformer_core.tokens import WordTokenizer
from transformer_core.training import order_corpus
from transformer_core.training.order_corpus import LANGUAGES, NOUNS, VERBS, Scene

DIGITS = 4
CHANCE = 0.5
"""Of two nouns one is the doer; whoever cannot tell the two orders apart is right in at most one of them."""
PROMPTS = {"en": ("dog bites man", "man bites dog"), "zh": ("狗咬人", "人咬狗")}

Trained = Mapping[int, tuple[Transformer, Transformer]]
"""By seed: the model, and the same trained from the start without positions."""


def model_card(
    trained: Trained, tokenizer: WordTokenizer, training: Mapping[str, Any]
) -> tuple[Transformer, dict[str, Any]]:
    """The seed that is right most often, and the card's data."""
    scenes = order_corpus.held_out_scenes()
    shares = {seed: share_right(placed, tokenizer, scenes) for seed, (placed, _) in trained.items()}
    never = {seed: share_right(bare, tokenizer, scenes) for seed, (_, bare) in trained.items()}
    seed = max(shares, key=lambda each: shares[each])
    model = trained[seed][0]
    claim = measured(model, tokenizer) | {
        "never": _short(never[seed]),
        "seeds": list(trained),
        "spread": [_short(share) for share in shares.values()],
        "spread_never": [_short(share) for share in never.values()],
    }
    card = {
        "name": "order",
        "title": {"en": "order: who does it?", "zh": "order：是谁做的？"},
        "languages": list(LANGUAGES),
        "default_prompt": {language: first for language, (first, _) in PROMPTS.items()},
        "default_prompt_figures": {language: figures(model, tokenizer, language) for language in LANGUAGES},
        "claims": [claim],
        "word_groups": {
            "noun": {language: [noun[place] for noun in NOUNS] for place, language in enumerate(LANGUAGES)},
            "verb": {
                "en": [form for verb in VERBS for form in (verb.active, verb.passive)],
                "zh": [verb.chinese for verb in VERBS],
            },
        },
        "roles": {
            form: {"en": [verb.doer, verb.done_to], "zh": [f"{verb.chinese}的一方", f"被{verb.chinese}的一方"]}
            for verb in VERBS
            for form in (verb.active, verb.chinese)
        },
        "training": {**training, "seed": seed, "seeds_tried": list(trained)},
        "licence": "MIT; the corpus is generated, it holds no text of others",
    }
    return model, card


def measured(model: Transformer, tokenizer: WordTokenizer) -> dict[str, Any]:
    """What can be measured of the shipped weights: the share of right answers, with positions and without."""
    scenes = order_corpus.held_out_scenes()
    return {
        "id": "doer",
        "layer": 0,
        "mean": _short(share_right(model, tokenizer, scenes)),
        "removed": _short(share_right(model.without_positions(), tokenizer, scenes)),
        "removed_of_two": _short(share_right(model.without_positions(), tokenizer, scenes, of_two=True)),
        "chance": CHANCE,
        "n": len(scenes),
    }


def share_right(
    model: Transformer, tokenizer: WordTokenizer, scenes: Sequence[Scene], *, of_two: bool = False
) -> float:
    """The share of scenes in which the likeliest word at the verb is the doer; `of_two`: of the clause's nouns."""
    # Sentences of one length at once, which exact sums would make slow; the answers are the same.
    quick = Transformer(replace(model.config, exact_sums=False), model.weights)
    right = 0
    for length in sorted({len(scene.words) for scene in scenes}):
        group = [scene for scene in scenes if len(scene.words) == length]
        ids = torch.tensor([[tokenizer.id_of(word) for word in scene.words] for scene in group])
        with torch.no_grad():
            logits = forward(quick, ids)  # [scene, position, vocab]
        for scene, own in zip(group, logits, strict=True):
            question = scene.questions[0]
            doer, done_to = tokenizer.id_of(question.doer), tokenizer.id_of(question.done_to)
            answer = own[question.verb]
            right += bool(answer[doer] > answer[done_to]) if of_two else int(answer.argmax()) == doer
    return right / len(scenes)


def figures(model: Transformer, tokenizer: WordTokenizer, language: str) -> dict[str, Any]:
    """P(first noun) and P(second noun) at the verb of both default sentences, with positions and without."""
    first, second = PROMPTS[language]
    words = tokenizer.words(first)
    nouns = [tokenizer.id_of(words[0]), tokenizer.id_of(words[2])]
    found: dict[str, Any] = {"words": [words[0], words[2]]}
    for name, used in (("with", model), ("without", model.without_positions())):
        answers = [next_token(forward(used, torch.tensor(tokenizer.encode(text))))[1] for text in (first, second)]
        found[name] = [[_short(float(answer[noun])) for noun in nouns] for answer in answers]
    return found


def check(loaded: LoadedModel) -> list[dict[str, Any]]:
    """Measures the shipped weights again. Raises CheckFailed where the card says something else."""
    (stated,) = loaded.card["claims"]
    again = measured(loaded.model, loaded.tokenizer)
    for key, value in again.items():
        if stated.get(key) != value:
            said = f"the card says {key} {stated.get(key)}, measured {value}"
            raise CheckFailed(f"claim doer of {loaded.name}", said)
    return [again]


def card_page(card: Mapping[str, Any]) -> str:
    """The card as a page that people read: README.md beside the weights."""
    claim, training = card["claims"][0], card["training"]
    settings = training["settings"]
    lines = [
        f"# {card['title']['en']}",
        "",
        "This page is made from `card.json`; do not edit it.",
        "",
        "An encoder without a mask: one layer, two heads, d_model 16. At every verb it says who does it.",
        "",
        "## It knows the doer, and only by the order of the words",
        "",
        f"Right answers over {claim['n']} clauses that training never had, each with its reverse:",
        "",
        "| model | right |",
        "|---|---|",
        f"| as shipped | {claim['mean']:.3f} |",
        f"| the same weights, positions left out | {claim['removed']:.3f} |",
        f"| the same, asked only which of the two nouns | {claim['removed_of_two']:.3f} |",
        f"| trained without positions | {claim['never']:.3f} |",
        f"| chance, and the most that is possible without positions | {claim['chance']} |",
        "",
        f"Seeds tried: {_list(claim['seeds'])}. With positions: {_shares(claim['spread'])}. "
        f"Trained without: {_shares(claim['spread_never'])}. The seed that is right most often is shipped.",
        "",
        "## Training",
        "",
        f"Corpus: {training['corpus']}, {training['sentences']} sentences, {training['words']} words. "
        f"{settings['steps']} steps of {settings['batch']} sentences, learning rate {settings['rate']}, weight decay "
        f"{settings['weight_decay']}, seed {training['seed']}; every weight then rounded to "
        f"{training['weights_on_grid']}. All of the above is measured on the rounded weights. "
        f"It took {training['seconds_per_seed']} seconds on one core.",
        "",
        f"Licence: {card['licence']}.",
        "",
    ]
    return "\n".join(lines)


def _shares(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.3f}" for value in values)


def _list(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))


def _short(value: float) -> float:
    return round(value, DIGITS)
