"""The card of heads1, heads4, heads8 and heads16: the loss on held-out sentences, by seed, beside the least."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from transformer_core.errors import CheckFailed
from transformer_core.model import Transformer, forward
from transformer_core.numerics import plain_numerics
from transformer_core.sources import LoadedModel
from transformer_core.tokens import WordTokenizer
from transformer_core.training import heads_corpus, relations_corpus, relations_words
from transformer_core.training.relations_card import word_groups
from transformer_core.training.relations_corpus import Linked

DIGITS = 4
TOLERANCE = 2 * 10**-DIGITS


def model_card(
    trained: Mapping[int, Transformer], tokenizer: WordTokenizer, training: Mapping[str, Any]
) -> dict[str, Any]:
    """The card's data; the first seed is the shipped one."""
    sentences = heads_corpus.held_out_sentences(heads_corpus.HELD_OUT_SENTENCES)
    losses = [validation_loss(model, tokenizer, sentences) for model in trained.values()]
    seeds = list(trained)
    model = trained[seeds[0]]
    config = model.config
    heads = "1 head" if config.head_count == 1 else f"{config.head_count} heads"
    name = f"heads{config.head_count}"
    return {
        "name": name,
        "title": {
            "en": f"{name}: {heads} of {config.d_head}, d_model {config.d_model}",
            "zh": f"{name}：{config.head_count} 个头，每个 {config.d_head} 维，d_model {config.d_model}",
        },
        "languages": ["en"],
        "default_prompt": {"en": relations_corpus.DEFAULT, "zh": relations_corpus.DEFAULT},
        "default_query": {"en": "sleep", "zh": "sleep"},
        "claims": [],
        "validation": {
            "unit": "nats per next word",
            "losses": [_short(loss) for loss in losses],
            "seeds": seeds,
            "mean": _short(sum(losses) / len(losses)),
            "least": _short(min(losses)),
            "most": _short(max(losses)),
            "floor": _short(heads_corpus.floor(sentences)),
            "n": heads_corpus.predicted(sentences),
            "counted": "predicted words",
            "sentences": len(sentences),
        },
        "size": {
            "weights": sum(weight.numel() for weight in model.weights.values()),
            "d_model": config.d_model,
            "head_count": config.head_count,
            "d_head": config.d_head,
        },
        "word_groups": {group: {"en": list(forms)} for group, forms in word_groups().items()},
        "gloss": relations_words.glosses(),
        "training": {
            **training,
            "seed": seeds[0],
            "seeds_tried": seeds,
            "chosen_by": "The first seed, whatever its loss.",
        },
        "licence": "MIT; the corpus is generated, it holds no text of others",
    }


def validation_loss(model: Transformer, tokenizer: WordTokenizer, sentences: Sequence[Linked]) -> float:
    """−ln P(next word), averaged over every word of the sentences but the first, in nats."""
    number = {word: place for place, word in enumerate(tokenizer.vocabulary)}
    total = 0.0
    with plain_numerics():
        for length in sorted({len(one.words) for one in sentences}):
            ids = torch.tensor([[number[word] for word in one.words] for one in sentences if len(one.words) == length])
            logits = forward(model, ids[:, :-1])  # [sentence, position, vocab]
            total += float(
                torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="sum")
            )
    return total / heads_corpus.predicted(sentences)


def check(loaded: LoadedModel) -> list[dict[str, Any]]:
    """Measures the shipped weights again. Raises CheckFailed where the card says something else."""
    sentences = heads_corpus.held_out_sentences(heads_corpus.HELD_OUT_SENTENCES)
    stated = loaded.card.get("validation", {})
    if not stated.get("losses"):
        raise CheckFailed(f"model {loaded.name}", "its card says no loss")
    found = (
        ("loss", stated["losses"][0], validation_loss(loaded.model, loaded.tokenizer, sentences)),
        ("floor", stated.get("floor"), heads_corpus.floor(sentences)),
        ("n", stated.get("n"), heads_corpus.predicted(sentences)),
    )
    for what, said, value in found:
        if said is None or not abs(said - value) <= TOLERANCE:
            raise CheckFailed(
                f"validation {what} of {loaded.name}", f"the card says {said}, measured {round(value, DIGITS)}"
            )
    return [{"id": f"validation.{what}", "value": value} for what, _, value in found]


def card_page(card: Mapping[str, Any]) -> str:
    """The card as a page that people read: README.md beside the weights."""
    validation, size, training = card["validation"], card["size"], card["training"]
    settings, curve = training["settings"], training["curve"]
    tried = ", ".join(f"{rate}: {_three(loss)}" for rate, loss in training["rates_tried"].items())
    lines = [
        f"# {card['title']['en']}",
        "",
        "This page is made from `card.json`; do not edit it.",
        "",
        "One of four models that differ in nothing but the number of heads: 1, 4, 8 or 16 at the same d_model, so that "
        "more heads are smaller heads, with as many weights and products. One layer of attention, causal, without a "
        "feed-forward block, which could make up for heads.",
        "",
        f"{size['weights']:,} weights, d_model {size['d_model']}, {size['head_count']} × d_head {size['d_head']}.",
        "",
        "## Loss on held-out sentences",
        "",
        f"Mean of −ln P(next word) over {validation['n']:,} words of {validation['sentences']:,} sentences that "
        f"training never had, in nats. Whoever knows the grammar has **{_three(validation['floor'])}** on these very "
        "sentences.",
        "",
        "| seed | loss | above the grammar's own |",
        "|---|---|---|",
        *(
            f"| {seed} | {_three(loss)} | {_three(loss - validation['floor'])} |"
            for seed, loss in zip(validation["seeds"], validation["losses"], strict=True)
        ),
        f"| mean | **{_three(validation['mean'])}** | {_three(validation['mean'] - validation['floor'])} |",
        "",
        f"From {_three(validation['least'])} to {_three(validation['most'])}. Shipped: seed {training['seed']}. "
        + training["chosen_by"],
        "",
        "## Training",
        "",
        f"Corpus: {training['corpus']}, {training['sentences']} sentences, {training['words']} words; no sentence, no "
        f"word and no place counts more than another. {settings['steps']} steps of {settings['batch']} sentences, "
        f"weight decay {settings['weight_decay']}: the same for every number of heads. Learning rate "
        f"{settings['rate']}: of the same two, tried for every number of heads, the one with the lower mean loss on "
        f"the held-out sentences of the seeds {' and '.join(map(str, training['rates_tried_with']))} ({tried}). It "
        f"took {training['seconds_per_seed']} seconds a seed on one core. The weights are as training left them, not "
        "rounded.",
        "",
        "The loss is that of this budget. Mean training loss in each tenth of the steps, over all seeds: "
        + ", ".join(map(_three, curve))
        + ".",
        "",
        f"Licence: {card['licence']}.",
        "",
    ]
    return "\n".join(lines)


def _short(value: float) -> float:
    return round(value, DIGITS)


def _three(value: float) -> str:
    return f"{value:.3f}"
