"""The ONNX standard's own cases, inputs and outputs, through our ops.

A case that we do not run is excluded for a reason of the table below, and the numbers of both are asserted.
"""

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
import torch

from tests.core.onnx_nodes import Case, cases
from tests.tolerances import ONNX_FLOAT32, ONNX_HALF
from transformer_core import ops


def heads(case, name, count):
    array = np.asarray(case.inputs[name]).astype(np.float64)
    return array if array.ndim == 4 else array.reshape(*array.shape[:2], count, -1).swapaxes(1, 2)


def qkv(case):
    query = heads(case, "Q", case.attributes.get("q_num_heads"))
    key, value = (heads(case, name, case.attributes.get("kv_num_heads")) for name in "KV")
    if "past_key" in case.inputs:
        key = np.concatenate([case.inputs["past_key"], key], axis=2)
        value = np.concatenate([case.inputs["past_value"], value], axis=2)
    return tuple(torch.from_numpy(np.ascontiguousarray(array, dtype=np.float64)) for array in (query, key, value))


def mask_of(case, query, key):
    mask = torch.zeros(query.shape[2], key.shape[2], dtype=torch.float64)
    if case.attributes.get("is_causal"):
        mask = mask + ops.causal_mask(query.shape[2], key_count=key.shape[2])
    given = case.inputs.get("attn_mask")
    if given is None:
        return mask
    if given.dtype == bool:
        return mask + torch.from_numpy(np.where(given, 0.0, -math.inf))
    return mask + torch.from_numpy(np.asarray(given).astype(np.float64))


def causal_with_cache(case):
    return "past_key" in case.inputs and bool(case.attributes.get("is_causal"))


def grouped(case):
    query, key, _ = qkv(case)
    return query.shape[1] != key.shape[1]


def windowed(case):
    return max(case.attributes.get("left_window_size", -1), case.attributes.get("right_window_size", -1)) >= 0


def empty_row(case):
    query, key, _ = qkv(case)
    return bool(torch.isneginf(mask_of(case, query, key)).all(dim=-1).any())


# The first reason that applies counts.
EXCLUDED: tuple[tuple[str, int, Callable[[Case], bool]], ...] = (
    ("several queries share a key: no such model here", 17, grouped),
    (
        "keys of several lengths: one prompt is traced at a time",
        11,
        lambda case: "nonpad_kv_seqlen" in case.inputs,
    ),
    ("a window of keys: no such model here", 4, windowed),
    ("capped scores: no such model here", 8, lambda case: bool(case.attributes.get("softcap"))),
    ("another scale than 1/√d_head: no such model here", 4, lambda case: "scale" in case.attributes),
    ("causal with cached keys: no cache here", 3, causal_with_cache),
    ("a row without any open key has no softmax: causal and open masks make none", 5, empty_row),
)


def reason_to_exclude(case):
    return next((reason for reason, _count, applies in EXCLUDED if applies(case)), None)


ATTENTION = [name for name, case in cases("Attention").items() if reason_to_exclude(case) is None]


@pytest.mark.parametrize("name", ATTENTION)
def test_attention(name):
    case = cases("Attention")[name]
    query, key, value = qkv(case)
    scaled = ops.scale(ops.scores(query, key), d_head=query.shape[-1])
    masked = ops.add_mask(scaled, mask_of(case, query, key))
    pattern = ops.softmax(masked)
    z = ops.mix_values(pattern, value)
    three_axes = case.inputs["Q"].ndim == 3
    compare(case, "Y", ops.concatenate_heads(z) if three_axes else z)
    if "qk_matmul_output" in case.outputs:
        steps = {0: scaled, 2: masked, 3: pattern}
        compare(case, "qk_matmul_output", steps[case.attributes.get("qk_matmul_output_mode", 0)])


def compare(case, output, ours):
    theirs = np.asarray(case.outputs[output]).astype(np.float64)
    tolerance = ONNX_HALF if case.half else ONNX_FLOAT32
    size = max(1.0, float(np.abs(theirs[np.isfinite(theirs)]).max()))
    np.testing.assert_allclose(ours.numpy(), theirs, rtol=0, atol=tolerance * size)


def test_how_many_attention_cases_run_and_why_the_others_do_not():
    reasons = Counter(reason_to_exclude(case) for case in cases("Attention").values())
    assert reasons.pop(None) == len(ATTENTION)
    assert len(ATTENTION) == 41
    assert reasons == {reason: count for reason, count, _applies in EXCLUDED}


@pytest.mark.parametrize("name", list(cases("LayerNormalization")))
def test_layer_normalization(name):
    """A norm over several axes is a norm over them laid end to end."""
    case = cases("LayerNormalization")[name]
    given = np.asarray(case.inputs["X"], dtype=np.float64)
    axis = case.attributes.get("axis", -1) % given.ndim
    flat = torch.from_numpy(given.reshape(*given.shape[:axis], -1))
    gain, bias = (torch.from_numpy(case.inputs[part].astype(np.float64).reshape(-1)) for part in ("W", "B"))
    average = ops.mean(flat)
    spread = ops.variance(flat, average)
    epsilon = case.attributes.get("epsilon", 1e-5)
    out = ops.gain_and_bias(ops.normalise(flat, average, spread, epsilon=epsilon), gain, bias)
    compare(case, "Y", out.reshape(given.shape))
    compare(case, "Mean", average.reshape(case.outputs["Mean"].shape))
    compare(case, "InvStdDev", (1 / torch.sqrt(spread + epsilon)).reshape(case.outputs["InvStdDev"].shape))


@pytest.mark.parametrize("name", list(cases("Gelu")))
def test_gelu(name):
    case = cases("Gelu")[name]
    op = ops.gelu_tanh if case.attributes.get("approximate") == b"tanh" else ops.gelu
    compare(case, "y", op(torch.from_numpy(case.inputs["x"].astype(np.float64))))


@pytest.mark.parametrize("name", list(cases("Softmax")))
def test_softmax(name):
    case = cases("Softmax")[name]
    axis = case.attributes.get("axis", -1)
    moved = torch.from_numpy(case.inputs["x"].astype(np.float64)).movedim(axis, -1)
    compare(case, "y", ops.softmax(moved).movedim(-1, axis))


def test_how_many_cases_there_are_of_the_other_operators():
    assert [len(cases(name)) for name in ("LayerNormalization", "Gelu", "Softmax")] == [19, 4, 7]
