"""heads1, heads4, heads8, heads16: one model with the same d_model cut into more and more, smaller and smaller heads.

Everything but the number of heads is the same: weights, products, corpus, steps, batches of a seed. The learning rate
is the better of the same two, tried in the same way for each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from transformer_core.config import ModelConfig
from transformer_core.model import Transformer
from transformer_core.tokens import WordTokenizer
from transformer_core.training import heads_corpus, relations_words
from transformer_core.training.corpus import Corpus
from transformer_core.training.heads_card import card_page, check, model_card
from transformer_core.training.loop import NEVER, Settings, train
from transformer_core.training.recipes import Recipe
from transformer_core.training.relations_corpus import Linked
from transformer_core.training.seeds import SeedProgress, Told, for_each_seed, refuse_corpus, write_model

HEAD_COUNTS = (1, 4, 8, 16)
SEEDS = (0, 1, 2, 3, 4)
"""The weights of the first are shipped, whatever its loss."""
D_MODEL = 64
CONTEXT_LENGTH = 24
SETTINGS = Settings(steps=2000, batch=64, silent_every=NEVER)
RATES_TRIED: Mapping[int, Mapping[float, float]] = {
    1: {0.01: 1.7682, 0.02: 1.7577},
    4: {0.01: 1.7399, 0.02: 1.7685},
    8: {0.01: 1.7396, 0.02: 1.7394},
    16: {0.01: 1.7429, 0.02: 1.7338},
}
"""By number of heads and learning rate: the mean loss on the held-out sentences of the seeds `TRIED_WITH`.

With 8 heads they are as good as equal. With 4 heads and 0.02 two of the five seeds stayed at 1.79 and 1.93.
"""
TRIED_WITH = (0, 1)
CURVE = 10
"""The curve on the card has so many parts."""


def configuration(vocabulary_size: int, *, head_count: int) -> ModelConfig:
    """One layer of attention, post-norm, sinusoidal positions; no feed-forward block, which could make up for heads."""
    return ModelConfig(
        vocabulary_size=vocabulary_size,
        context_length=CONTEXT_LENGTH,
        d_model=D_MODEL,
        head_count=head_count,
        d_head=D_MODEL // head_count,
        layer_count=1,
        d_mlp=0,
    )


def settings_of(head_count: int) -> Settings:
    """The common settings with the better rate of those tried."""
    tried = RATES_TRIED[head_count]
    return replace(SETTINGS, rate=min(tried, key=lambda rate: tried[rate]))


def make(
    folder: Path,
    *,
    head_count: int,
    seeds: Sequence[int] = SEEDS,
    corpus_file: Path | None = None,
    settings: Settings | None = None,
    progress: SeedProgress | None = None,
) -> dict[str, Any]:
    """Trains every seed, writes the first as a model folder with the losses of all on its card, returns the card.

    Raises InputError for a corpus file, for whose sentences no loss can be called the least, and for no seed.
    """
    refuse_corpus(corpus_file, why="this model is compared with others on sentences of a grammar")
    settings = settings or settings_of(head_count)
    tokenizer = WordTokenizer(relations_words.vocabulary())
    config = configuration(len(tokenizer.vocabulary), head_count=head_count)
    corpus = corpus_of(heads_corpus.training_sentences(heads_corpus.SENTENCES))
    losses: list[list[float]] = []

    def one(seed: int, told: Told) -> Transformer:
        losses.append([])

        def kept(done: int, steps: int, loss: float) -> None:
            losses[-1].append(loss)
            told(done, steps, loss)

        return train(config, corpus, settings, seed=seed, progress=kept, rounded=False)

    trained, seconds = for_each_seed(seeds, one, progress=progress)
    told_settings = {**asdict(settings), "betas": list(settings.betas)}
    told_settings.pop("silent_every")
    training = {
        "corpus": corpus.source,
        "sentences": len(corpus.sentences),
        "words": len(corpus.vocabulary),
        "settings": told_settings,
        "seconds_per_seed": seconds,
        "curve": [round(loss, 4) for loss in curve(losses)],
        "rates_tried": {str(rate): loss for rate, loss in RATES_TRIED[head_count].items()},
        "rates_tried_with": list(TRIED_WITH),
    }
    card = model_card(trained, tokenizer, training)
    write_model(folder, trained[seeds[0]], tokenizer, card=card, page=card_page)
    return card


def curve(losses: Sequence[Sequence[float]]) -> list[float]:
    """The training loss in each of `CURVE` equal parts of the steps, averaged over the seeds."""
    parts = min(CURVE, len(losses[0]))
    bounds = [len(losses[0]) * part // parts for part in range(parts + 1)]
    means = [[sum(own[a:b]) / (b - a) for own in losses] for a, b in pairwise(bounds)]
    return [sum(part) / len(part) for part in means]


def corpus_of(sentences: Sequence[Linked]) -> Corpus:
    """The sentences' words; every next word counts once, as it does in the loss on the card."""
    return Corpus(
        vocabulary=relations_words.vocabulary(),
        sentences=tuple(sentence.words for sentence in sentences),
        counts=tuple((1.0,) * len(sentence.words) for sentence in sentences),
        source="sentences of the grammar of the model relations",
    )


family = tuple(
    Recipe(f"heads{head_count}", SEEDS, partial(make, head_count=head_count), check, card_page)
    for head_count in HEAD_COUNTS
)
