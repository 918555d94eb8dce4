"""The training loop: the project's own forward pass, Adam with decoupled weight decay, one thread."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import cos, pi

import torch
from torch import Tensor

from transformer_core.config import ModelConfig
from transformer_core.model import Transformer, forward, init_weights
from transformer_core.training.corpus import Corpus

Progress = Callable[[int, int, float], None]
"""Told (steps done, steps in all, loss) after every step."""
GRID = 100
"""Trained weights are whole numbers of 1/GRID."""
NEVER = 10**9
"""As `Settings.silent_every`: in no step."""
_NO_WORD = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a model is trained. The rate warms up linearly and falls as half a cosine to 2 % of `rate`."""

    steps: int
    batch: int = 128
    rate: float = 0.01
    warm_up: int = 200
    weight_decay: float = 0.02
    betas: tuple[float, float] = (0.9, 0.98)
    longest_gradient: float = 1.0
    embedding_spread: float = 0.5
    silent_every: int = 8
    """Every so many steps all ΔE of the first head are 0, so that ΔE = 0 is something the model knows."""


def train(
    config: ModelConfig,
    corpus: Corpus,
    settings: Settings,
    *,
    seed: int,
    progress: Progress | None = None,
    rounded: bool = True,
) -> Transformer:
    """The trained model as float64, on the 0.01 grid where `rounded`. The same for a seed on one machine."""
    with _one_thread():
        weights = _start(config, settings, seed=seed)
        ids, counts, lengths = _tables(corpus)
        matrices = [weight for weight in weights.values() if weight.dim() > 1]
        vectors = [weight for weight in weights.values() if weight.dim() == 1]
        groups = [
            {"params": matrices, "weight_decay": settings.weight_decay},
            {"params": vectors, "weight_decay": 0.0},
        ]
        optimiser = torch.optim.AdamW(groups, lr=settings.rate, betas=settings.betas)
        model = Transformer(config, weights)
        batches = _batches(len(ids), settings.batch, seed=seed)
        for step in range(settings.steps):
            for group in optimiser.param_groups:
                group["lr"] = _rate(step, settings)
            chosen = next(batches)
            longest = int(lengths[chosen].max())
            silent = (step + 1) % settings.silent_every == 0
            loss = next_word_loss(
                model, ids[chosen, :longest], counts[chosen, :longest], cut=(0, 0) if silent else None
            )
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(list(weights.values()), settings.longest_gradient)
            optimiser.step()
            if progress is not None:
                progress(step + 1, settings.steps, loss.item())
    return on_grid(model) if rounded else model.to(device="cpu", dtype=torch.float64)


def next_word_loss(model: Transformer, ids: Tensor, counts: Tensor, *, cut: tuple[int, int] | None = None) -> Tensor:
    """−log P(next word), averaged with the words' counts over [batch, position]; −1 pads. No smoothing."""
    logits = forward(model, ids[:, :-1].clamp(min=0), cut=cut)  # [batch, position, vocab]
    following = ids[:, 1:].reshape(-1)
    losses = torch.nn.functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), following, ignore_index=_NO_WORD, reduction="none"
    )
    share = counts[:, :-1].reshape(-1) * (following != _NO_WORD)
    return (losses * share).sum() / share.sum()


def on_grid(model: Transformer) -> Transformer:
    """The same model with every weight at the nearest multiple of 0.01, as the float64 that "0.37" is."""
    rounded = {
        name: torch.round(weight.detach().double() * GRID) / GRID + 0.0 for name, weight in model.weights.items()
    }
    return Transformer(model.config, rounded)


def _start(config: ModelConfig, settings: Settings, *, seed: int) -> dict[str, Tensor]:
    """`init_weights` with small embeddings, and W_O as the transpose of W_V: what is read is written."""
    weights = init_weights(config, seed=seed, dtype=torch.float32)
    weights["embed.W_E"] *= settings.embedding_spread * config.d_model**0.5
    for layer in range(config.layer_count):
        value = torch.linalg.qr(weights[f"blocks.{layer}.attn.W_V"]).Q  # [head, d_model, d_head]
        weights[f"blocks.{layer}.attn.W_V"] = value.contiguous()
        weights[f"blocks.{layer}.attn.W_O"] = value.transpose(-1, -2).contiguous()
    return {name: weight.requires_grad_() for name, weight in weights.items()}


def _tables(corpus: Corpus) -> tuple[Tensor, Tensor, Tensor]:
    number = {word: place for place, word in enumerate(corpus.vocabulary)}
    longest = max(map(len, corpus.sentences))
    ids = torch.full((len(corpus.sentences), longest), _NO_WORD)
    counts = torch.zeros(len(corpus.sentences), longest)
    for row, (words, weight) in enumerate(zip(corpus.sentences, corpus.counts, strict=True)):
        ids[row, : len(words)] = torch.tensor([number[word] for word in words])
        counts[row, : len(words)] = torch.tensor(weight)
    return ids, counts, (ids != _NO_WORD).sum(dim=1)


def _batches(count: int, size: int, *, seed: int) -> Iterator[Tensor]:
    """Random batches of one size. Sorting by length was faster, and learned less (effect .48 for .55)."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        order = torch.randperm(count, generator=generator)
        yield from (part for part in order.split(size) if len(part) == min(size, count))


def _rate(step: int, settings: Settings) -> float:
    warm = min(1.0, (step + 1) / settings.warm_up)
    return settings.rate * warm * (0.02 + 0.98 * 0.5 * (1.0 + cos(pi * step / settings.steps)))


@contextmanager
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
