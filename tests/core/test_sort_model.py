"""A trained GPT of other people's making, with every intermediate that they computed."""

import base64
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.tolerances import SORT_MODEL
from transformer_core.capture import capture_ids
from transformer_core.config import ModelConfig
from transformer_core.sources.arrays import model_from_arrays

FOLDER = Path(__file__).parents[1] / "data" / "sort_model"
HEADS, D_HEAD, D_MODEL = 3, 16, 48


def arrays_of(name):
    data = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    found = {}
    for key, item in data.items():
        if key != "config":
            shape = json.loads(item["shape"]) if isinstance(item["shape"], str) else item["shape"]
            found[key] = np.frombuffer(base64.b64decode(item["data"]), dtype="<f4").reshape(shape)
    return found


@cache
def sort_model():
    """minGPT keeps W as [out, in], Q, K and V below one another, heads below one another."""
    theirs = {name.removeprefix("transformer."): array for name, array in arrays_of("gpt-nano-sort-model.json").items()}
    ours = {
        "embed.W_E": theirs["wte.weight"],
        "embed.W_P": theirs["wpe.weight"],
        "unembed.W_U": theirs["lm_head.weight"].T,
    }
    ours |= {"final_norm.gain": theirs["ln_f.weight"], "final_norm.bias": theirs["ln_f.bias"]}
    for layer in range(3):
        h, b = f"h.{layer}.", f"blocks.{layer}."
        stacked = zip(
            "QKV",
            np.split(theirs[h + "attn.c_attn.weight"], 3),
            np.split(theirs[h + "attn.c_attn.bias"], 3),
            strict=True,
        )
        for letter, matrix, bias in stacked:
            ours[f"{b}attn.W_{letter}"] = matrix.reshape(HEADS, D_HEAD, D_MODEL).swapaxes(1, 2)
            ours[f"{b}attn.b_{letter}"] = bias.reshape(HEADS, D_HEAD)
        ours[b + "attn.W_O"] = theirs[h + "attn.c_proj.weight"].T.reshape(HEADS, D_HEAD, D_MODEL)
        ours[b + "attn.b_O"] = theirs[h + "attn.c_proj.bias"]
        for norm, source in (("norm1", "ln_1"), ("norm2", "ln_2")):
            ours |= {
                f"{b}{norm}.gain": theirs[f"{h}{source}.weight"],
                f"{b}{norm}.bias": theirs[f"{h}{source}.bias"],
            }
        for letter, source in (("in", "c_fc"), ("out", "c_proj")):
            ours[f"{b}mlp.W_{letter}"] = theirs[f"{h}mlp.{source}.weight"].T
            ours[f"{b}mlp.b_{letter}"] = theirs[f"{h}mlp.{source}.bias"]
    config = ModelConfig(
        vocabulary_size=3,
        context_length=11,
        d_model=D_MODEL,
        head_count=HEADS,
        d_head=D_HEAD,
        layer_count=3,
        d_mlp=192,
        norm_order="pre",
        positions="learned",
        attention_bias=True,
        activation="gelu_tanh",
        tied=False,
        final_norm=True,
    )
    return model_from_arrays(config, ours, vocabulary=("a", "b", "c"), name="sort")


def by_head(array):
    """[3 · 48] columns of Q, K and V to three arrays [head, position, d_head]."""
    return [part.reshape(-1, HEADS, D_HEAD).swapaxes(0, 1) for part in np.split(array, 3, axis=-1)]


@pytest.mark.parametrize("sequence", [0, 1, 2])
def test_every_intermediate_of_the_sort_model(sequence):
    theirs = arrays_of("gpt-nano-sort-t0-partials.json")
    ids = tuple(int(number) for number in theirs["idx"][sequence])
    trace = capture_ids(sort_model(), ids, prompt="sort")
    one = {name: array[min(sequence, len(array) - 1)] for name, array in theirs.items()}
    query, key, value = by_head(one["qkv"])
    att = one["att"]
    expected = {
        "embed.token": one["tok_emb"],
        "embed.position": one["pos_emb"],
        "embed.out": one["x"],
        "blocks.0.residual.before": one["x"],
        "blocks.0.norm1.out": one["ln1"],
        "blocks.0.attn.input": one["ln1"],
        "blocks.0.attn.query": one["q"],
        "blocks.0.attn.key": one["k"],
        "blocks.0.attn.value": one["v"],
        "blocks.0.attn.pattern": one["attSm"],
        "blocks.0.attn.concat": one["y"],
        "blocks.0.attn.out": one["yProj"],
        "blocks.0.residual.attn_sum": one["attnResid"],
        "blocks.0.residual.mid": one["attnResid"],
        "blocks.0.norm2.out": one["ln2"],
        "blocks.0.mlp.pre": one["fc"],
        "blocks.0.mlp.act": one["gelu"],
        "blocks.0.mlp.out": one["mlp"],
        "blocks.0.residual.after": one["mlpResid"],
        "blocks.1.residual.before": one["block0"],
        "blocks.1.residual.after": one["block1"],
        "blocks.2.residual.after": one["block2"],
        "final_norm.out": one["ln_f"],
        "logits": one["lm_head"],
        "probabilities": one["probs"],
    }
    for name, array in (("query", query), ("key", key), ("value", value)):
        np.testing.assert_allclose(expected[f"blocks.0.attn.{name}"], array, rtol=0, atol=SORT_MODEL)
    for name, array in expected.items():
        np.testing.assert_allclose(trace.array(name), array, rtol=0, atol=SORT_MODEL, err_msg=name)
    ours = trace.array("blocks.0.attn.masked")
    seen = np.isfinite(ours)
    np.testing.assert_allclose(ours[seen], att[seen], rtol=0, atol=SORT_MODEL)
    assert set(theirs) - {"idx"} == {
        *(
            "tok_emb",
            "pos_emb",
            "x",
            "ln1",
            "q",
            "k",
            "v",
            "qkv",
            "att",
            "attSm",
            "y",
            "yProj",
            "attnResid",
            "ln2",
        ),
        *("fc", "gelu", "mlp", "mlpResid", "block0", "block1", "block2", "ln_f", "lm_head", "probs"),
    }


def test_the_sort_model_sorts():
    unsorted = (2, 0, 1, 0, 2, 1)
    so_far = unsorted
    for _ in range(6):
        logits = capture_ids(sort_model(), so_far[:11], prompt="sort").array("logits")
        so_far = (*so_far, int(logits[-1].argmax()))
    assert so_far[6:] == tuple(sorted(unsorted))
