"""Random models of prime sizes, so that a swapped axis cannot pass, and a little vocabulary for them."""

from dataclasses import replace

import torch

from transformer_core.config import ModelConfig
from transformer_core.model import Transformer, init_weights
from transformer_core.sources.bundled import weights_hash
from transformer_core.sources.loaded import LoadedModel
from transformer_core.tokens import WordTokenizer

WORDS = (
    "a",
    "the",
    "fluffy",
    "blue",
    "creature",
    "roamed",
    "forest",
    ".",
    "一只",
    "蓬松",
    "的",
    "蓝色",
    "生物",
)

CONFIG = ModelConfig(
    vocabulary_size=13,
    context_length=11,
    d_model=14,
    head_count=3,
    d_head=5,
    layer_count=2,
    d_mlp=17,
    norm_order="post",
    positions="sinusoidal",
    causal=True,
)


def random_weights(config: ModelConfig, *, seed: int = 7) -> dict[str, torch.Tensor]:
    """Weights in which no gain is 1 and no bias 0, so that a forgotten one shows."""
    generator = torch.Generator().manual_seed(seed)
    weights = init_weights(config, seed=seed)
    for name, weight in weights.items():
        if name.rsplit(".", 1)[-1].startswith(("gain", "bias", "b_")):
            weights[name] = weight + 0.3 * torch.randn(weight.shape, generator=generator, dtype=torch.float64)
    return weights


def small_model(*, seed: int = 7, card: dict | None = None, **changes: object) -> LoadedModel:
    config = replace(CONFIG, **changes)
    model = Transformer(config, random_weights(config, seed=seed))
    return LoadedModel("small", model, WordTokenizer(WORDS), card or {}, weights_hash(model.weights))


PROMPT = "a fluffy blue creature roamed the"
