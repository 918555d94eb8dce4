"""The record itself: it cannot be changed, and it survives every copy to the bit."""

import copy
import json
import pickle
import subprocess
import sys
import warnings
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
import torch

from tests.core.small_models import PROMPT, small_model
from transformer_core.capture import capture
from transformer_core.cell import Cell
from transformer_core.errors import InputError
from transformer_core.trace import Trace

PATTERN = "blocks.0.attn.pattern"


@pytest.fixture(scope="module")
def trace():
    return capture(small_model(card={"claims": [{"id": "x", "mean": 0.5}]}), PROMPT, cut=(1, 0))


def test_an_array_cannot_be_written(trace):
    array = trace.array(PATTERN)
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0, 0] = 2.0
    with pytest.raises(ValueError, match="WRITEABLE"):
        array.flags.writeable = True


@pytest.mark.parametrize(
    "copied",
    [
        lambda trace: trace.array(PATTERN).copy(),
        lambda trace: copy.deepcopy(trace.array(PATTERN)),
        lambda trace: copy.copy(trace.array(PATTERN)),
        lambda trace: pickle.loads(pickle.dumps(trace.array(PATTERN))),
        lambda trace: pickle.loads(pickle.dumps(trace)).array(PATTERN).copy(),
        lambda trace: copy.deepcopy(trace).array(PATTERN).copy(),
    ],
    ids=["numpy copy", "deepcopy", "copy", "pickle", "pickled trace", "deepcopied trace"],
)
def test_writing_to_a_copy_does_not_reach_the_trace(trace, copied):
    before = trace.array(PATTERN).tobytes()
    writable = copied(trace)
    writable[...] = 7.0
    assert trace.array(PATTERN).tobytes() == before
    assert trace.cell(PATTERN, head=0, query=0, key=0).value == 1.0


def test_torch_cannot_write_through(trace):
    before = trace.array(PATTERN).tobytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.from_numpy(trace.array(PATTERN)).fill_(7.0)
    assert trace.array(PATTERN).tobytes() == before
    assert Trace(trace.spec, {name: trace.array(name) for name in trace.names()}).digest == trace.digest


def test_what_was_given_may_change_afterwards(trace):
    arrays = {name: trace.array(name).copy() for name in trace.names()}
    again = Trace(trace.spec, arrays)
    arrays[PATTERN][...] = 7.0
    assert again.digest == trace.digest
    assert again.array(PATTERN).tobytes() == trace.array(PATTERN).tobytes()


def test_nothing_can_be_set_on_a_trace_or_its_spec(trace):
    with pytest.raises(AttributeError, match="cannot be changed"):
        trace.digest = "0"
    with pytest.raises(AttributeError, match="cannot be changed"):
        del trace._bytes
    with pytest.raises(TypeError):
        trace._bytes[PATTERN] = b""
    with pytest.raises(FrozenInstanceError):
        trace.spec.prompt = "x"
    with pytest.raises(TypeError, match="cannot be changed"):
        trace.spec.card["claims"] = []
    assert trace.spec.card["claims"][0]["mean"] == 0.5


def test_copies_are_the_same_trace(trace):
    assert copy.copy(trace) is trace
    assert copy.deepcopy(trace) is trace
    pickled = pickle.loads(pickle.dumps(trace))
    assert pickled.digest == trace.digest
    assert pickled.spec == trace.spec


def test_arrays_are_float64_in_c_order_and_transposed_input_keeps_its_places(trace):
    turned = {name: np.asfortranarray(trace.array(name)) for name in trace.names()}
    again = Trace(trace.spec, turned)
    assert again.digest == trace.digest
    assert again.array(PATTERN).flags.c_contiguous
    assert again.array(PATTERN).dtype == np.float64


def test_saving_and_loading_changes_no_bit(trace, tmp_path):
    first, second = tmp_path / "first.safetensors", tmp_path / "second.safetensors"
    trace.save(first)
    loaded = Trace.load(first)
    loaded.save(second)
    assert loaded.digest == trace.digest
    assert loaded.spec == trace.spec
    assert first.read_bytes() == second.read_bytes()
    for name in trace.names():
        assert loaded.array(name).tobytes() == trace.array(name).tobytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.safetensors", "second.safetensors"]
    header = first.read_bytes()
    metadata = json.loads(header[8 : 8 + int.from_bytes(header[:8], "little")])["__metadata__"]
    assert list(metadata) == ["trace"]


@pytest.mark.parametrize("end", [0, 4, 8, 200, -1])
def test_a_truncated_file_is_refused(trace, tmp_path, end):
    path = tmp_path / "t.safetensors"
    trace.save(path)
    path.write_bytes(path.read_bytes()[:end])
    with pytest.raises(InputError) as caught:
        Trace.load(path)
    assert str(caught.value) == f"{path}: not a trace, or damaged; make the trace again"


def test_one_changed_byte_of_the_numbers_is_found(trace, tmp_path):
    path = tmp_path / "t.safetensors"
    trace.save(path)
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        Trace.load(path)
    assert str(caught.value) == f"{path}: its numbers do not match its digest; make the trace again"


def test_a_wrong_digest_is_found(trace, tmp_path):
    path = tmp_path / "t.safetensors"
    trace.save(path)
    data = path.read_bytes()
    other = ("0" if trace.digest[0] != "0" else "1") + trace.digest[1:]
    path.write_bytes(data.replace(trace.digest.encode(), other.encode()))
    with pytest.raises(InputError, match="its numbers do not match its digest"):
        Trace.load(path)


def test_missing_file_and_unwritable_place(trace, tmp_path):
    with pytest.raises(InputError, match=r"cannot be read \(No such file or directory\); name a trace file"):
        Trace.load(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"cannot be written \(No such file or directory\)"):
        trace.save(tmp_path / "no" / "folder")


def test_a_spec_change_changes_the_digest(trace):
    arrays = {name: trace.array(name) for name in trace.names()}
    assert Trace(replace(trace.spec, weights_hash="other"), arrays).digest != trace.digest
    assert Trace(trace.spec, arrays).digest == trace.digest


def test_names_and_shapes_are_checked(trace):
    with pytest.raises(InputError) as caught:
        Trace(trace.spec, {"blocks.0.attn.patern": np.zeros(1)})
    assert str(caught.value).startswith("stage 'blocks.0.attn.patern': no such quantity; try blocks.0.attn.pattern")
    with pytest.raises(InputError) as caught:
        Trace(trace.spec, {"logits_max": np.zeros(5)})
    assert str(caught.value) == "logits_max in a trace: its shape is (5,), not (6,); make the trace again"
    with pytest.raises(InputError, match="not a number"):
        Trace(trace.spec, {"logits_max": np.full(6, np.nan)})


def test_cells_have_named_indices_only(trace):
    array = trace.array(PATTERN)
    cell = trace.cell(PATTERN, key=2, query=4, head=1)
    assert cell == Cell(PATTERN, (("head", 1), ("query", 4), ("key", 2)), float(array[1, 4, 2]), trace.digest[:16])
    assert cell.at("query") == 4
    with pytest.raises(TypeError):
        trace.cell(PATTERN, 1, 4, 2)
    with pytest.raises(InputError) as caught:
        trace.cell(PATTERN, head=1, query=4)
    assert str(caught.value) == f"{PATTERN}[head, query]: its axes are head, query, key; name each of them once"
    with pytest.raises(InputError) as caught:
        trace.cell(PATTERN, head=1, query=4, key=6)
    assert str(caught.value) == f"key = 6 in {PATTERN}: out of range; give a whole number from 0 to 5"
    with pytest.raises(InputError, match="out of range"):
        trace.cell(PATTERN, head=-1, query=4, key=5)


def test_every_cell_is_its_place_in_the_array(trace):
    for name in trace.names():
        assert [cell.value for cell in trace.cells(name)] == trace.array(name).ravel().tolist(), name
    row = [cell.value for cell in trace.cells(PATTERN, head=2, query=3)]
    assert row == trace.array(PATTERN)[2, 3].tolist()


def test_masked_cells_say_so(trace):
    for part in ("mask", "masked", "shifted", "exp", "pattern"):
        for cell in trace.cells(f"blocks.1.attn.{part}", head=2):
            assert cell.masked == (cell.at("key") > cell.at("query"))
    assert not trace.cell("blocks.1.attn.scores", head=0, query=0, key=5).masked


def test_a_name_that_the_trace_does_not_hold(trace):
    with pytest.raises(InputError) as caught:
        trace.array("embed.W_P")
    assert str(caught.value) == "embed.W_P: this trace does not hold it; see trace.names()"


def test_repr_says_what_it_is(trace):
    text = repr(trace)
    assert text.startswith(f"<Trace of small on '{PROMPT}': 6 tokens, 2 layer(s) × 3 head(s), ")
    assert text.endswith(f"float64 on cpu, cut L2.H1, {trace.digest[:16]}>")


def test_another_process_gives_the_same_digest(trace):
    program = (
        "import sys; from tests.core.small_models import small_model;"
        "from transformer_core.capture import capture;"
        "model = small_model(card={'claims': [{'id': 'x', 'mean': 0.5}]});"
        "sys.stdout.write(capture(model, sys.argv[1], cut=(1, 0)).digest)"
    )
    other = subprocess.run([sys.executable, "-c", program, PROMPT], capture_output=True, text=True, check=True)
    assert other.stdout == trace.digest
