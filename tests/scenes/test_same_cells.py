"""What several scenes show of one prompt and model are the same Cells, by name, place and bits."""

import pytest
from manim import tempconfig

from scenes.embedding import EmbedUnembed
from scenes.kit.brief import SceneBrief
from scenes.multihead import MultiHead
from scenes.qkv import QKVAttention
from tests.core.small_models import small_model
from transformer_core.capture import capture

LAST = 1


def played(folder, heads, *scenes):
    """The scenes' numbers and encodings, asked about the last token of one trace."""
    loaded = small_model(head_count=heads, layer_count=1, d_model=6, d_head=2, d_mlp=5)
    trace = capture(loaded, "blue creature", cut=(0, 0), companions=MultiHead.companions)
    settings = {"dry_run": True, "pixel_width": 160, "pixel_height": 90, "verbosity": "ERROR", "frame_rate": 15}
    settings |= {"disable_caching": True, "progress_bar": "none", "media_dir": str(folder)}
    records = {}
    with tempconfig(settings):
        for scene in scenes:
            made = scene(SceneBrief(trace, query=LAST, stills=True))
            made.render()
            records[made.name] = made.record
    return records


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory):
    """Of a model with one head."""
    return played(tmp_path_factory.mktemp("one"), 1, QKVAttention, EmbedUnembed)


@pytest.fixture(scope="module")
def of_two_heads(tmp_path_factory):
    """Of a model with two; qkv follows the first of them."""
    return played(tmp_path_factory.mktemp("two"), 2, QKVAttention, EmbedUnembed, MultiHead)


def cells(record, name):
    return {
        (each.name, tuple(each.index.items()), each.hex)
        for each in (*record.numbers, *record.encodings)
        if each.name == name and each.index.get("position", LAST) == LAST
    }


@pytest.mark.parametrize("name", ["blocks.0.residual.before", "blocks.0.attn.head_out"])
def test_vectors_and_changes_are_the_same_cells(ledgers, name):
    shown = cells(ledgers["qkv"], name)
    assert len(shown) == 6
    assert cells(ledgers["embedding"], name) == shown


def test_the_sum_is_the_same_cells(ledgers):
    """E + ΔE: shown as a vector in the one scene, read by W_U as a step of the walk in the other."""
    shown = {index for _, index, _ in cells(ledgers["qkv"], "blocks.0.residual.attn_sum")}
    assert len(shown) == 6
    read = [
        parent
        for each in ledgers["embedding"].encodings
        for parent in (each.expression or {}).get("parents", ())
        if parent["name"] == "blocks.0.residual.attn_sum"
    ]
    assert read
    for parent in read:
        first = parent["index"]["d_model"]
        places = {(("position", LAST), ("d_model", first + step)) for step in range(parent.get("count", 1))}
        assert places == shown


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("blocks.0.attn.input", {(("position", LAST), ("d_model", entry)) for entry in range(6)}),
        ("blocks.0.attn.head_out", {(("head", 0), ("position", LAST), ("d_model", entry)) for entry in range(6)}),
        ("blocks.0.attn.z", {(("head", 0), ("query", LAST), ("d_head", entry)) for entry in range(2)}),
        ("blocks.0.attn.pattern", {(("head", 0), ("query", q), ("key", k)) for q in range(2) for k in range(q + 1)}),
    ],
)
def test_a_head_among_several_is_the_same_cells(of_two_heads, name, places):
    """Vectors, pattern, result and change of the first head, in the scene of one head and in that of all."""
    alone, among = (cells(of_two_heads[scene], name) for scene in ("qkv", "multihead"))
    assert {index for _, index, _ in alone & among} == places
    assert {each for each in among if each[1] in places} == alone & among


def test_the_change_of_all_heads_is_the_same_cells(of_two_heads):
    shown = cells(of_two_heads["multihead"], "blocks.0.attn.out")
    assert len(shown) == 6
    assert cells(of_two_heads["embedding"], "blocks.0.attn.out") == shown
