"""The card of a bundled model: what it is, what is claimed of it, and how that varies over the seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from transformer_core.errors import CheckFailed
from transformer_core.model import Transformer
from transformer_core.sources import LoadedModel
from transformer_core.tokens import WordTokenizer
from transformer_core.training import claims, grammar, lexicon
from transformer_core.training.claims import Binding, Effect
from transformer_core.training.corpus import held_out_sentences

DIGITS = 4
PROMPTS = {
    "en": "a fluffy blue creature roamed the verdant forest",
    "zh": "一只蓬松的蓝色的生物漫步在翠绿的森林里",
}
QUERIES = {"en": "creature", "zh": "生物"}
ANSWERS = {
    "en": ("his least favourite teacher was professor", "snape"),
    "zh": ("他最不喜欢的老师是", "斯内普"),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One trained seed with all that was measured of it."""

    seed: int
    model: Transformer
    binding: Binding
    effect: Effect
    prompts: Mapping[str, Mapping[str, Any]]
    answers: Mapping[str, Mapping[str, Any]]


def measured(model: Transformer, tokenizer: WordTokenizer, *, seed: int) -> Measured:
    """Both claims on the held-out sentences, the default prompts and the prompts with a known answer."""
    binding, effect = claims.measure(model, tokenizer.vocabulary, held_out_sentences(claims.HELD_OUT_COUNT))
    return Measured(
        seed=seed,
        model=model,
        binding=binding,
        effect=effect,
        prompts={language: _prompt(model, tokenizer, language) for language in lexicon.LANGUAGES},
        answers={language: _answer(model, tokenizer, language) for language in lexicon.LANGUAGES},
    )


def claim_entries(shipped: Measured, tried: Sequence[Measured]) -> list[dict[str, Any]]:
    """The claims as the card states them: the shipped seed's figures, and the spread over all seeds tried."""
    binding, effect = shipped.binding, shipped.effect
    place = {"layer": claims.LAYER, "head": claims.HEAD, "at": "noun", "on": "adjective"}
    seeds = [one.seed for one in tried]
    return [
        {
            "id": "binding",
            **place,
            "mean": _short(binding.mean),
            "other": _short(binding.other),
            "n": binding.n,
            "chance": _short(binding.uniform),
            "chances": {
                "uniform over the visible tokens": _short(binding.uniform),
                "uniform over the visible adjectives": _short(binding.any_adjective),
                f"always {binding.offset} back (the best fixed offset)": _short(binding.offset_share),
            },
            "seeds": seeds,
            "spread": [_short(one.binding.mean) for one in tried],
            "spread_other": [_short(one.binding.other) for one in tried],
        },
        {
            "id": "effect",
            **place,
            "with": _short(effect.with_delta),
            "without": _short(effect.without),
            "other": _short(effect.other),
            "corpus": _short(effect.corpus),
            "n": effect.n,
            "chance": _short(effect.any_adjective),
            "seeds": seeds,
            "spread": [_short(one.effect.with_delta) for one in tried],
            "spread_without": [_short(one.effect.without) for one in tried],
        },
        {
            "id": "answer",
            "prompts": {language: dict(shipped.answers[language]) for language in lexicon.LANGUAGES},
            "corpus": grammar.SNAPE,
            "seeds": seeds,
            "spread": [[one.answers[language]["model"] for language in lexicon.LANGUAGES] for one in tried],
        },
    ]


def grammar_card(shipped: Measured, tried: Sequence[Measured], training: Mapping[str, Any]) -> dict[str, Any]:
    """The card's data for a model that was trained on the grammar."""
    return {
        "name": "glass",
        "title": {"en": "glass: small enough to read every number", "zh": "glass：小到每个数都读得到的模型"},
        "languages": list(lexicon.LANGUAGES),
        "default_prompt": PROMPTS,
        "default_query": QUERIES,
        "default_prompt_figures": {language: dict(shipped.prompts[language]) for language in lexicon.LANGUAGES},
        "answer_prompt": {language: prompt for language, (prompt, _) in ANSWERS.items()},
        "claims": claim_entries(shipped, tried),
        "word_groups": word_groups(),
        "dependents": {
            language: {word: list(words) for word, words in claims.dependents(language).items()}
            for language in lexicon.LANGUAGES
        },
        "gloss": lexicon.glosses(),
        "training": {**training, "seed": shipped.seed, "seeds_tried": [one.seed for one in tried]},
        "licence": "MIT; the corpus is generated, it holds no text of others",
    }


def word_groups() -> dict[str, dict[str, list[str]]]:
    """The words of each part of speech, by language."""
    groups = {
        "adjective": lexicon.ADJECTIVES,
        "noun": lexicon.SUBJECTS + lexicon.THINGS + lexicon.PLACES,
        "verb": lexicon.MOOD_VERBS + lexicon.ROAMING + lexicon.CROSSING + lexicon.MEETING + lexicon.HOLDING,
        "kind": tuple(
            dict.fromkeys(lexicon.ANIMAL_KINDS + lexicon.PEOPLE_KINDS + lexicon.THING_KINDS + lexicon.PLACE_KINDS)
        ),
        "name": lexicon.SURNAMES,
    }
    return {
        group: {language: [word.in_language(language) for word in words] for language in lexicon.LANGUAGES}
        for group, words in groups.items()
    }


def check(loaded: LoadedModel) -> list[dict[str, Any]]:
    """Measures the shipped weights again. Raises CheckFailed where the card says something else."""
    stated = {claim["id"]: claim for claim in loaded.card.get("claims", ())}
    if not stated:
        raise CheckFailed(f"model {loaded.name}", "its card makes no claims")
    again = measured(loaded.model, loaded.tokenizer, seed=loaded.card["training"]["seed"])
    entries = claim_entries(again, [again])
    for entry in entries:
        for key in sorted(set(entry) - {"seeds", "spread", "spread_other", "spread_without"}):
            said = stated[entry["id"]].get(key)
            if not _agree(said, entry[key]):
                raise CheckFailed(
                    f"claim {entry['id']} of {loaded.name}",
                    f"the card says {key} {said}, measured {entry[key]}",
                )
    return entries


def _agree(said: Any, measured_now: Any) -> bool:
    if isinstance(measured_now, Mapping):
        return isinstance(said, Mapping) and all(_agree(said.get(key), value) for key, value in measured_now.items())
    if isinstance(measured_now, float):
        return isinstance(said, float) and abs(said - measured_now) <= 2 * 10**-DIGITS
    return said == measured_now


def _prompt(model: Transformer, tokenizer: WordTokenizer, language: str) -> dict[str, Any]:
    words, ids = tokenizer.words(PROMPTS[language]), tokenizer.encode(PROMPTS[language])
    query = words.index(QUERIES[language])
    row = claims.pattern_row(model, ids, query=query)
    adjectives = [place for place in range(query) if words[place] in claims.dependents(language)]
    wanted = [ids[place] for place in adjectives]
    with_delta, without = (claims.next_word(model, ids, at=query, cut=cut) for cut in (False, True))
    return {
        "tokens": list(words),
        "query": query,
        "weights": [_short(share) for share in row],
        "adjectives": [words[place] for place in adjectives],
        "with": _short(sum(with_delta[word] for word in wanted)),
        "without": _short(sum(without[word] for word in wanted)),
        "with_each": [_short(with_delta[word]) for word in wanted],
        "without_each": [_short(without[word]) for word in wanted],
    }


def _answer(model: Transformer, tokenizer: WordTokenizer, language: str) -> dict[str, Any]:
    prompt, word = ANSWERS[language]
    answer = claims.next_word(model, tokenizer.encode(prompt))[tokenizer.id_of(word)]
    return {"prompt": prompt, "word": word, "model": _short(answer)}


def _short(value: float) -> float:
    return round(value, DIGITS)
