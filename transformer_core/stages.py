"""The vocabulary: every quantity that a trace may hold, with axes, unit, equation, parents and role.

A stage's `key` has `{layer}` where its name has a 0-based layer number: key `blocks.{layer}.attn.pattern`,
name `blocks.0.attn.pattern`.
"""

import difflib
import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from transformer_core.errors import InputError
from transformer_core.other_runs import split_run

Role = Literal["weight", "data", "query", "key", "value", "pattern", "delta", "probability", "fixed"]
Unit = Literal["number", "score", "share", "logit", "probability"]


@dataclass(frozen=True, slots=True)
class Stage:
    """One kind of number. `parents` are the keys of the stages that the equation reads."""

    key: str
    axes: tuple[str, ...]
    unit: Unit
    equation: str
    parents: tuple[str, ...]
    role: Role
    symbol: str

    @property
    def per_layer(self) -> bool:
        """Whether there is one of it in each layer."""
        return "{layer}" in self.key

    def name(self, layer: int | None = None) -> str:
        """The name in a trace, for a 0-based layer where the stage belongs to one."""
        return self.key.replace("{layer}", str(layer))


_BLOCK = "blocks.{layer}."
_ATTN = _BLOCK + "attn."
_MLP = _BLOCK + "mlp."
_STREAM = ("position", "d_model")
_GRID = ("head", "query", "key")


def _weight(key: str, axes: str, symbol: str) -> Stage:
    return Stage(key, tuple(axes.split()), "number", f"{symbol}, learned", (), "weight", symbol)


def _norm(prefix: str, source: str) -> tuple[Stage, ...]:
    mean, variance, normalised = f"{prefix}.mean", f"{prefix}.variance", f"{prefix}.normalised"
    gain, bias = f"{prefix}.gain", f"{prefix}.bias"
    return (
        _weight(gain, "d_model", "γ"),
        _weight(bias, "d_model", "β"),
        Stage(mean, ("position",), "number", "μ = Σ x / d_model", (source,), "data", "μ"),
        Stage(variance, ("position",), "number", "σ² = Σ (x − μ)² / d_model", (source, mean), "data", "σ²"),
        Stage(normalised, _STREAM, "number", "x̂ = (x − μ) / √(σ² + ε)", (source, mean, variance), "data", "x̂"),
        Stage(f"{prefix}.out", _STREAM, "number", "γ ⊙ x̂ + β", (normalised, gain, bias), "data", "LN(x)"),
    )


def _softmax_over_vocabulary() -> tuple[Stage, ...]:
    wide = ("position", "vocab")
    return (
        Stage("logits_max", ("position",), "logit", "m = max_w l", ("logits",), "data", "m"),
        Stage("logits_shifted", wide, "logit", "l − m", ("logits", "logits_max"), "data", "l − m"),
        Stage("logits_exp", wide, "number", "e = exp(l − m)", ("logits_shifted",), "data", "e"),
        Stage("logits_sum", ("position",), "number", "Σ_w e", ("logits_exp",), "data", "Σ e"),
        Stage(
            "probabilities",
            wide,
            "probability",
            "P = e / Σ e",
            ("logits_exp", "logits_sum"),
            "probability",
            "P",
        ),
    )


_TABLE: tuple[Stage, ...] = (
    _weight("embed.W_E", "vocab d_model", "W_E"),
    _weight("embed.W_P", "position d_model", "W_P"),
    Stage("embed.PE", _STREAM, "number", "PE[p], for every p of the context", (), "fixed", "PE"),
    Stage("embed.token", _STREAM, "number", "W_E[id]", ("embed.W_E",), "data", "E"),
    Stage("embed.position", _STREAM, "number", "PE[p]", ("embed.W_P",), "fixed", "PE"),
    Stage("embed.out", _STREAM, "number", "E + PE", ("embed.token", "embed.position"), "data", "E"),
    Stage(_BLOCK + "residual.before", _STREAM, "number", "what the layer receives", (), "data", "E"),
    *_norm(_BLOCK + "norm1", _BLOCK + "residual.before"),
    Stage(_ATTN + "input", _STREAM, "number", "what the heads read", (_BLOCK + "residual.before",), "data", "E"),
    _weight(_ATTN + "W_Q", "head d_model d_head", "W_Q"),
    _weight(_ATTN + "W_K", "head d_model d_head", "W_K"),
    _weight(_ATTN + "W_V", "head d_model d_head", "W_V"),
    _weight(_ATTN + "W_O", "head d_head d_model", "W_O"),
    _weight(_ATTN + "b_Q", "head d_head", "b_Q"),
    _weight(_ATTN + "b_K", "head d_head", "b_K"),
    _weight(_ATTN + "b_V", "head d_head", "b_V"),
    _weight(_ATTN + "b_O", "d_model", "b_O"),
    Stage(
        _ATTN + "query",
        ("head", "query", "d_head"),
        "number",
        "Q = E W_Q + b_Q",
        (_ATTN + "input", _ATTN + "W_Q", _ATTN + "b_Q"),
        "query",
        "Q",
    ),
    Stage(
        _ATTN + "key",
        ("head", "key", "d_head"),
        "number",
        "K = E W_K + b_K",
        (_ATTN + "input", _ATTN + "W_K", _ATTN + "b_K"),
        "key",
        "K",
    ),
    Stage(
        _ATTN + "value",
        ("head", "key", "d_head"),
        "number",
        "V = E W_V + b_V",
        (_ATTN + "input", _ATTN + "W_V", _ATTN + "b_V"),
        "value",
        "V",
    ),
    Stage(_ATTN + "scores", _GRID, "score", "S = Q Kᵀ", (_ATTN + "query", _ATTN + "key"), "data", "S"),
    Stage(_ATTN + "scaled", _GRID, "score", "S / √d_head", (_ATTN + "scores",), "data", "S/√d_k"),
    Stage(_ATTN + "mask", _GRID, "score", "0 or −∞", (), "fixed", "M"),
    Stage(
        _ATTN + "masked",
        _GRID,
        "score",
        "S / √d_head + M",
        (_ATTN + "scaled", _ATTN + "mask"),
        "data",
        "S/√d_k + M",
    ),
    Stage(_ATTN + "row_max", ("head", "query"), "score", "m = max_j masked", (_ATTN + "masked",), "data", "m"),
    Stage(
        _ATTN + "shifted",
        _GRID,
        "score",
        "masked − m",
        (_ATTN + "masked", _ATTN + "row_max"),
        "data",
        "s − m",
    ),
    Stage(_ATTN + "exp", _GRID, "number", "e = exp(masked − m)", (_ATTN + "shifted",), "data", "e"),
    Stage(_ATTN + "row_sum", ("head", "query"), "number", "Σ_j e", (_ATTN + "exp",), "data", "Σ e"),
    Stage(_ATTN + "pattern", _GRID, "share", "A = e / Σ e", (_ATTN + "exp", _ATTN + "row_sum"), "pattern", "A"),
    Stage(
        _ATTN + "z",
        ("head", "query", "d_head"),
        "number",
        "Z = A V",
        (_ATTN + "pattern", _ATTN + "value"),
        "data",
        "Z",
    ),
    Stage(
        _ATTN + "head_out",
        ("head", "position", "d_model"),
        "number",
        "ΔE_h = Z_h W_O,h",
        (_ATTN + "z", _ATTN + "W_O"),
        "delta",
        "ΔE_h",
    ),
    Stage(_ATTN + "concat", ("position", "concat"), "number", "[Z_1 … Z_h]", (_ATTN + "z",), "data", "[Z]"),
    Stage(
        _ATTN + "out",
        _STREAM,
        "number",
        "ΔE = Σ_h ΔE_h + b_O",
        (_ATTN + "head_out", _ATTN + "b_O"),
        "delta",
        "ΔE",
    ),
    Stage(
        _BLOCK + "residual.attn_sum",
        _STREAM,
        "number",
        "E + ΔE",
        (_BLOCK + "residual.before", _ATTN + "out"),
        "data",
        "E + ΔE",
    ),
    Stage(_BLOCK + "residual.mid", _STREAM, "number", "E′", (_BLOCK + "residual.attn_sum",), "data", "E′"),
    *_norm(_BLOCK + "norm2", _BLOCK + "residual.mid"),
    _weight(_MLP + "W_in", "d_model d_mlp", "W_1"),
    _weight(_MLP + "b_in", "d_mlp", "b_1"),
    _weight(_MLP + "W_out", "d_mlp d_model", "W_2"),
    _weight(_MLP + "b_out", "d_model", "b_2"),
    Stage(
        _MLP + "pre",
        ("position", "d_mlp"),
        "number",
        "E′ W_1 + b_1",
        (_BLOCK + "residual.mid", _MLP + "W_in", _MLP + "b_in"),
        "data",
        "h",
    ),
    Stage(_MLP + "act", ("position", "d_mlp"), "number", "activation(h)", (_MLP + "pre",), "data", "f(h)"),
    Stage(
        _MLP + "out",
        _STREAM,
        "number",
        "f(h) W_2 + b_2",
        (_MLP + "act", _MLP + "W_out", _MLP + "b_out"),
        "delta",
        "ΔE",
    ),
    Stage(
        _BLOCK + "residual.mlp_sum",
        _STREAM,
        "number",
        "E′ + ΔE",
        (_BLOCK + "residual.mid", _MLP + "out"),
        "data",
        "E′ + ΔE",
    ),
    Stage(
        _BLOCK + "residual.after",
        _STREAM,
        "number",
        "what the layer hands on",
        (_BLOCK + "residual.mlp_sum",),
        "data",
        "E″",
    ),
    Stage(
        _BLOCK + "lens.logits",
        ("position", "vocab"),
        "logit",
        "the layer's result read by W_U",
        (_BLOCK + "residual.after", "unembed.W_U"),
        "data",
        "l",
    ),
    *_norm("final_norm", _BLOCK + "residual.after"),
    _weight("unembed.W_U", "d_model vocab", "W_U"),
    _weight("unembed.b_U", "vocab", "b_U"),
    Stage(
        "logits",
        ("position", "vocab"),
        "logit",
        "l = E″ W_U + b_U",
        (_BLOCK + "residual.after", "unembed.W_U", "unembed.b_U"),
        "data",
        "l",
    ),
    *_softmax_over_vocabulary(),
    Stage("cut.logits", ("position", "vocab"), "logit", "l with one head's ΔE = 0", (), "data", "l"),
    Stage(
        "cut.probabilities",
        ("position", "vocab"),
        "probability",
        "P with one head's ΔE = 0",
        ("cut.logits",),
        "probability",
        "P",
    ),
)

STAGES: dict[str, Stage] = {stage.key: stage for stage in _TABLE}

_LAYER = re.compile(r"^blocks\.(0|[1-9]\d*)\.")


@cache
def stage_of(name: str) -> Stage:
    """The stage that a name belongs to. Raises InputError with the nearest names for any other text."""
    key = _LAYER.sub("blocks.{layer}.", split_run(name)[1])
    if key not in STAGES or "{layer}" in name:
        near = difflib.get_close_matches(key, STAGES, n=2, cutoff=0.0)
        names = (STAGES[found].name(layer_of(name) or 0) for found in near)
        raise InputError(f"stage {name!r}", "no such quantity", "try " + ", ".join(names))
    return STAGES[key]


def layer_of(name: str) -> int | None:
    """The 0-based layer in a name, None where the stage belongs to no layer."""
    found = _LAYER.match(split_run(name)[1])
    return int(found.group(1)) if found else None
