"""`diff`: two traces or models on one prompt."""

import json
import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import cli


@pytest.fixture
def other(small_model, tmp_path):
    """The small model with one weight of the first layer changed by 1, and one of the second by one ulp."""
    folder = tmp_path / "other"
    shutil.copytree(small_model, folder)
    weights = {name: array.copy() for name, array in load_file(folder / "model.safetensors").items()}
    weights["blocks.0.attn.W_Q"][1, 2, 3] += 1.0
    last = weights["blocks.1.attn.W_O"]
    last[0, 0, 0] = np.nextafter(last[0, 0, 0], np.inf)
    save_file(weights, folder / "model.safetensors")
    return folder


def test_what_changed_largest_first(small_model, other, capsys):
    assert cli.main(["diff", str(small_model), str(other), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["prompt"] == "a blue creature"
    rows = {row["name"]: row for row in told["differences"]}
    assert [row["largest"] for row in told["differences"]] == sorted(
        (row["largest"] for row in rows.values()), reverse=True
    )
    weight = rows["blocks.0.attn.W_Q"]
    assert (weight["changed"], weight["largest"]) == (1, pytest.approx(1.0))
    assert weight["address"] == "L1.H2.W_Q[d_model=3, d_head=4]"
    ulp = rows["blocks.1.attn.W_O"]
    # As many decimals as tell the two apart, or as many as are of use.
    assert ulp["changed"] == 1
    assert 0 < ulp["largest"] < 1e-15
    # Nothing before the changed weight is another number.
    assert not {name for name in rows if name.startswith(("embed", "blocks.0.attn.key", "blocks.0.attn.value"))}


def test_lines_for_people(small_model, other, capsys):
    assert cli.main(["diff", str(small_model), str(other), "--no-weights", "--prompt", "the red dragon"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all("of" in line and " → " in line for line in lines)
    assert not [line for line in lines if ".W_Q" in line]


def test_a_run_is_as_itself(small_model, capsys):
    assert cli.main(["diff", str(small_model), str(small_model)]) == 0
    assert capsys.readouterr().out == "no number differs\n"


def test_a_trace_brings_its_prompt(small_model, other, tmp_path, capsys):
    kept = str(tmp_path / "kept.safetensors")
    assert cli.main(["trace", "the red dragon", "--model", str(small_model), "-o", kept]) == 0
    capsys.readouterr()
    assert cli.main(["diff", kept, str(small_model)]) == 0
    assert capsys.readouterr().out == "no number differs\n"
    assert cli.main(["diff", kept, str(other), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["prompt"] == "the red dragon"
    assert cli.main(["diff", kept, str(other), "--prompt", "a blue creature"]) == 2
    assert "the trace is of 'the red dragon'; leave the prompt out" in capsys.readouterr().err


def test_other_models_and_prompts_are_refused(small_model, tmp_path, capsys):
    first, second = (str(tmp_path / f"{name}.safetensors") for name in "ab")
    assert cli.main(["trace", "the red dragon", "--model", str(small_model), "-o", first]) == 0
    assert cli.main(["trace", "a blue creature", "--model", str(small_model), "-o", second]) == 0
    capsys.readouterr()
    assert cli.main(["diff", first, second]) == 2
    assert "their tokens differ: 'the red dragon' is not 'a blue creature'" in capsys.readouterr().err
    assert cli.main(["diff", str(small_model), "no-such-model"]) == 2
    assert capsys.readouterr().err.startswith("error: model 'no-such-model': there is no such model")


def test_other_words_at_the_same_places_are_refused(small_model, tmp_path, capsys):
    shutil.copytree(small_model, tmp_path / "other")
    path = tmp_path / "other" / "vocabulary.json"
    words = json.loads(path.read_text(encoding="utf-8"))
    words[-1], words[-2] = words[-2], words[-1]
    path.write_text(json.dumps(words), encoding="utf-8")
    assert cli.main(["diff", str(small_model), str(tmp_path / "other")]) == 2
    assert "their vocabularies differ: a word of one is not the word of the other" in capsys.readouterr().err
