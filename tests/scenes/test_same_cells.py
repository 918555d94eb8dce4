"""What two scenes show of one prompt and model are the same Cells, by name, place and bits."""

import pytest
from manim import tempconfig

from scenes.embedding import EmbedUnembed
from scenes.kit.brief import SceneBrief
from scenes.qkv import QKVAttention
from tests.core.small_models import small_model
from transformer_core.capture import capture

LAST = 1


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory):
    """Both scenes' numbers and encodings, asked about the last token of one trace."""
    trace = capture(small_model(head_count=1, layer_count=1, d_model=6, d_head=2, d_mlp=5), "blue creature", cut=(0, 0))
    settings = {"dry_run": True, "pixel_width": 160, "pixel_height": 90, "verbosity": "ERROR", "frame_rate": 15}
    settings |= {"disable_caching": True, "progress_bar": "none", "media_dir": str(tmp_path_factory.mktemp("media"))}
    records = {}
    with tempconfig(settings):
        for scene in (QKVAttention, EmbedUnembed):
            made = scene(SceneBrief(trace, query=LAST, stills=True))
            made.render()
            records[made.name] = made.record
    return records


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
