"""The Transformer in the paper's order, as calls of `ops`: what is read here is what runs, traced or not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from types import MappingProxyType

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_core import exact_sums, ops, positions
from transformer_core.config import ModelConfig
from transformer_core.errors import InputError
from transformer_core.recorder import Tap, identity
from transformer_core.sites import shape_of, weight_names


@dataclass(frozen=True, slots=True, eq=False)
class Transformer:
    """A configuration and its weights, keyed by stage names. The weights may require gradients.

    Raises InputError when a weight is missing, left over or of another shape than the configuration's.
    """

    config: ModelConfig
    weights: Mapping[str, Tensor]

    def __post_init__(self) -> None:
        if self.config.layer_count > len(self.weights):
            # Every layer has weights of its own; asked before names are made for each.
            raise InputError(
                "weights",
                f"{len(self.weights)} arrays are too few for {self.config.layer_count} layers",
                "give weights that fit the configuration",
            )
        expected = weight_names(self.config)
        missing = [name for name in expected if name not in self.weights]
        extra = sorted(set(self.weights) - set(expected))
        if missing:
            raise InputError("weights", f"{missing[0]} is missing", "give weights that fit the configuration")
        if extra:
            raise InputError(
                "weights", f"{extra[0]} is not part of this model", "give weights that fit the configuration"
            )
        for name in expected:
            shape = shape_of(name, self.config, position_count=self.config.context_length)
            if tuple(self.weights[name].shape) != shape:
                raise InputError(
                    f"weight {name}",
                    f"its shape is {tuple(self.weights[name].shape)}, the configuration asks for {shape}",
                    "give weights that fit the configuration",
                )
        object.__setattr__(self, "weights", MappingProxyType({name: self.weights[name] for name in expected}))

    def to(self, *, device: str | torch.device, dtype: torch.dtype) -> "Transformer":
        """The same model with detached copies of its weights on a device and in a dtype."""
        moved = {
            name: weight.detach().to(device=device, dtype=dtype, copy=True) for name, weight in self.weights.items()
        }
        return Transformer(self.config, moved)

    def without_positions(self) -> "Transformer":
        """The same model with nothing added to the embeddings."""
        config = replace(self.config, positions="none")
        return Transformer(config, {name: self.weights[name] for name in weight_names(config)})


def init_weights(config: ModelConfig, *, seed: int, dtype: torch.dtype = torch.float64) -> dict[str, Tensor]:
    """Fresh weights: matrices normal with σ = 1/√(rows), embeddings σ = 1/√d_model, gains 1, biases 0."""
    generator = torch.Generator().manual_seed(seed)
    weights = {}
    for name in weight_names(config):
        shape = shape_of(name, config, position_count=config.context_length)
        last = name.rsplit(".", 1)[-1]
        if last == "gain":
            weights[name] = torch.ones(shape, dtype=dtype)
        elif last == "bias" or last.startswith("b_"):
            weights[name] = torch.zeros(shape, dtype=dtype)
        else:
            spread = 1.0 / sqrt(config.d_model if name.startswith("embed.") else shape[-2])
            weights[name] = torch.randn(shape, generator=generator, dtype=torch.float64).mul(spread).to(dtype)
    return weights


def forward(
    model: Transformer,
    ids: Int[Tensor, "*batch position"],
    *,
    tap: Tap = identity,
    cut: tuple[int, int] | None = None,
) -> Float[Tensor, "*batch position vocab"]:
    """Token ids to the logits of the next token at every position.

    Each quantity and each weight that is used passes through `tap(name, tensor)`, whose result is used from
    there on (the concatenation of the heads is kept only to be seen). `cut` = (layer, head), 0-based: the ΔE
    of that head is 0 at every position.
    """
    config = model.config
    residual = embed(model, ids, tap=tap)  # [..., position, d_model]
    for layer in range(config.layer_count):
        silent = cut[1] if cut is not None and cut[0] == layer else None
        residual = block(model, residual, layer=layer, tap=tap, silent_head=silent)  # [..., position, d_model]
    if config.final_norm:
        residual = layer_norm(model, residual, name="final_norm", tap=tap)
    return tap("logits", unembed(model, residual, tap=tap))  # [..., position, vocab]


def embed(
    model: Transformer, ids: Int[Tensor, "*batch position"], *, tap: Tap
) -> Float[Tensor, "*batch position d_model"]:
    """E = W_E[id] + PE. No factor √d_model, unlike section 3.4 of the paper."""
    config = model.config
    token = tap("embed.token", ops.look_up(tap("embed.W_E", model.weights["embed.W_E"]), ids))
    count = ids.shape[-1]
    if config.positions == "none":
        return tap("embed.out", token)
    if config.positions == "learned":
        place = positions.learned(tap("embed.W_P", model.weights["embed.W_P"]), position_count=count)
    else:
        place = positions.sinusoidal(count, d_model=config.d_model, device=token.device, dtype=token.dtype)
    return tap("embed.out", token + tap("embed.position", place))


def block(
    model: Transformer,
    residual: Float[Tensor, "*batch position d_model"],
    *,
    layer: int,
    tap: Tap,
    silent_head: int | None = None,
) -> Float[Tensor, "*batch position d_model"]:
    """One layer: f is attention, then the feed-forward block.

    post: LN(x + f(x)); pre: x + f(LN(x)); none: x + f(x). Source: Vaswani et al. 2017, section 3.1; Xiong
    et al. 2020 for pre.
    """
    config, name = model.config, f"blocks.{layer}"
    keep, norm1, norm2 = _keep(f"{name}.residual", tap), f"{name}.norm1", f"{name}.norm2"
    before = keep("before", residual)
    read = layer_norm(model, before, name=norm1, tap=tap) if config.norm_order == "pre" else before
    delta = attention(model, read, layer=layer, tap=tap, silent_head=silent_head)
    total = keep("attn_sum", before + delta)
    middle = keep("mid", layer_norm(model, total, name=norm1, tap=tap) if config.norm_order == "post" else total)
    if not config.d_mlp:
        return keep("after", middle)
    read = layer_norm(model, middle, name=norm2, tap=tap) if config.norm_order == "pre" else middle
    total = keep("mlp_sum", middle + feed_forward(model, read, layer=layer, tap=tap))
    return keep("after", layer_norm(model, total, name=norm2, tap=tap) if config.norm_order == "post" else total)


def attention(
    model: Transformer,
    read: Float[Tensor, "*batch position d_model"],
    *,
    layer: int,
    tap: Tap,
    silent_head: int | None = None,
) -> Float[Tensor, "*batch position d_model"]:
    """ΔE = Σ_h softmax(Q Kᵀ/√d_head + M) V W_O + b_O, every head from all of E."""
    config, name = model.config, f"blocks.{layer}.attn"
    keep, weight = _keep(name, tap), _weight(model, name, tap)
    sums = exact_sums if config.exact_sums else ops

    def bias(part: str) -> Tensor | None:
        return weight(part) if config.attention_bias else None

    read = keep("input", read)
    query = keep("query", sums.project_heads(read, weight("W_Q"), bias("b_Q")))  # [..., head, query, d_head]
    key = keep("key", sums.project_heads(read, weight("W_K"), bias("b_K")))  # [..., head, key, d_head]
    value = keep("value", sums.project_heads(read, weight("W_V"), bias("b_V")))  # [..., head, key, d_head]
    z = attend(query, key, value, causal=config.causal, name=name, tap=tap, exact=config.exact_sums)
    per_head = keep("head_out", sums.head_outputs(z, weight("W_O")))  # [..., head, position, d_model]
    keep("concat", ops.concatenate_heads(z))  # [..., position, concat]
    if silent_head is not None:
        per_head = ops.silence_head(per_head, head=silent_head)
    return keep("out", ops.sum_heads(per_head, bias("b_O")))  # [..., position, d_model]


def attend(
    query: Float[Tensor, "*batch head position d_head"],
    key: Float[Tensor, "*batch head position d_head"],
    value: Float[Tensor, "*batch head position d_head"],
    *,
    causal: bool,
    name: str,
    tap: Tap = identity,
    exact: bool = False,
) -> Float[Tensor, "*batch head position d_head"]:
    """Z = softmax(Q Kᵀ/√d_head + M) V, step by step. Source: Vaswani et al. 2017, equation 1.

    `exact`: every sum is correctly rounded, so that it does not depend on the order of the keys.
    """
    sums = exact_sums if exact else ops
    heads, count, d_head = query.shape[-3:]
    keep, like = _keep(name, tap), {"device": query.device, "dtype": query.dtype}
    raw = keep("scores", sums.scores(query, key))  # [..., head, query, key]
    scaled = keep("scaled", ops.scale(raw, d_head=d_head))
    one_mask = ops.causal_mask(count, **like) if causal else ops.no_mask(count, **like)  # [query, key]
    masked = keep("masked", ops.add_mask(scaled, keep("mask", one_mask.expand(heads, count, count))))
    largest = keep("row_max", ops.row_max(masked))  # [..., head, query]
    exponentials = keep("exp", sums.exponential(keep("shifted", ops.shift(masked, largest))))
    total = keep("row_sum", sums.row_sum(exponentials))  # [..., head, query]
    pattern = keep("pattern", ops.normalise_row(exponentials, total))  # [..., head, query, key]
    return keep("z", sums.mix_values(pattern, value))  # [..., head, query, d_head]


def feed_forward(
    model: Transformer, read: Float[Tensor, "*batch position d_model"], *, layer: int, tap: Tap
) -> Float[Tensor, "*batch position d_model"]:
    """activation(x W_1 + b_1) W_2 + b_2. Source: Vaswani et al. 2017, equation 2."""
    config, name = model.config, f"blocks.{layer}.mlp"
    keep, weight = _keep(name, tap), _weight(model, name, tap)
    bias_in, bias_out = (weight("b_in"), weight("b_out")) if config.mlp_bias else (None, None)
    pre = keep("pre", ops.linear(read, weight("W_in"), bias_in))  # [..., position, d_mlp]
    active = keep("act", ops.activate(pre, config.activation))  # [..., position, d_mlp]
    return keep("out", ops.linear(active, weight("W_out"), bias_out))  # [..., position, d_model]


def layer_norm(
    model: Transformer, x: Float[Tensor, "*batch position d_model"], *, name: str, tap: Tap
) -> Float[Tensor, "*batch position d_model"]:
    """LN(x) = γ ⊙ (x − μ)/√(σ² + ε) + β over each token's vector. Source: Ba, Kiros, Hinton 2016."""
    keep, weight = _keep(name, tap), _weight(model, name, tap)
    average = keep("mean", ops.mean(x))  # [..., position]
    spread = keep("variance", ops.variance(x, average))  # [..., position]
    normalised = ops.normalise(x, average, spread, epsilon=model.config.layer_norm_epsilon)
    return keep("out", ops.gain_and_bias(keep("normalised", normalised), weight("gain"), weight("bias")))


def unembed(
    model: Transformer, x: Float[Tensor, "*batch position d_model"], *, tap: Tap
) -> Float[Tensor, "*batch position vocab"]:
    """l = x W_U + b_U; W_U is the transposed W_E where the two are tied."""
    config, weights = model.config, model.weights
    matrix = tap("unembed.W_U", weights["embed.W_E"].T if config.tied else weights["unembed.W_U"])
    return ops.linear(x, matrix, tap("unembed.b_U", weights["unembed.b_U"]) if config.unembed_bias else None)


def logit_lens(
    model: Transformer, after: Float[Tensor, "*batch position d_model"]
) -> Float[Tensor, "*batch position vocab"]:
    """What the model would answer if a layer's result were the last: through the final norm, if any."""
    if model.config.final_norm:
        after = layer_norm(model, after, name="final_norm", tap=identity)
    return unembed(model, after, tap=identity)


def next_token(
    logits: Float[Tensor, "*batch position vocab"], *, tap: Tap = identity
) -> Float[Tensor, "*batch position vocab"]:
    """P = softmax(l) over the vocabulary, step by step: the probability of each next token."""
    largest = tap("logits_max", ops.row_max(logits))  # [..., position]
    exponentials = tap("logits_exp", torch.exp(tap("logits_shifted", ops.shift(logits, largest))))
    total = tap("logits_sum", ops.row_sum(exponentials))  # [..., position]
    return tap("probabilities", ops.normalise_row(exponentials, total))


def _keep(name: str, tap: Tap) -> Tap:
    """The tap for the quantities whose names begin alike."""

    def keep(part: str, tensor: Tensor) -> Tensor:
        return tap(f"{name}.{part}", tensor)

    return keep


def _weight(model: Transformer, name: str, tap: Tap) -> Callable[[str], Tensor]:
    """Weights by the last part of their names, each through the tap."""

    def weight(part: str) -> Tensor:
        return tap(f"{name}.{part}", model.weights[f"{name}.{part}"])

    return weight
