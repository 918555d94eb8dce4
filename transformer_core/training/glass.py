"""glass: one layer, one head, d_model 16: a model in which every number of attention can be read."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from transformer_core.config import ModelConfig
from transformer_core.errors import InputError
from transformer_core.tokens import WordTokenizer
from transformer_core.training.card import Measured, grammar_card, measured
from transformer_core.training.card_text import card_text
from transformer_core.training.corpus import Corpus, corpus_of_file, grammar_corpus
from transformer_core.training.grammar import SNAPE
from transformer_core.training.loop import Settings, train
from transformer_core.training.recipes import Recipe
from transformer_core.training.seeds import SeedProgress, for_each_seed, write_model

NAME = "glass"
SHIPPED_SEED = 2
SEEDS = (0, 1, 2, 3, 4)
SENTENCES = 60_000
CONTEXT_LENGTH = 24
SETTINGS = Settings(steps=6000)
CALIBRATED = 0.03
"""A seed ships only where P(snape) is this near to the corpus's share, in both languages."""


def configuration(vocabulary_size: int) -> ModelConfig:
    """The shape of glass for a vocabulary."""
    return ModelConfig(
        vocabulary_size=vocabulary_size,
        context_length=CONTEXT_LENGTH,
        d_model=16,
        head_count=1,
        d_head=4,
        layer_count=1,
        d_mlp=64,
    )


def make(
    folder: Path,
    *,
    seeds: Sequence[int] = (SHIPPED_SEED,),
    corpus_file: Path | None = None,
    settings: Settings = SETTINGS,
    progress: SeedProgress | None = None,
) -> dict[str, Any]:
    """Trains every seed, writes the best as a model folder with its card, and returns the card's data.

    With a `corpus_file` of a lecturer's sentences, one a line, the vocabulary is theirs; nothing is claimed.
    Raises InputError for a file that cannot be used, and for no seed or several seeds with a file.
    """
    if corpus_file is not None and len(seeds) > 1:
        raise InputError(f"{len(seeds)} seeds", "nothing says which is the best", "give one seed")
    corpus = (
        grammar_corpus(SENTENCES) if corpus_file is None else corpus_of_file(corpus_file, context_length=CONTEXT_LENGTH)
    )
    tokenizer = WordTokenizer(corpus.vocabulary)
    config = configuration(len(corpus.vocabulary))
    trained, seconds = for_each_seed(
        seeds, lambda seed, told: train(config, corpus, settings, seed=seed, progress=told), progress=progress
    )
    if corpus_file is not None:
        model = trained[seeds[0]]
        card = _own_card(corpus, folder.name, seed=seeds[0], settings=settings)
    else:
        tried = [measured(model, tokenizer, seed=seed) for seed, model in trained.items()]
        best = choose(tried)
        model = best.model
        card = grammar_card(best, tried, _training(corpus, settings) | {"seconds_per_seed": seconds})
    write_model(folder, model, tokenizer, card=card, page=card_text)
    return card


def choose(tried: Sequence[Measured]) -> Measured:
    """Of the seeds whose P(snape) is calibrated (all, where none is), the one that shows the effect best.

    That is: the largest P(own adjectives) with ΔE minus without, at the default query of its weaker language.
    """
    calibrated = [
        one for one in tried if all(abs(answer["model"] - SNAPE) <= CALIBRATED for answer in one.answers.values())
    ]
    return max(
        calibrated or tried,
        key=lambda one: min(figures["with"] - figures["without"] for figures in one.prompts.values()),
    )


def _training(corpus: Corpus, settings: Settings) -> dict[str, Any]:
    return {
        "corpus": corpus.source,
        "sentences": len(corpus.sentences),
        "words": len(corpus.vocabulary),
        "settings": {**asdict(settings), "betas": list(settings.betas)},
        "label_smoothing": 0.0,
        "weights_on_grid": 0.01,
        "chosen_by": " ".join((choose.__doc__ or "").split()),
    }


def _own_card(corpus: Corpus, name: str, *, seed: int, settings: Settings) -> dict[str, Any]:
    first = " ".join(corpus.sentences[0])
    language = "zh" if any("\u4e00" <= letter <= "\u9fff" for letter in first) else "en"
    training = _training(corpus, settings) | {"seed": seed, "seeds_tried": [seed]}
    training.pop("chosen_by")
    return {
        "name": name,
        "title": {"en": f"{name}: trained on {corpus.source}", "zh": f"{name}：用 {corpus.source} 训练"},
        "languages": [language],
        "default_prompt": {language: first},
        "default_query": {language: corpus.sentences[0][-1]},
        "claims": [],
        "word_groups": {},
        "dependents": {},
        "gloss": {},
        "training": training,
        "licence": "that of its corpus",
    }


recipe = Recipe(NAME, (SHIPPED_SEED,), make)
