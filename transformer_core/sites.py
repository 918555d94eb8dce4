"""Which stages a model of a given configuration has, and how large each is."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from transformer_core.config import ModelConfig
from transformer_core.other_runs import RUNS
from transformer_core.stages import stage_of

Scope = Literal["model", "attention"]

_NORM_WEIGHTS = ("gain", "bias")
_NORM_DATA = ("mean", "variance", "normalised", "out")
_CORE = (
    "query",
    "key",
    "value",
    "scores",
    "scaled",
    "mask",
    "masked",
    "row_max",
    "shifted",
    "exp",
    "row_sum",
    "pattern",
    "z",
)


def axis_sizes(config: ModelConfig, *, position_count: int) -> dict[str, int]:
    """How long each axis is for a prompt of `position_count` tokens."""
    return {
        "position": position_count,
        "query": position_count,
        "key": position_count,
        "head": config.head_count,
        "d_model": config.d_model,
        "d_head": config.d_head,
        "d_mlp": config.d_mlp,
        "vocab": config.vocabulary_size,
        "concat": config.head_count * config.d_head,
    }


def shape_of(name: str, config: ModelConfig, *, position_count: int) -> tuple[int, ...]:
    """The shape of a traced quantity. A table of positions has all `context_length` rows."""
    if name in ("embed.W_P", "embed.PE"):
        return (config.context_length, config.d_model)
    sizes = axis_sizes(config, position_count=position_count)
    return tuple(sizes[axis] for axis in stage_of(name).axes)


def weight_names(config: ModelConfig) -> tuple[str, ...]:
    """The names of the learned arrays, which are the names in a weights file."""
    return tuple(_weights(config))


def _norms_of_block(config: ModelConfig, layer: int) -> tuple[str, ...]:
    if config.norm_order == "none":
        return ()
    return (f"blocks.{layer}.norm1", f"blocks.{layer}.norm2") if config.d_mlp else (f"blocks.{layer}.norm1",)


def _weights(config: ModelConfig) -> Iterator[str]:
    yield "embed.W_E"
    if config.positions == "learned":
        yield "embed.W_P"
    for layer in range(config.layer_count):
        block = f"blocks.{layer}"
        for norm in _norms_of_block(config, layer):
            yield from (f"{norm}.{part}" for part in _NORM_WEIGHTS)
        yield from (f"{block}.attn.W_{letter}" for letter in "QKVO")
        if config.attention_bias:
            yield from (f"{block}.attn.b_{letter}" for letter in "QKVO")
        if config.d_mlp:
            yield from (f"{block}.mlp.W_in", f"{block}.mlp.W_out")
            if config.mlp_bias:
                yield from (f"{block}.mlp.b_in", f"{block}.mlp.b_out")
    if config.final_norm:
        yield from (f"final_norm.{part}" for part in _NORM_WEIGHTS)
    if not config.tied:
        yield "unembed.W_U"
    if config.unembed_bias:
        yield "unembed.b_U"


def trace_names(
    config: ModelConfig, *, scope: Scope = "model", cut: bool = False, reordered: bool = False
) -> tuple[str, ...]:
    """Every name that a trace must hold, no more and no fewer.

    Scope "attention" is the core alone, from Q, K and V to z, for traces made from plain arrays. `reordered`
    adds what `further_names` gives.
    """
    if scope == "attention":
        return tuple(f"blocks.{layer}.attn.{part}" for layer in range(config.layer_count) for part in _CORE)
    names = list(_weights(config))
    if config.tied:
        names.append("unembed.W_U")
    names += ["embed.token", "embed.out"] + (["embed.position"] if config.positions != "none" else [])
    for layer in range(config.layer_count):
        block = f"blocks.{layer}"
        for norm in _norms_of_block(config, layer):
            names += [f"{norm}.{part}" for part in _NORM_DATA]
        names += [f"{block}.attn.{part}" for part in ("input", *_CORE, "head_out", "concat", "out")]
        names += [f"{block}.residual.{part}" for part in ("before", "attn_sum", "mid", "after")]
        names.append(f"{block}.lens.logits")
        if config.d_mlp:
            names += [f"{block}.residual.mlp_sum", *(f"{block}.mlp.{part}" for part in ("pre", "act", "out"))]
    if config.final_norm:
        names += [f"final_norm.{part}" for part in _NORM_DATA]
    names += ["logits", "logits_max", "logits_shifted", "logits_exp", "logits_sum", "probabilities"]
    if cut:
        names += ["cut.logits", "cut.probabilities"]
    return (*names, *(further_names(config) if reordered else ()))


def further_names(config: ModelConfig) -> tuple[str, ...]:
    """What a trace with an order holds beside the prompt's own run: the other runs' data, and the fixed table."""
    table = ("embed.PE",) if config.positions == "sinusoidal" else ()
    data = {
        placed: set(trace_names(of)) - {*_weights(of), "unembed.W_U"}
        for placed, of in ((True, config), (False, replace(config, positions="none")))
    }
    return (*table, *(f"{run.key}.{name}" for run in RUNS.values() for name in sorted(data[run.placed])))
