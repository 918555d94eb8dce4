"""order: an encoder without a mask that is asked, at every verb, who does it: it needs the order of the words."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import cos, pi
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from transformer_core.config import ModelConfig
from transformer_core.model import Transformer, forward, init_weights
from transformer_core.tokens import WordTokenizer
from transformer_core.training import order_corpus
from transformer_core.training.loop import on_grid
from transformer_core.training.order_card import card_page, check, model_card
from transformer_core.training.order_corpus import Scene
from transformer_core.training.recipes import Recipe
from transformer_core.training.seeds import SeedProgress, Told, for_each_seed, refuse_corpus, write_model

NAME = "order"
SHIPPED_SEED = 0
SEEDS = (0, 1, 2)
CONTEXT_LENGTH = 64
SENTENCES, CORPUS_SEED = 40_000, 1
_NOTHING_ASKED = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How it is trained: Adam, the rate warmed up over 100 steps and falling as half a cosine to 2 %."""

    steps: int = 4000
    batch: int = 128
    rate: float = 0.01
    weight_decay: float = 0.1
    embedding_spread: float = 0.6


def configuration(vocabulary_size: int) -> ModelConfig:
    """The shape of order for a vocabulary: as in the paper, post-norm; no mask."""
    return ModelConfig(
        vocabulary_size=vocabulary_size,
        context_length=CONTEXT_LENGTH,
        d_model=16,
        head_count=2,
        d_head=8,
        layer_count=1,
        d_mlp=32,
        causal=False,
    )


def make(
    folder: Path,
    *,
    seeds: Sequence[int] = (SHIPPED_SEED,),
    corpus_file: Path | None = None,
    settings: Settings | None = None,
    progress: SeedProgress | None = None,
) -> dict[str, Any]:
    """Trains every seed, with positions and without; writes the best as a model folder and returns its card.

    Raises InputError for a corpus file: who does what cannot be read from plain sentences.
    """
    refuse_corpus(corpus_file, why="this model learns who does what, which no plain text says")
    settings = settings or Settings()
    tokenizer = WordTokenizer(order_corpus.vocabulary())
    config = configuration(len(tokenizer.vocabulary))
    scenes = order_corpus.draws(SENTENCES, seed=CORPUS_SEED)
    bare = replace(config, positions="none")

    def both(seed: int, told: Told) -> tuple[Transformer, Transformer]:
        placed, without = (train(each, tokenizer, scenes, settings, seed=seed, told=told) for each in (config, bare))
        return placed, without

    trained, seconds = for_each_seed(seeds, both, progress=progress)
    training = {
        "corpus": "sentences of who does what to whom, drawn from a small grammar",
        "sentences": SENTENCES,
        "words": len(tokenizer.vocabulary),
        "settings": asdict(settings),
        "weights_on_grid": 0.01,
        "seconds_per_seed": seconds // 2,
    }
    model, card = model_card(trained, tokenizer, training)
    write_model(folder, model, tokenizer, card=card, page=card_page)
    return card


def train(
    config: ModelConfig,
    tokenizer: WordTokenizer,
    scenes: Sequence[Scene],
    settings: Settings,
    *,
    seed: int,
    told: Told | None = None,
) -> Transformer:
    """The trained model, its weights on the 0.01 grid, its sums exact from then on. The same for a seed."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        weights = init_weights(config, seed=seed, dtype=torch.float32)
        weights["embed.W_E"] *= settings.embedding_spread * config.d_model**0.5
        weights = {name: weight.requires_grad_() for name, weight in weights.items()}
        ids, answers = _tables(scenes, tokenizer)
        lengths = (ids != _NOTHING_ASKED).sum(dim=1)
        tables = [(lengths == n).nonzero().flatten() for n in lengths.unique()]
        model = Transformer(config, weights)
        optimiser = torch.optim.AdamW(
            list(weights.values()), lr=settings.rate, weight_decay=settings.weight_decay, betas=(0.9, 0.98)
        )
        sizes = torch.tensor([float(len(table)) for table in tables])
        generator = torch.Generator().manual_seed(seed)
        for step in range(settings.steps):
            for group in optimiser.param_groups:
                group["lr"] = _rate(step, settings)
            # Sentences of one length at a time: without a mask there is no place for padding.
            table = tables[int(torch.multinomial(sizes, 1, generator=generator))]
            chosen = table[torch.randint(len(table), (settings.batch,), generator=generator)]
            length = int(lengths[chosen[0]])
            loss = asked_loss(model, ids[chosen, :length], answers[chosen, :length])
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(list(weights.values()), 1.0)
            optimiser.step()
            if told is not None:
                told(step + 1, settings.steps, loss.item())
    finally:
        torch.set_num_threads(threads)
    rounded = on_grid(model)
    return Transformer(replace(config, exact_sums=True), rounded.weights)


def asked_loss(model: Transformer, ids: Tensor, answers: Tensor) -> Tensor:
    """−log P(the doer), averaged over the verbs; −1 where nothing is asked."""
    logits = forward(model, ids)  # [batch, position, vocab]
    return torch.nn.functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), answers.reshape(-1), ignore_index=_NOTHING_ASKED
    )


def _tables(scenes: Sequence[Scene], tokenizer: WordTokenizer) -> tuple[Tensor, Tensor]:
    number = {word: place for place, word in enumerate(tokenizer.vocabulary)}
    longest = max(len(scene.words) for scene in scenes)
    ids = torch.full((len(scenes), longest), _NOTHING_ASKED)
    answers = torch.full((len(scenes), longest), _NOTHING_ASKED)
    for row, scene in enumerate(scenes):
        ids[row, : len(scene.words)] = torch.tensor([number[word] for word in scene.words])
        for question in scene.questions:
            answers[row, question.verb] = number[question.doer]
    return ids, answers


def _rate(step: int, settings: Settings) -> float:
    warm = min(1.0, (step + 1) / 100)
    return settings.rate * warm * (0.02 + 0.98 * 0.5 * (1.0 + cos(pi * step / settings.steps)))


recipe = Recipe(NAME, (SHIPPED_SEED,), make, check, card_page)
