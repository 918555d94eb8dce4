"""relations: one layer of four heads that take on different relations, because the next words need them."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from transformer_core.config import ModelConfig
from transformer_core.tokens import WordTokenizer
from transformer_core.training import relations_corpus, relations_words
from transformer_core.training.corpus import Corpus
from transformer_core.training.loop import NEVER, Settings, train
from transformer_core.training.recipes import Recipe
from transformer_core.training.relations_card import card_page, check, model_card
from transformer_core.training.relations_corpus import Linked
from transformer_core.training.seeds import SeedProgress, for_each_seed, refuse_corpus, write_model

NAME = "relations"
SHIPPED_SEED = 1
SEEDS = (0, 1, 2, 3, 4, 5, 6, 7)
CONTEXT_LENGTH = 24
SENTENCES, CORPUS_SEED = 40_000, 1
SETTINGS = Settings(steps=3000, silent_every=NEVER)
LINK_COUNTS = 5.0
"""How many times the word counts in the loss that a relation decides, or that must have the subject's number."""


def configuration(vocabulary_size: int) -> ModelConfig:
    """The shape of relations for a vocabulary: as in the paper, post-norm, sinusoidal positions."""
    return ModelConfig(
        vocabulary_size=vocabulary_size,
        context_length=CONTEXT_LENGTH,
        d_model=16,
        head_count=4,
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

    Raises InputError for a corpus file, since plain sentences do not say what relates to what, and for no seed.
    """
    refuse_corpus(corpus_file, why="this model learns relations, which no plain text marks")
    tokenizer = WordTokenizer(relations_words.vocabulary())
    config = configuration(len(tokenizer.vocabulary))
    corpus = corpus_of(relations_corpus.draws(SENTENCES, relations_corpus.TRAINING, seed=CORPUS_SEED))
    trained, seconds = for_each_seed(
        seeds, lambda seed, told: train(config, corpus, settings, seed=seed, progress=told), progress=progress
    )
    told_settings = {**asdict(settings), "betas": list(settings.betas), "link_counts": LINK_COUNTS}
    told_settings.pop("silent_every")
    training = {
        "corpus": corpus.source,
        "sentences": len(corpus.sentences),
        "words": len(corpus.vocabulary),
        "settings": told_settings,
        "attention_supervised": False,
        "weights_on_grid": 0.01,
        "seconds_per_seed": seconds,
    }
    model, card = model_card(trained, tokenizer, training)
    write_model(folder, model, tokenizer, card=card, page=card_page)
    return card


def corpus_of(sentences: Sequence[Linked]) -> Corpus:
    """The sentences' words, and how much each next word counts. Nothing says where to look."""
    counts = []
    for sentence in sentences:
        own = [1.0] * len(sentence.words)
        for place in (sentence.verb - 1, *(link.source for link in sentence.links)):
            own[place] = LINK_COUNTS
        counts.append(tuple(own))
    return Corpus(
        vocabulary=relations_words.vocabulary(),
        sentences=tuple(sentence.words for sentence in sentences),
        counts=tuple(counts),
        source="sentences of a small grammar with number agreement, modifiers and pronouns",
    )


recipe = Recipe(NAME, (SHIPPED_SEED,), make, check, card_page)
