"""The card of the model relations: which head looks where, measured, beside what needs no learning."""

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from transformer_core.errors import CheckFailed
from transformer_core.model import Transformer
from transformer_core.sources import LoadedModel
from transformer_core.tokens import WordTokenizer
from transformer_core.training import relations_claims as claims
from transformer_core.training import relations_corpus as corpus
from transformer_core.training import relations_words as words
from transformer_core.training.relations_claims import Heads, Shares
from transformer_core.training.relations_corpus import RELATIONS

DIGITS = 4
ENOUGH = 0.9
TOLERANCE = 2 * 10**-DIGITS
ENDS = {"modifier": ("noun", "adjective"), "subject": ("verb", "noun"), "referent": ("pronoun", "noun")}
"""By relation the part of speech of its source and of its target."""
SAID = {
    "modifier": "At a noun: its own adjective",
    "subject": "At the verb: its subject, across another noun",
    "referent": "At the pronoun: the noun it stands for",
}


def model_card(
    trained: Mapping[int, Transformer], tokenizer: WordTokenizer, training: Mapping[str, Any]
) -> tuple[Transformer, dict[str, Any]]:
    """The chosen seed's model, and the card's data."""
    choosing = claims.held_out(corpus.CHOOSING)
    found = {seed: claims.shares(model, tokenizer.vocabulary, choosing) for seed, model in trained.items()}
    seed = choose_seed(found)
    entries = {each: measured(model, tokenizer) for each, model in trained.items()}
    card = {
        "name": "relations",
        "title": {"en": "relations: four heads, different relations", "zh": "relations：四个头，看不同的关系"},
        "languages": ["en"],
        "language_note": "English only: Chinese verbs have no number, nothing would tie them to their subjects.",
        "default_prompt": {"en": corpus.DEFAULT, "zh": corpus.DEFAULT},
        "default_query": {"en": "sleep", "zh": "sleep"},
        "claims": [
            entry | _spread([one[place] for one in entries.values()], list(trained))
            for place, entry in enumerate(entries[seed])
        ],
        "word_groups": {group: {"en": list(forms)} for group, forms in word_groups().items()},
        "gloss": words.glosses(),
        "training": {
            **training,
            "seed": seed,
            "seeds_tried": list(trained),
            "chosen_by": " ".join((choose_seed.__doc__ or "").split()),
        },
        "licence": "MIT; the corpus is generated, it holds no text of others",
    }
    return trained[seed], card


def choose_seed(found: Mapping[int, Shares]) -> int:
    """The seed whose three heads are told apart best on the sentences that heads are chosen on.

    That is: the largest difference of the smallest share of a chosen head on its own relation and the mean
    of the chosen heads' shares on each other's.
    """

    def distinct(seed: int) -> float:
        shares = found[seed]
        heads = claims.choose_heads(shares)
        own = min(float(shares[relation][heads[relation]]) for relation in RELATIONS)
        return own - sum(_elsewhere(shares, heads, relation) for relation in RELATIONS) / len(RELATIONS)

    return max(found, key=distinct)


def measured(model: Transformer, tokenizer: WordTokenizer) -> list[dict[str, Any]]:
    """The claims on one model's weights: heads chosen on one part of the held-out sentences, reported on another."""
    vocabulary = tokenizer.vocabulary
    choosing, reporting = claims.held_out(corpus.CHOOSING), claims.held_out(corpus.REPORTING)
    chosen_on = claims.shares(model, vocabulary, choosing)
    reported = claims.shares(model, vocabulary, reporting)
    heads = claims.choose_heads(chosen_on)
    entries = []
    for relation in RELATIONS:
        chance = claims.baseline(reporting, relation)
        effect = claims.effect(model, vocabulary, reporting, relation, heads[relation])
        best = claims.best_head(chosen_on[relation])
        source, target = ENDS[relation]
        entries.append(
            {
                "id": f"relation.{relation}",
                "layer": heads[relation][0],
                "head": heads[relation][1],
                "at": source,
                "on": target,
                "mean": _short(reported[relation][heads[relation]]),
                "n": chance.n,
                "baseline": _short(chance.offset_share),
                "offset": chance.offset,
                "uniform": _short(chance.uniform),
                "same_kind": _short(chance.same_kind),
                "first_of_kind": _short(chance.first_of_kind),
                "chosen_on": {
                    "mean": _short(chosen_on[relation][heads[relation]]),
                    "n": claims.baseline(choosing, relation).n,
                },
                "all_heads": [[_short(share) for share in layer] for layer in reported[relation]],
                "best_head": list(best),
                "best_mean": _short(reported[relation][best]),
                "elsewhere": _short(_elsewhere(reported, heads, relation)),
                "with": _short(effect.with_delta),
                "without": _short(effect.without),
                "corpus": _short(effect.corpus),
            }
        )
    right, count = claims.agreement(model, vocabulary, reporting)
    silenced, _ = claims.agreement(model, vocabulary, reporting, heads["subject"])
    agreement = {"id": "agreement", "mean": _short(right), "without": _short(silenced), "baseline": 0.0, "n": count}
    return [*entries, agreement]


def word_groups() -> dict[str, tuple[str, ...]]:
    """The words of each part of speech."""
    return {
        "adjective": tuple(adjective for (adjective, _), _ in words.MODIFIERS),
        "noun": tuple(noun.form(many=many) for noun in words.NOUNS for many in (False, True)),
        "verb": tuple(form for pair in words.VERBS for form, _ in pair),
        "pronoun": tuple(form for form, _ in words.PRONOUNS),
    }


def check(loaded: LoadedModel) -> list[dict[str, Any]]:
    """Measures the shipped weights again. Raises CheckFailed where the card says something else."""
    stated = {claim["id"]: claim for claim in loaded.card.get("claims", ())}
    entries = measured(loaded.model, loaded.tokenizer)
    for entry in entries:
        said = stated.get(entry["id"], {})
        for key, value in entry.items():
            if not _agree(said.get(key), value):
                raise CheckFailed(
                    f"claim {entry['id']} of {loaded.name}", f"the card says {key} {said.get(key)}, measured {value}"
                )
    return entries


def card_page(card: Mapping[str, Any]) -> str:
    """The card as a page that people read: README.md beside the weights."""
    relations = [claim for claim in card["claims"] if claim["id"].startswith("relation.")]
    agreement = next(claim for claim in card["claims"] if claim["id"] == "agreement")
    training, settings = card["training"], card["training"]["settings"]
    names = [claim["id"].removeprefix("relation.") for claim in relations]
    lines = [
        f"# {card['title']['en']}",
        "",
        "This page is made from `card.json`; do not edit it.",
        "",
        "One layer, four heads of 4, d_model 16, causal. It is trained to say the next word and nothing else: "
        "where its heads look is not supervised, it is measured afterwards. " + card["language_note"],
        "",
        "## Which head looks where",
        "",
        "Mean share of a head's weight that is on the right token, over sentences whose pair of nouns training never "
        "had. Each relation has a head of its own, chosen on other held-out sentences than those reported here.",
        "",
        "| relation | head | share | n | best fixed number of words back | all visible alike | its kind alike "
        "| first of its kind |",
        "|---|---|---|---|---|---|---|---|",
        *(
            f"| {SAID[name]} | {claim['head'] + 1} | **{_two(claim['mean'])}** | {claim['n']} "
            f"| {_two(claim['baseline'])} ({claim['offset']} back) | {_two(claim['uniform'])} "
            f"| {_two(claim['same_kind'])} | {_two(claim['first_of_kind'])} |"
            for name, claim in zip(names, relations, strict=True)
        ),
        "",
        "In this grammar the subject is always the first noun: to look there is all that finding it asks for.",
        "",
        "Every head against every relation; a head may serve more than one, and one may serve none:",
        "",
        "| head | " + " | ".join(names) + " |",
        "|---" * (len(names) + 1) + "|",
        *(
            f"| {layer + 1}.{head + 1} | "
            + " | ".join(_two(claim["all_heads"][layer][head]) for claim in relations)
            + " |"
            for layer, row in enumerate(relations[0]["all_heads"])
            for head in range(len(row))
        ),
        "",
        "## What depends on it",
        "",
        "P(a word comes next that only the right token brings), and the same with that head's ΔE = 0, which the model "
        "never met in training:",
        "",
        "| relation | as it is | that ΔE = 0 | in the corpus |",
        "|---|---|---|---|",
        *(
            f"| {name} | {_two(claim['with'])} | {_two(claim['without'])} | {_two(claim['corpus'])} |"
            for name, claim in zip(names, relations, strict=True)
        ),
        "",
        f"P(the verb has the subject's number), where the noun between has the other: **{_two(agreement['mean'])}**, "
        f"n = {agreement['n']}; going by the nearest noun {_two(agreement['baseline'])}; with ΔE = 0 of the "
        f"subject's head {_two(agreement['without'])}.",
        "",
        "## Seeds",
        "",
        "By seed: the share of the head that the relation has for itself, and in brackets that of the head that does "
        "best whatever else it does. Looking there is learned every time; three different heads for it are not: "
        f"all three shares are at least {_two(ENOUGH)} in {_apart(relations)} of {len(training['seeds_tried'])} seeds.",
        "",
        "| seed | " + " | ".join(names) + " |",
        "|---" * (len(names) + 1) + "|",
        *(
            f"| {seed} | "
            + " | ".join(f"{_two(claim['spread'][place])} ({_two(claim['spread_best'][place])})" for claim in relations)
            + " |"
            for place, seed in enumerate(training["seeds_tried"])
        ),
        "",
        f"Shipped: seed {training['seed']}. {training['chosen_by']}",
        "",
        "## Training",
        "",
        f"Corpus: {training['corpus']}, {training['sentences']} sentences, {training['words']} words. "
        f"{settings['steps']} steps of {settings['batch']} sentences, learning rate {settings['rate']}, weight decay "
        f"{settings['weight_decay']}; a next word that a relation decides counts {settings['link_counts']} times. "
        f"Every weight was then rounded to {training['weights_on_grid']}, and all of the above is measured on the "
        f"rounded weights. It took {training['seconds_per_seed']} seconds a seed on one core.",
        "",
        f"Licence: {card['licence']}.",
        "",
    ]
    return "\n".join(lines)


def _spread(entries: Sequence[Mapping[str, Any]], seeds: list[int]) -> dict[str, Any]:
    spread = {"seeds": seeds, "spread": [entry["mean"] for entry in entries]}
    if "head" not in entries[0]:
        return spread
    return spread | {
        "spread_heads": [[entry["layer"], entry["head"]] for entry in entries],
        "spread_best": [entry["best_mean"] for entry in entries],
        "spread_elsewhere": [entry["elsewhere"] for entry in entries],
    }


def _elsewhere(shares: Shares, heads: Heads, relation: str) -> float:
    """The mean share that a relation's head has on the other relations' targets."""
    others = [other for other in RELATIONS if other != relation]
    return sum(float(shares[other][heads[relation]]) for other in others) / len(others)


def _apart(relations: Sequence[Mapping[str, Any]]) -> int:
    """In how many seeds every relation has a head of its own."""
    return sum(min(shares) >= ENOUGH for shares in zip(*(claim["spread"] for claim in relations), strict=True))


def _agree(said: Any, value: Any) -> bool:
    if isinstance(value, Mapping):
        return isinstance(said, Mapping) and all(_agree(said.get(key), each) for key, each in value.items())
    if isinstance(value, list):
        return isinstance(said, (list, tuple)) and len(said) == len(value) and all(map(_agree, said, value))
    return isinstance(said, float) and abs(said - value) <= TOLERANCE if isinstance(value, float) else said == value


def _short(value: float | Tensor) -> float:
    return round(float(value), DIGITS)


def _two(value: float) -> str:
    return f"{value:.2f}"
