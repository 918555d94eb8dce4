"""Our layers against torch's own, live, and against the goldens of torch's test suite."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from tests.tolerances import SAME_LAYER_FLOAT64, SIX_DECIMALS_CUT
from transformer_core.config import ModelConfig
from transformer_core.model import Transformer, attend, attention, block
from transformer_core.recorder import Recorder, identity

HEADS, D_HEAD, D_MODEL, D_MLP, COUNT = 3, 5, 15, 17, 7


def config(**changes):
    sizes = {
        "vocabulary_size": 2,
        "context_length": 11,
        "d_model": D_MODEL,
        "head_count": HEADS,
        "d_head": D_HEAD,
    }
    kinds = {"layer_count": 1, "d_mlp": D_MLP, "positions": "none", "attention_bias": True, "causal": False}
    return ModelConfig(**(sizes | kinds | changes))


def weights_of(layer, sizes, *, attention_module):
    """Torch keeps W as [out, in], heads one after the other; here each head has an [in, out] matrix."""
    heads, d_head, d_model = sizes.head_count, sizes.d_head, sizes.d_model
    found = {"embed.W_E": torch.zeros(2, d_model, dtype=torch.float64)}
    parts = zip("QKV", attention_module.in_proj_weight.chunk(3), attention_module.in_proj_bias.chunk(3), strict=True)
    for letter, matrix, bias in parts:
        found[f"blocks.0.attn.W_{letter}"] = matrix.reshape(heads, d_head, d_model).transpose(1, 2)
        found[f"blocks.0.attn.b_{letter}"] = bias.reshape(heads, d_head)
    found["blocks.0.attn.W_O"] = attention_module.out_proj.weight.T.reshape(heads, d_head, d_model)
    found["blocks.0.attn.b_O"] = attention_module.out_proj.bias
    if layer is not None:
        for ours, theirs in (("W_in", layer.linear1.weight.T), ("W_out", layer.linear2.weight.T)):
            found[f"blocks.0.mlp.{ours}"] = theirs
        found |= {"blocks.0.mlp.b_in": layer.linear1.bias, "blocks.0.mlp.b_out": layer.linear2.bias}
        for norm in ("norm1", "norm2"):
            found |= {f"blocks.0.{norm}.gain": getattr(layer, norm).weight}
            found |= {f"blocks.0.{norm}.bias": getattr(layer, norm).bias}
    return {name: weight.detach() for name, weight in found.items()}


def random_like(module):
    generator = torch.Generator().manual_seed(5)
    for parameter in module.parameters():
        parameter.data = torch.randn(parameter.shape, dtype=torch.float64, generator=generator) * 0.4
    return module.eval()


@pytest.mark.parametrize("causal", [True, False])
def test_scaled_dot_product_attention(causal):
    generator = torch.Generator().manual_seed(2)
    q, k, v = (torch.randn(2, HEADS, COUNT, D_HEAD, dtype=torch.float64, generator=generator) for _ in range(3))
    with sdpa_kernel(SDPBackend.MATH):
        expected = functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    ours = attend(q, k, v, causal=causal, name="blocks.0.attn")
    torch.testing.assert_close(ours, expected, rtol=0, atol=SAME_LAYER_FLOAT64)


@pytest.mark.parametrize("causal", [True, False])
def test_multi_head_attention_and_its_pattern(causal):
    theirs = random_like(nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True, dtype=torch.float64))
    x = torch.randn(1, COUNT, D_MODEL, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
    closed = torch.ones(COUNT, COUNT, dtype=torch.bool).triu(1) if causal else None
    expected, pattern = theirs(x, x, x, attn_mask=closed, average_attn_weights=False)
    shape = config(causal=causal, norm_order="none", d_mlp=0)
    model = Transformer(shape, weights_of(None, shape, attention_module=theirs))
    recorder = Recorder()
    ours = attention(model, x, layer=0, tap=recorder.tap)
    torch.testing.assert_close(ours, expected.detach(), rtol=0, atol=SAME_LAYER_FLOAT64)
    recorded = recorder.kept["blocks.0.attn.pattern"]
    torch.testing.assert_close(recorded, pattern.detach(), rtol=0, atol=SAME_LAYER_FLOAT64)


@pytest.mark.parametrize("norm_order", ["post", "pre"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_transformer_encoder_layer(norm_order, activation):
    theirs = random_like(
        nn.TransformerEncoderLayer(
            D_MODEL,
            HEADS,
            D_MLP,
            activation=activation,
            norm_first=norm_order == "pre",
            batch_first=True,
            dtype=torch.float64,
        )
    )
    x = torch.randn(2, COUNT, D_MODEL, dtype=torch.float64, generator=torch.Generator().manual_seed(4))
    shape = config(norm_order=norm_order, activation=activation)
    model = Transformer(shape, weights_of(theirs, shape, attention_module=theirs.self_attn))
    with torch.no_grad():
        expected = theirs(x)
        ours = block(model, x, layer=0, tap=identity)
    torch.testing.assert_close(ours, expected, rtol=0, atol=SAME_LAYER_FLOAT64)


@pytest.mark.parametrize(
    ("given", "golden"),
    [
        ([[[20, 30, 40, 50]]], [[[2.258703, 0.127985, -0.697881, 0.170862]]]),
        ([[[1, 2, 3, 4]], [[5, 6, 7, 8]]], [[[2.272644, 0.119035, -0.691669, 0.153486]]] * 2),
    ],
)
def test_the_goldens_of_torchs_own_encoder_layer_test(given, golden):
    layer = nn.TransformerEncoderLayer(4, 2, 16, dropout=0.0, dtype=torch.float64)
    for parameter in layer.parameters():
        parameter.data = torch.cos(torch.arange(parameter.numel(), dtype=torch.float64)).reshape(parameter.shape)
    shape = config(d_model=4, head_count=2, d_head=2, d_mlp=16)
    model = Transformer(shape, weights_of(layer, shape, attention_module=layer.self_attn))
    sequence_first = torch.tensor(given, dtype=torch.float64)
    ours = block(model, sequence_first.transpose(0, 1), layer=0, tap=identity).transpose(0, 1)
    np.testing.assert_allclose(ours.numpy(), np.array(golden), rtol=0, atol=SIX_DECIMALS_CUT)
