"""The checks that every trace passes before it is used. A failure names the layer and the identity."""

from collections.abc import Callable

import numpy as np

from transformer_core.errors import CheckFailed
from transformer_core.sites import trace_names
from transformer_core.trace import Trace

# Largest allowed difference as a fraction of the largest number compared. Sums of a few hundred terms lose a
# few hundred last bits at worst: 2^-52, 2^-23 and 2^-8 are one last bit of these types.
ALLOWED = {"float64": 1e-11, "float32": 1e-4, "bfloat16": 6e-2}

Read = Callable[[str], np.ndarray]


def check(trace: Trace) -> None:
    """Raises CheckFailed for the first identity that does not hold."""
    spec = trace.spec
    _sites(trace)
    for layer in range(spec.config.layer_count):
        _attention_core(trace, layer)
        if spec.scope == "model":
            _attention_sum(trace, layer)
            _residual(trace, layer)
    if spec.scope == "model":
        _answer(trace)
    if spec.order is not None and not spec.config.causal:
        _moves_along(trace, spec.order)


def _sites(trace: Trace) -> None:
    spec = trace.spec
    expected = set(
        trace_names(spec.config, scope=spec.scope, cut=spec.cut is not None, reordered=spec.order is not None)
    )
    held = set(trace.names())
    if held != expected:
        odd = sorted(expected ^ held)[0]
        raise CheckFailed(
            "trace",
            f"it holds {len(held)} quantities where {len(expected)} are expected; {odd} is one too "
            + ("many" if odd in held else "few"),
        )


def _moves_along(trace: Trace, order: tuple[int, ...]) -> None:
    """Without mask and positions the tokens' vectors only change places; with exact sums, to the last bit."""
    for layer in range(trace.spec.config.layer_count):
        where, identity = f"layer {layer + 1}", "reordered tokens, reordered vectors"
        name = f"blocks.{layer}.residual.attn_sum"
        there, here = trace.array(f"unplaced_reordered.{name}"), trace.array(f"unplaced.{name}")[list(order)]
        _same(trace, where, identity, there, here)
        if trace.spec.config.exact_sums and layer == 0 and bool((there != here).any()):
            raise CheckFailed(f"{where}, identity “{identity}”", "not the same to the last bit")


def _same(trace: Trace, where: str, identity: str, left: np.ndarray, right: np.ndarray) -> None:
    closed = np.isneginf(left) & np.isneginf(right)
    left, right = np.where(closed, 0.0, left), np.where(closed, 0.0, right)
    difference = float(np.max(np.abs(left - right), initial=0.0))
    size = max(1.0, float(np.max(np.abs(right), initial=0.0)))
    if not difference <= ALLOWED[trace.spec.dtype] * size:
        raise CheckFailed(f"{where}, identity “{identity}”", f"the two sides differ by {difference:.3g}")


def _attention_core(trace: Trace, layer: int) -> None:
    where, name = f"layer {layer + 1}", f"blocks.{layer}.attn."
    masked, pattern = trace.array(name + "masked"), trace.array(name + "pattern")
    scores = trace.array(name + "query") @ np.swapaxes(trace.array(name + "key"), -1, -2)
    _same(trace, where, "Q Kᵀ = scores", scores, trace.array(name + "scores"))
    scaled = trace.array(name + "scores") / np.sqrt(trace.spec.config.d_head)
    _same(trace, where, "scores / √d_head = scaled", scaled, trace.array(name + "scaled"))
    _same(
        trace,
        where,
        "scaled + mask = masked",
        trace.array(name + "scaled") + trace.array(name + "mask"),
        masked,
    )
    _same(trace, where, "rows of the pattern sum to 1", pattern.sum(axis=-1), np.ones(pattern.shape[:-1]))
    shifted = masked - masked.max(axis=-1, keepdims=True)
    _same(trace, where, "masked − row max = shifted", shifted, trace.array(name + "shifted"))
    _same(trace, where, "exp(shifted) = exp", np.exp(shifted), trace.array(name + "exp"))
    _same(trace, where, "Σ exp = row sum", np.exp(shifted).sum(axis=-1), trace.array(name + "row_sum"))
    softmax = np.exp(shifted) / np.exp(shifted).sum(axis=-1, keepdims=True)
    _same(trace, where, "softmax(masked scores) = pattern", softmax, pattern)
    _same(trace, where, "pattern · V = z", pattern @ trace.array(name + "value"), trace.array(name + "z"))
    if bool((pattern[np.isneginf(trace.array(name + "mask"))] != 0.0).any()):
        raise CheckFailed(f"{where}, identity “masked places get no weight”", "one of them does")


def _attention_sum(trace: Trace, layer: int) -> None:
    where, name = f"layer {layer + 1}", f"blocks.{layer}.attn."
    z, weight = trace.array(name + "z"), trace.array(name + "W_O")
    bias = trace.array(name + "b_O") if trace.spec.config.attention_bias else 0.0
    _same(trace, where, "z W_O = ΔE of each head", z @ weight, trace.array(name + "head_out"))
    total = trace.array(name + "head_out").sum(axis=0) + bias
    _same(trace, where, "Σ_h ΔE_h + b_O = attention ΔE", total, trace.array(name + "out"))
    flat = weight.reshape(-1, weight.shape[-1])
    _same(
        trace,
        where,
        "concat · W_O + b_O = attention ΔE",
        trace.array(name + "concat") @ flat + bias,
        trace.array(name + "out"),
    )


def _residual(trace: Trace, layer: int) -> None:
    config, where, name = trace.spec.config, f"layer {layer + 1}", f"blocks.{layer}."
    before = trace.array(name + "residual.before")
    arrives = trace.array("embed.out" if layer == 0 else f"blocks.{layer - 1}.residual.after")
    _same(trace, where, "the layer receives what came before it", arrives, before)
    total = before + trace.array(name + "attn.out")
    _same(trace, where, "before + attention ΔE = attention sum", total, trace.array(name + "residual.attn_sum"))
    middle = _normed(trace, total, name + "norm1") if config.norm_order == "post" else total
    reads = _normed(trace, before, name + "norm1") if config.norm_order == "pre" else before
    _same(trace, where, "what the heads read follows the norm order", reads, trace.array(name + "attn.input"))
    _same(
        trace,
        where,
        "the middle of the residual stream follows the norm order",
        middle,
        trace.array(name + "residual.mid"),
    )
    after = trace.array(name + "residual.mid")
    if config.d_mlp:
        after = after + trace.array(name + "mlp.out")
        _same(
            trace,
            where,
            "mid + feed-forward ΔE = feed-forward sum",
            after,
            trace.array(name + "residual.mlp_sum"),
        )
        if config.norm_order == "post":
            after = _normed(trace, after, name + "norm2")
    _same(
        trace,
        where,
        "the end of the residual stream follows the norm order",
        after,
        trace.array(name + "residual.after"),
    )


def _normed(trace: Trace, x: np.ndarray, name: str) -> np.ndarray:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + trace.spec.config.layer_norm_epsilon)
    return centred / spread * trace.array(f"{name}.gain") + trace.array(f"{name}.bias")


def _answer(trace: Trace) -> None:
    config, logits = trace.spec.config, trace.array("logits")
    last = config.layer_count - 1
    _same(
        trace,
        f"layer {last + 1}",
        "last logit lens = logits",
        trace.array(f"blocks.{last}.lens.logits"),
        logits,
    )
    end = trace.array(f"blocks.{last}.residual.after")
    if config.final_norm:
        end = _normed(trace, end, "final_norm")
    bias = trace.array("unembed.b_U") if config.unembed_bias else 0.0
    _same(trace, "answer", "E W_U + b_U = logits", end @ trace.array("unembed.W_U") + bias, logits)
    if config.tied:
        _same(trace, "answer", "W_U = transposed W_E", trace.array("embed.W_E").T, trace.array("unembed.W_U"))
    _share(trace, "logits", "probabilities")
    if trace.spec.cut is not None:
        _share(trace, "cut.logits", "cut.probabilities")


def _share(trace: Trace, logits: str, probabilities: str) -> None:
    exponentials = np.exp(trace.array(logits) - trace.array(logits).max(axis=-1, keepdims=True))
    softmax = exponentials / exponentials.sum(axis=-1, keepdims=True)
    _same(trace, "answer", f"softmax({logits}) = {probabilities}", softmax, trace.array(probabilities))
    ones = np.ones(softmax.shape[:-1])
    _same(trace, "answer", f"{probabilities} sum to 1", trace.array(probabilities).sum(axis=-1), ones)
