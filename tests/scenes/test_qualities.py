"""A beat is the same picture at every quality: places, sizes, times and texts depend on no pixel."""

import importlib

import pytest
from manim import tempconfig

from pipeline.catalogue import SceneEntry, catalogue
from scenes.kit.brief import SceneBrief
from scenes.kit.record import SceneRecord
from tests.every_layout import SETTINGS
from transformer_core.capture import capture
from transformer_core.claims import claimed_head
from transformer_core.orders import read_orders
from transformer_core.sources import load_model

DRAFT, HIGH = (854, 480, 15), (1920, 1080, 15)


def played(entry: SceneEntry, size: tuple[int, int, int], folder) -> SceneRecord:
    """The record of the beat that stands for a scene, staged for frames of that size."""
    loaded = load_model(entry.default_model)
    prompt = loaded.card.get(entry.prompt_key, loaded.card["default_prompt"])["en"]
    sentence, order = read_orders(loaded, prompt) if entry.reorders else (prompt, None)
    head = claimed_head(loaded.card, entry.default_claim, layer=0)
    trace = capture(loaded, sentence, cut=(0, head), order=order, companions=entry.companions)
    scene_class = getattr(importlib.import_module(entry.module), entry.class_name)
    width, height, rate = size
    shape = {"pixel_width": width, "pixel_height": height, "frame_rate": rate, "media_dir": str(folder)}
    with tempconfig(SETTINGS | shape):
        scene = scene_class(SceneBrief(trace, head=head, only_beat=entry.poster))
        scene.render()
    return scene.record


@pytest.mark.parametrize("entry", catalogue(), ids=lambda entry: entry.name)
def test_the_same_beat_differs_only_in_resolution(entry, tmp_path):
    draft, high = (played(entry, size, tmp_path) for size in (DRAFT, HIGH))
    assert draft.numbers or draft.encodings
    assert draft.numbers == high.numbers
    assert draft.encodings == high.encodings
    assert draft.beats == high.beats
