"""Model folders that cannot be used, each refused in one line."""

import json
import pickle
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load, save

from tests.core.small_models import CONFIG, PROMPT, small_model
from transformer_core.capture import capture
from transformer_core.config import ModelConfig
from transformer_core.errors import InputError
from transformer_core.model import Transformer
from transformer_core.sources import load_model, model_names, model_sources
from transformer_core.sources.arrays import attention_trace, model_from_arrays
from transformer_core.sources.bundled import save_folder


@pytest.fixture
def folder(tmp_path):
    loaded = small_model()
    save_folder(tmp_path / "small", loaded.model, loaded.tokenizer, card={"name": "small"})
    return tmp_path / "small"


def refused(folder):
    with pytest.raises(InputError) as caught:
        load_model(str(folder))
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(folder), "FOLDER")


def rewrite(folder, **changed):
    path = folder / "model.safetensors"
    weights = {name: weight.clone() for name, weight in load(path.read_bytes()).items()}
    weights |= changed
    path.write_bytes(save({name: weight for name, weight in weights.items() if weight is not None}))


def test_a_folder_gives_the_model_that_was_saved(folder):
    loaded = load_model(str(folder))
    before = small_model()
    assert loaded.name == "small"
    assert loaded.card == {"name": "small"}
    assert loaded.weights_hash == before.weights_hash
    assert loaded.tokenizer == before.tokenizer
    assert capture(loaded, PROMPT).array("logits").tobytes() == capture(before, PROMPT).array("logits").tobytes()


def test_two_decimals_stay_two_decimals(folder):
    rewrite(folder, **{"embed.W_E": torch.full((13, 14), 0.37, dtype=torch.float64)})
    assert load_model(str(folder)).model.weights["embed.W_E"][0, 0].item() == 0.37


def test_plain_tensors_in_a_torch_file_are_read(folder):
    weights = load((folder / "model.safetensors").read_bytes())
    (folder / "model.safetensors").unlink()
    torch.save(weights, folder / "model.pt")
    assert load_model(str(folder)).weights_hash == small_model().weights_hash


class Bomb:
    def __reduce__(self):
        return (exec, ("raise SystemExit('a pickle ran')",))


def test_a_pickle_is_refused_and_never_run(folder):
    weights = folder / "model.safetensors"
    weights.write_bytes(pickle.dumps(Bomb()))
    wanted = "FOLDER/model.safetensors: it is a pickle, which could run code; give a safetensors file"
    assert refused(folder) == wanted
    torch.save({"x": torch.zeros(1)}, weights)
    assert refused(folder) == wanted
    weights.rename(folder / "model.pt")
    (folder / "model.pt").write_bytes(pickle.dumps(Bomb()))
    wanted = "FOLDER/model.pt: damaged, or it holds more than tensors; give a safetensors file"
    assert refused(folder) == wanted
    torch.save({"x": Bomb()}, folder / "model.pt")
    assert refused(folder) == wanted
    torch.save([1, 2], folder / "model.pt")
    assert refused(folder) == "FOLDER/model.pt: not a dictionary of tensors; give a safetensors file"


@pytest.mark.parametrize("length", [0x80, 0x180, 0x4B50])
def test_a_header_whose_length_begins_as_a_pickle_does(folder, length):
    path = folder / "model.safetensors"
    data = path.read_bytes()
    header = data[8 : 8 + int.from_bytes(data[:8], "little")].rstrip()
    padded = length if length >= len(header) else 0x80 + (len(header) // 0x100 + 1) * 0x100
    path.write_bytes(
        padded.to_bytes(8, "little") + header.ljust(padded) + data[8 + int.from_bytes(data[:8], "little") :]
    )
    assert load_model(str(folder)).weights_hash == small_model().weights_hash


@pytest.mark.parametrize("end", [0, 5, 100, -1])
def test_a_truncated_file_is_refused(folder, end):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:end])
    assert refused(folder) == (
        "FOLDER/model.safetensors: truncated, or not a safetensors file; train or download the model again"
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_weights_that_are_not_finite_are_refused(folder, value):
    weight = torch.zeros(13, 14, dtype=torch.float64)
    weight[3, 5] = value
    rewrite(folder, **{"embed.W_E": weight})
    assert refused(folder) == (
        "FOLDER/model.safetensors: embed.W_E holds a value that is NaN or infinite; train or download the model again"
    )


def test_weights_that_do_not_fit_are_refused(folder):
    fit = "give weights that fit the configuration"
    rewrite(folder, **{"embed.W_E": torch.zeros(14, 13, dtype=torch.float64)})
    assert refused(folder) == (
        f"FOLDER/model.safetensors: weight embed.W_E: its shape is (14, 13), the configuration asks for (13, 14); {fit}"
    )
    rewrite(folder, **{"embed.W_E": None})
    assert refused(folder) == f"FOLDER/model.safetensors: weights: embed.W_E is missing; {fit}"
    rewrite(folder, **{"embed.W_E": torch.zeros(13, 14, dtype=torch.float64), "blocks.2.attn.W_Q": torch.zeros(1)})
    assert refused(folder) == f"FOLDER/model.safetensors: weights: blocks.2.attn.W_Q is not part of this model; {fit}"


def test_weights_that_are_no_numbers_with_a_point_are_refused(folder):
    rewrite(folder, **{"embed.W_E": torch.zeros(13, 14, dtype=torch.int64)})
    assert refused(folder) == "FOLDER/model.safetensors: embed.W_E holds torch.int64; give floating-point weights"


def test_incomplete_folders_are_refused(folder):
    (folder / "vocabulary.json").write_text(json.dumps(["a", "b"]), encoding="utf-8")
    assert refused(folder).startswith("FOLDER/vocabulary.json: it has 2 words where config.json says 13; ")
    (folder / "config.json").write_text("[]", encoding="utf-8")
    assert refused(folder) == "FOLDER/config.json: not a JSON object; give a complete model folder"
    (folder / "config.json").write_text('{"d_model": NaN}', encoding="utf-8")
    assert refused(folder) == "FOLDER/config.json: not JSON; give a complete model folder"
    (folder / "config.json").write_text("{", encoding="utf-8")
    assert refused(folder) == "FOLDER/config.json: not JSON; give a complete model folder"
    (folder / "config.json").unlink()
    assert (
        refused(folder)
        == "FOLDER/config.json: cannot be read (No such file or directory); give a complete model folder"
    )


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"default_prompt": "a blue creature"}, "default_prompt is no object"),
        ({"default_prompt": None}, "default_prompt is no object"),
        ({"answer_prompt": {"en": 5}}, "answer_prompt.en is no text"),
        ({"validation": {"losses": ["low"], "seeds": [0]}}, "an entry of validation.losses is no number"),
        ({"validation": {"losses": [1.7]}}, "validation lacks 'seeds'"),
        ({"default_query": {"en": ["creature"]}}, "default_query.en is no text"),
        ({"word_groups": {"adjective": {"en": 5}}}, "word_groups.adjective.en is no list"),
        ({"word_groups": {"adjective": {"en": [5]}}}, "an entry of word_groups.adjective.en is no text"),
        ({"claims": "all"}, "claims is no list"),
        ({"claims": [{"layer": 0}]}, "an entry of claims lacks 'id'"),
        ({"title": 7}, "title is no object"),
    ],
)
def test_cards_of_another_form_are_refused(folder, entry, why):
    (folder / "card.json").write_text(json.dumps({"name": "small", **entry}), encoding="utf-8")
    assert refused(folder) == f"FOLDER/card.json: {why}; mend the card"


def test_half_a_character_is_refused(folder):
    (folder / "card.json").write_text('{"licence": "\\ud800"}', encoding="utf-8")
    assert refused(folder) == "FOLDER/card.json: not JSON; give a complete model folder"
    vocabulary = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
    (folder / "vocabulary.json").write_text(json.dumps([*vocabulary[:-1], "\ud800"]), encoding="utf-8")
    assert refused(folder).startswith("FOLDER/vocabulary.json: cannot be read (UnicodeEncodeError)")


def test_an_unknown_model_names_the_nearest(tmp_path, monkeypatch):
    from transformer_core.sources import bundled

    monkeypatch.setattr(bundled, "MODELS", tmp_path)
    with pytest.raises(InputError) as caught:
        load_model("glas")
    assert str(caught.value) == "model 'glas': there is no such model; give a folder with model.safetensors"
    (tmp_path / "glass").mkdir()
    (tmp_path / "glass" / "config.json").write_text("{}", encoding="utf-8")
    assert model_names() == ("glass",)
    with pytest.raises(InputError) as caught:
        load_model("glas")
    assert str(caught.value) == "model 'glas': there is no such model; try 'glass', or a folder with model.safetensors"


def test_every_source_has_what_a_source_has():
    from transformer_core.sources.loaded import ModelSource

    assert model_sources()
    for source in model_sources():
        assert isinstance(source, ModelSource)
        assert not source.accepts("")
        for name in source.names():
            assert source.accepts(name)
            assert source.load(name).name == name


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"d_head": 0}, "d_head = 0: a model needs a whole number ≥ 1 there; give such a size"),
        ({"d_mlp": -1}, "d_mlp = -1: a model needs a whole number ≥ 0 there; give such a size"),
        (
            {"layer_count": True},
            "layer_count = True: a model needs a whole number ≥ 1 there; give such a size",
        ),
        ({"norm_order": "sandwich"}, "norm_order = 'sandwich': no such choice; use one of post, pre, none"),
        (
            {"positions": "rotary"},
            "positions = 'rotary': no such choice; use one of sinusoidal, learned, none",
        ),
        ({"activation": "silu"}, "activation = 'silu': no such choice; use one of relu, gelu, gelu_tanh"),
        ({"causal": 1}, "causal = 1: it is a switch; use true or false"),
        ({"layer_norm_epsilon": 0.0}, "layer_norm_epsilon = 0.0: it must lie between 0 and 1; use 1e-5"),
        (
            {"layer_norm_epsilon": float("nan")},
            "layer_norm_epsilon = nan: it must lie between 0 and 1; use 1e-5",
        ),
        (
            {"d_model": 7},
            "d_model = 7: sinusoidal positions come in pairs of sine and cosine; use an even d_model",
        ),
    ],
)
def test_configurations_that_are_refused(changes, message):
    with pytest.raises(InputError) as caught:
        replace(CONFIG, **changes)
    assert str(caught.value) == message


def test_a_configuration_survives_json():
    assert ModelConfig.from_dict(json.loads(json.dumps(CONFIG.to_dict()))) == CONFIG
    with pytest.raises(InputError, match="model configuration: d_head is missing; add it"):
        ModelConfig.from_dict({name: size for name, size in CONFIG.to_dict().items() if name != "d_head"})
    with pytest.raises(InputError, match="model configuration entry 'dropout': unknown; use activation, "):
        ModelConfig.from_dict(CONFIG.to_dict() | {"dropout": 0.1})


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (
            ([[1.0]], [[1.0, 2.0]], [[1.0]]),
            "key (1, 1, 2): the query is (1, 1, 1); give three arrays of one shape",
        ),
        (([1.0], [1.0], [1.0]), "query (1,): it is no list of vectors; give [position, d_head]"),
        (
            ([[float("nan")]], [[1.0]], [[1.0]]),
            "query: it holds a value that is NaN or infinite; give finite numbers",
        ),
    ],
)
def test_arrays_that_are_refused(arrays, message):
    with pytest.raises(InputError) as caught:
        attention_trace(*arrays, causal=True)
    assert str(caught.value) == message
    with pytest.raises(InputError, match="2 token labels: there are 1 positions; give one label for each"):
        attention_trace([[1.0]], [[1.0]], [[1.0]], causal=True, tokens=["a", "b"])


def test_a_model_from_arrays():
    weights = {name: weight.numpy() for name, weight in small_model().model.weights.items()}
    loaded = model_from_arrays(CONFIG, weights, vocabulary=small_model().tokenizer.vocabulary)
    assert loaded.weights_hash == small_model().weights_hash
    with pytest.raises(InputError, match="2 words: the configuration says 13; give one for each id"):
        model_from_arrays(CONFIG, weights, vocabulary=["a", "b"])
    with pytest.raises(InputError, match=r"weight embed\.W_E: it holds a value that is NaN or infinite"):
        model_from_arrays(CONFIG, weights | {"embed.W_E": float("nan")}, vocabulary=["a"])


def test_a_models_weights_cannot_be_swapped():
    model = small_model().model
    with pytest.raises(TypeError):
        model.weights["embed.W_E"] = torch.zeros(1)
    assert Transformer(model.config, model.weights).weights == model.weights


@pytest.mark.parametrize("name", ["config.json", "card.json", "vocabulary.json"])
def test_a_file_nested_without_end_is_refused(folder, name):
    (folder / name).write_text("[" * 100_000, encoding="utf-8")
    assert refused(folder).startswith(f"FOLDER/{name}: ")


def test_more_layers_than_weights_are_refused_at_once(folder):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"layer_count": 10**12}), encoding="utf-8")
    assert "arrays are too few for 1000000000000 layers; give weights that fit" in refused(folder)
