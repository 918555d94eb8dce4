"""Every stage of the PyTorch forward pass against the NumPy one, over all kinds of model."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.small_models import PROMPT, random_weights, small_model
from tests.tolerances import SAME_MODEL_FLOAT64
from transformer_core import oracle
from transformer_core.capture import capture, capture_ids
from transformer_core.config import ModelConfig
from transformer_core.model import Transformer
from transformer_core.sources.bundled import weights_hash
from transformer_core.sources.loaded import LoadedModel
from transformer_core.tokens import WordTokenizer


def assert_same_stages(trace, loaded):
    weights = {name: weight.numpy() for name, weight in loaded.model.weights.items()}
    expected = oracle.run(loaded.model.config, weights, trace.spec.ids, cut=trace.spec.cut)
    assert set(expected) == set(trace.names())
    for name in trace.names():
        left, right = trace.array(name), expected[name]
        assert left.shape == right.shape, name
        assert np.array_equal(np.isneginf(left), np.isneginf(right)), name
        difference = np.abs(np.where(np.isneginf(left), 0.0, left) - np.where(np.isneginf(right), 0.0, right))
        assert difference.max(initial=0.0) <= SAME_MODEL_FLOAT64, name


@pytest.mark.parametrize(
    ("norm_order", "causal", "positions"),
    list(itertools.product(("post", "pre", "none"), (True, False), ("sinusoidal", "learned", "none"))),
)
@pytest.mark.parametrize("bare", [True, False], ids=["tied without biases", "untied with biases"])
def test_every_stage_agrees_with_the_oracle(norm_order, causal, positions, bare):
    loaded = small_model(
        norm_order=norm_order,
        causal=causal,
        positions=positions,
        tied=bare,
        attention_bias=not bare,
        mlp_bias=not bare,
        final_norm=not bare,
        unembed_bias=not bare,
    )
    assert_same_stages(capture(loaded, PROMPT, cut=(1, 2)), loaded)


@pytest.mark.parametrize("activation", ["relu", "gelu", "gelu_tanh"])
@pytest.mark.parametrize("norm_order", ["post", "pre", "none"])
def test_every_activation_agrees_with_the_oracle(activation, norm_order):
    loaded = small_model(activation=activation, norm_order=norm_order)
    assert_same_stages(capture(loaded, PROMPT), loaded)


@pytest.mark.parametrize("norm_order", ["post", "pre", "none"])
def test_a_model_without_feed_forward_block_agrees_with_the_oracle(norm_order):
    loaded = small_model(d_mlp=0, norm_order=norm_order, layer_count=1)
    trace = capture(loaded, PROMPT, cut=(0, 1))
    assert not [name for name in trace.names() if ".mlp" in name or "norm2" in name]
    assert_same_stages(trace, loaded)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    sizes=st.tuples(*(st.sampled_from([1, 2, 3, 5, 7]) for _ in range(4))),
    pairs=st.sampled_from([1, 3, 5]),
    choices=st.tuples(st.sampled_from(["post", "pre", "none"]), st.sampled_from(["relu", "gelu", "gelu_tanh"])),
    switches=st.tuples(*(st.booleans() for _ in range(6))),
    ids=st.lists(st.integers(0, 10), min_size=1, max_size=11),
)
def test_any_size_agrees_with_the_oracle(sizes, pairs, choices, switches, ids):
    heads, d_head, layers, d_mlp = sizes
    causal, attention_bias, mlp_bias, tied, final_norm, unembed_bias = switches
    config = ModelConfig(
        vocabulary_size=11,
        context_length=11,
        d_model=2 * pairs,
        head_count=heads,
        d_head=d_head,
        layer_count=min(layers, 3),
        d_mlp=d_mlp,
        norm_order=choices[0],
        causal=causal,
        attention_bias=attention_bias,
        mlp_bias=mlp_bias,
        activation=choices[1],
        tied=tied,
        final_norm=final_norm,
        unembed_bias=unembed_bias,
        layer_norm_epsilon=1e-3,
    )
    model = Transformer(config, random_weights(config))
    words = WordTokenizer(tuple(f"w{'x' * number}" for number in range(11)))
    loaded = LoadedModel("any", model, words, {}, weights_hash(model.weights))
    assert_same_stages(capture_ids(loaded, tuple(ids), prompt="any"), loaded)


def test_a_batch_gives_what_each_of_its_sequences_gives():
    from transformer_core.model import forward

    model = small_model(norm_order="pre", positions="learned").model
    ids = torch.tensor([[[1, 2, 3, 4, 5]], [[5, 4, 3, 2, 1]]])
    batch = forward(model, ids)
    assert batch.shape == (2, 1, 5, 13)
    for row in range(2):
        torch.testing.assert_close(batch[row, 0], forward(model, ids[row, 0]), rtol=0, atol=SAME_MODEL_FLOAT64)


def test_weights_learn():
    from transformer_core.model import forward

    loaded = small_model()
    weights = {name: weight.clone().requires_grad_() for name, weight in loaded.model.weights.items()}
    forward(Transformer(loaded.model.config, weights), torch.tensor([[1, 2, 3], [4, 5, 6]])).square().sum().backward()
    for name, weight in weights.items():
        assert weight.grad is not None, name
        assert torch.isfinite(weight.grad).all(), name
        assert weight.grad.abs().max() > 0, name
