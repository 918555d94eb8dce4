"""The identities bite: each is broken once, and the failure names the layer and the identity."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.small_models import PROMPT, small_model
from transformer_core import identities
from transformer_core.capture import capture
from transformer_core.errors import CheckFailed
from transformer_core.trace import Trace

POST = {"norm_order": "post"}
PRE = {"norm_order": "pre", "final_norm": True, "attention_bias": True, "unembed_bias": True}
NONE = {"norm_order": "none"}

BREAKS = [
    (POST, "blocks.1.attn.query", "layer 2, identity “Q Kᵀ = scores”"),
    (POST, "blocks.0.attn.scaled", "layer 1, identity “scores / √d_head = scaled”"),
    (POST, "blocks.1.attn.masked", "layer 2, identity “scaled + mask = masked”"),
    (POST, "blocks.0.attn.pattern", "layer 1, identity “rows of the pattern sum to 1”"),
    (POST, "blocks.0.attn.shifted", "layer 1, identity “masked − row max = shifted”"),
    (POST, "blocks.0.attn.exp", "layer 1, identity “exp(shifted) = exp”"),
    (POST, "blocks.0.attn.row_sum", "layer 1, identity “Σ exp = row sum”"),
    (POST, "blocks.1.attn.value", "layer 2, identity “pattern · V = z”"),
    (POST, "blocks.1.attn.head_out", "layer 2, identity “z W_O = ΔE of each head”"),
    (POST, "blocks.1.attn.out", "layer 2, identity “Σ_h ΔE_h + b_O = attention ΔE”"),
    (PRE, "blocks.0.attn.b_O", "layer 1, identity “Σ_h ΔE_h + b_O = attention ΔE”"),
    (POST, "blocks.0.attn.concat", "layer 1, identity “concat · W_O + b_O = attention ΔE”"),
    (POST, "blocks.1.residual.before", "layer 2, identity “the layer receives what came before it”"),
    (POST, "blocks.1.residual.attn_sum", "layer 2, identity “before + attention ΔE = attention sum”"),
    (POST, "blocks.0.attn.input", "layer 1, identity “what the heads read follows the norm order”"),
    (PRE, "blocks.0.attn.input", "layer 1, identity “what the heads read follows the norm order”"),
    (
        POST,
        "blocks.0.norm1.gain",
        "layer 1, identity “the middle of the residual stream follows the norm order”",
    ),
    (
        PRE,
        "blocks.0.residual.mid",
        "layer 1, identity “the middle of the residual stream follows the norm order”",
    ),
    (
        NONE,
        "blocks.0.residual.mid",
        "layer 1, identity “the middle of the residual stream follows the norm order”",
    ),
    (POST, "blocks.0.mlp.out", "layer 1, identity “mid + feed-forward ΔE = feed-forward sum”"),
    (
        POST,
        "blocks.1.residual.after",
        "layer 2, identity “the end of the residual stream follows the norm order”",
    ),
    (PRE, "blocks.1.lens.logits", "layer 2, identity “last logit lens = logits”"),
    (PRE, "unembed.b_U", "answer, identity “E W_U + b_U = logits”"),
    (PRE, "final_norm.gain", "answer, identity “E W_U + b_U = logits”"),
    (POST, "embed.W_E", "answer, identity “W_U = transposed W_E”"),
    (POST, "probabilities", "answer, identity “softmax(logits) = probabilities”"),
    (POST, "cut.logits", "answer, identity “softmax(cut.logits) = cut.probabilities”"),
]


def broken(trace, name):
    arrays = {held: trace.array(held) for held in trace.names()}
    array = arrays[name].copy()
    place = tuple(0 for _ in array.shape)
    array[place] += 1e-6
    return Trace(trace.spec, arrays | {name: array})


@pytest.mark.parametrize(
    ("kind", "name", "message"), BREAKS, ids=[f"{kind['norm_order']} {name}" for kind, name, _ in BREAKS]
)
def test_a_broken_number_is_found(kind, name, message):
    trace = capture(small_model(**kind), PROMPT, cut=(0, 1))
    with pytest.raises(CheckFailed) as caught:
        identities.check(broken(trace, name))
    assert str(caught.value).startswith(f"{message}: the two sides differ by ")


def test_rows_that_sum_to_one_but_are_another_softmax():
    trace = capture(small_model(), PROMPT)
    arrays = {name: trace.array(name) for name in trace.names()}
    pattern = arrays["blocks.0.attn.pattern"].copy()
    pattern[1, 3] = pattern[1, 3, [1, 0, 2, 3, 4, 5]]
    with pytest.raises(CheckFailed, match="layer 1, identity “softmax"):
        identities.check(Trace(trace.spec, arrays | {"blocks.0.attn.pattern": pattern}))


def test_swapped_heads_are_found():
    trace = capture(small_model(), PROMPT)
    arrays = {name: trace.array(name) for name in trace.names()}
    with pytest.raises(CheckFailed, match="layer 2, identity “Q Kᵀ = scores”"):
        identities.check(Trace(trace.spec, arrays | {"blocks.1.attn.query": arrays["blocks.1.attn.query"][[1, 0, 2]]}))


def test_a_transposed_pattern_is_found():
    trace = capture(small_model(causal=False), PROMPT)
    arrays = {name: trace.array(name) for name in trace.names()}
    turned = np.swapaxes(arrays["blocks.0.attn.pattern"], 1, 2)
    with pytest.raises(CheckFailed, match="layer 1, identity “rows of the pattern sum to 1”"):
        identities.check(Trace(trace.spec, arrays | {"blocks.0.attn.pattern": turned}))


def test_one_quantity_too_few_and_one_too_many():
    trace = capture(small_model(), PROMPT)
    arrays = {name: trace.array(name) for name in trace.names()}
    fewer = {name: array for name, array in arrays.items() if name != "blocks.1.attn.z"}
    count = len(arrays)
    with pytest.raises(CheckFailed) as caught:
        identities.check(Trace(trace.spec, fewer))
    assert str(caught.value) == (
        f"trace: it holds {count - 1} quantities where {count} are expected; blocks.1.attn.z is one too few"
    )
    with pytest.raises(CheckFailed, match=r"cut\.logits is one too many"):
        identities.check(Trace(trace.spec, arrays | {"cut.logits": arrays["logits"]}))


def test_the_wrong_norm_order_is_found():
    trace = capture(small_model(norm_order="post"), PROMPT)
    arrays = {name: trace.array(name) for name in trace.names()}
    other = replace(trace.spec, config=replace(trace.spec.config, norm_order="pre"))
    with pytest.raises(CheckFailed, match="layer 1, identity “what the heads read follows the norm order”"):
        identities.check(Trace(other, arrays))


def test_weight_on_a_masked_place_is_found_however_small():
    trace = capture(small_model(), PROMPT)
    arrays = {name: trace.array(name) for name in trace.names()}
    pattern = arrays["blocks.0.attn.pattern"].copy()
    pattern[0, 0, 5] = 1e-300
    with pytest.raises(CheckFailed) as caught:
        identities.check(Trace(trace.spec, arrays | {"blocks.0.attn.pattern": pattern}))
    assert str(caught.value) == "layer 1, identity “masked places get no weight”: one of them does"
