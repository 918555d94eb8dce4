"""The chapter's numpy program, number by number."""

from pathlib import Path

import numpy as np
import pytest

from tests.tolerances import CHAPTER_EXAMPLE
from transformer_core import ops
from transformer_core.sources.arrays import attention_trace

DATA = Path(__file__).parents[1] / "data" / "chapter_example.npz"


@pytest.mark.parametrize(("causal", "suffix"), [(False, ""), (True, "_causal")])
def test_the_chapters_attention(causal, suffix):
    with np.load(DATA) as chapter:
        x, pattern, out = chapter["X"], chapter["A" + suffix], chapter["out" + suffix]
    trace = attention_trace(x, x, x, causal=causal, name="chapter")
    np.testing.assert_allclose(trace.array("blocks.0.attn.pattern")[0], pattern, rtol=0, atol=CHAPTER_EXAMPLE)
    np.testing.assert_allclose(trace.array("blocks.0.attn.z")[0], out, rtol=0, atol=CHAPTER_EXAMPLE)


def test_the_pattern_that_the_chapter_prints():
    with np.load(DATA) as chapter:
        x = chapter["X"]
    pattern = attention_trace(x, x, x, causal=True).array("blocks.0.attn.pattern")[0]
    assert np.round(pattern, 2).tolist() == [
        [1, 0, 0, 0],
        [0.43, 0.57, 0, 0],
        [0.01, 0.03, 0.96, 0],
        [0.01, 0.01, 0.06, 0.92],
    ]


def test_the_chapters_additive_weights_pass_through_our_softmax():
    import torch

    with np.load(DATA) as chapter:
        names = ("add_query", "add_keys", "add_Wq", "add_Wk", "add_v", "add_alpha")
        query, keys, w_query, w_key, v, alpha = (chapter[name] for name in names)
    scores = torch.from_numpy(np.tanh(w_query @ query + keys @ w_key.T) @ v)
    np.testing.assert_allclose(ops.softmax(scores).numpy(), alpha, rtol=0, atol=CHAPTER_EXAMPLE)
    assert np.round(alpha, 3).tolist() == [0.229, 0.349, 0.123, 0.299]
