"""Running a prompt: the cut, the dtypes, what is refused, and that nothing outside is left changed."""

import numpy as np
import pytest
import torch

from tests.core.small_models import PROMPT, small_model
from tests.tolerances import FLOAT32_RUN, SAME_MODEL_FLOAT64
from transformer_core import model as model_module
from transformer_core.capture import capture, capture_ids
from transformer_core.errors import CheckFailed, InputError

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here; goes where one is lent")


def test_the_cut_is_the_model_without_that_heads_increment():
    loaded = small_model(layer_count=1, d_mlp=0, norm_order="none", final_norm=False)
    trace = capture(loaded, PROMPT, cut=(0, 1))
    without = trace.array("blocks.0.residual.after") - trace.array("blocks.0.attn.head_out")[1]
    expected = without @ trace.array("unembed.W_U")
    np.testing.assert_allclose(trace.array("cut.logits"), expected, rtol=0, atol=SAME_MODEL_FLOAT64)
    assert np.abs(trace.array("cut.logits") - trace.array("logits")).max() > 0.01


def test_the_cut_leaves_every_other_number_alone():
    loaded = small_model()
    plain, cut = capture(loaded, PROMPT), capture(loaded, PROMPT, cut=(0, 2))
    assert set(cut.names()) - set(plain.names()) == {"cut.logits", "cut.probabilities"}
    for name in plain.names():
        assert plain.array(name).tobytes() == cut.array(name).tobytes(), name


def test_one_head_without_bias_adds_exactly_its_increment():
    trace = capture(small_model(head_count=1), PROMPT)
    assert trace.array("blocks.0.attn.head_out")[0].tobytes() == trace.array("blocks.0.attn.out").tobytes()


def test_a_causal_model_does_not_look_ahead():
    loaded = small_model(norm_order="pre")
    long, short = capture(loaded, PROMPT), capture(loaded, " ".join(PROMPT.split()[:3]))
    np.testing.assert_allclose(long.array("logits")[:3], short.array("logits"), rtol=0, atol=SAME_MODEL_FLOAT64)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"prompt": ""}, "prompt: it is empty; type at least one word"),
        ({"prompt": "a " * 12}, "prompt: it has 12 tokens, small takes at most 11; shorten it"),
        ({"cut": (2, 0)}, "layer 3: small has 2; give a layer from 1 to 2"),
        ({"cut": (-1, 0)}, "layer 0: small has 2; give a layer from 1 to 2"),
        ({"cut": (0, 3)}, "head 4: small has 3; give a head from 1 to 3"),
        ({"device": "tpu"}, "device 'tpu': not offered; use cpu or cuda"),
        ({"dtype": "float16"}, "dtype 'float16': not offered; use float64, float32, bfloat16"),
    ],
)
def test_what_is_refused(request_, message):
    with pytest.raises(InputError) as caught:
        capture(small_model(), **({"prompt": PROMPT} | request_))
    assert str(caught.value) == message


def test_ids_outside_the_vocabulary_are_refused():
    with pytest.raises(InputError) as caught:
        capture_ids(small_model(), (0, 13), prompt="x")
    assert str(caught.value) == "token ids: one is not in the vocabulary; use 0 to 12"


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_gpu_that_is_not_there_is_refused():
    with pytest.raises(InputError) as caught:
        capture(small_model(), PROMPT, device="cuda")
    assert str(caught.value) == "device 'cuda': this machine has no GPU that torch can use; use --device cpu"


def test_float32_is_near_float64_and_says_what_it_is():
    loaded = small_model(norm_order="pre", attention_bias=True)
    exact, rough = capture(loaded, PROMPT), capture(loaded, PROMPT, dtype="float32")
    assert (rough.spec.dtype, rough.spec.device, rough.spec.versions["tf32"]) == ("float32", "cpu", "off")
    assert rough.digest != exact.digest
    for name in exact.names():
        left, right = exact.array(name), rough.array(name)
        seen = np.isfinite(left)
        np.testing.assert_allclose(right[seen], left[seen], rtol=0, atol=FLOAT32_RUN, err_msg=name)
        assert np.array_equal(right.astype(np.float32).astype(np.float64), right)


def test_bfloat16_passes_its_identities():
    trace = capture(small_model(), PROMPT, dtype="bfloat16")
    assert trace.spec.dtype == "bfloat16"


@needs_gpu
@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
def test_on_a_gpu(dtype):
    loaded = small_model()
    trace = capture(loaded, PROMPT, cut=(0, 0), device="cuda", dtype=dtype)
    assert trace.spec.device == "cuda"
    assert trace.spec.versions["gpu"] == torch.cuda.get_device_name()
    assert trace.spec.versions["tf32"] == "off"
    if dtype != "bfloat16":
        near = FLOAT32_RUN if dtype == "float32" else SAME_MODEL_FLOAT64
        cpu = capture(loaded, PROMPT, cut=(0, 0)).array("logits")
        np.testing.assert_allclose(trace.array("logits"), cpu, rtol=0, atol=near)


def test_settings_are_as_before():
    torch.set_num_threads(2)
    torch.backends.cuda.matmul.allow_tf32 = True
    try:
        capture(small_model(), PROMPT)
        assert torch.get_num_threads() == 2
        assert torch.backends.cuda.matmul.allow_tf32
        assert torch.is_grad_enabled()
    finally:
        torch.backends.cuda.matmul.allow_tf32 = False


def test_a_recorder_that_changes_the_result_is_found(monkeypatch):
    from transformer_core import capture as capture_module

    def forward_that_listens(model, ids, *, tap=model_module.identity, cut=None):
        logits = model_module.forward(model, ids, tap=tap, cut=cut)
        return logits if tap is model_module.identity else logits + 0.0 * logits.abs() + 1e-15

    monkeypatch.setattr(capture_module, "forward", forward_that_listens)
    with pytest.raises(CheckFailed) as caught:
        capture(small_model(), PROMPT)
    assert str(caught.value) == ("whole model, identity “logits = those of the model without recorder”: they differ")
