"""PositionalEncoding: every beat proven, what it says true, its captions short enough, its numbers found again."""

import importlib
from functools import cache

import pytest
from manim import tempconfig

from pipeline.catalogue import find_scenes
from pipeline.publish.audit import findings
from pipeline.publish.checks.view import View
from pipeline.publish.ledger import trace_data
from pipeline.publish.verify import recompute
from scenes.kit.brief import SceneBrief
from scenes.positional import PositionalEncoding
from tests.scenes.captions import check_captions
from transformer_core.capture import capture
from transformer_core.errors import InputError
from transformer_core.orders import read_orders
from transformer_core.sources import load_model

SHORT, LONG = 90, 125
"""Seconds of the whole video."""
DIGITS = 100


@cache
def trace_of(prompt: str):
    loaded = load_model("order")
    sentence, order = read_orders(loaded, prompt)
    return capture(loaded, sentence, cut=(0, 0), order=order)


def scene_of(prompt: str, after=None, **brief):
    return PositionalEncoding(SceneBrief(trace_of(prompt), stills=True, **brief), after_beat=after)


def ready(prompt: str):
    """The scene before its first beat."""
    scene = scene_of(prompt)
    scene.setup()
    return scene


def played(prompt: str, folder, **brief):
    """The scene after its last beat, with what the audit found and how many numbers each beat lit."""
    found, lit = {}, {}

    def after(scene, beat):
        found[beat] = [str(each) for each in findings(scene, beat)]
        lit[beat] = sum(bool(run.shown and run.lit and run.read.text) for run in View(scene, beat).runs)
        return []

    settings = {"dry_run": True, "pixel_width": 160, "pixel_height": 90, "media_dir": str(folder)}
    settings |= {"disable_caching": True, "progress_bar": "none", "verbosity": "ERROR", "frame_rate": 15}
    with tempconfig(settings):
        scene = scene_of(prompt, after, **brief)
        scene.render()
    return scene, found, lit


@pytest.fixture(scope="module")
def default(tmp_path_factory):
    return played("狗咬人", tmp_path_factory.mktemp("zh"), language="zh")


def beat(scene, name):
    return next(each for each in scene.record.beats if each.name == name)


def test_every_beat_is_proven(default):
    scene, found, lit = default
    assert {name: faults for name, faults in found.items() if faults} == {}
    assert set(found) == set(scene.beats)
    assert max(lit.values()) <= DIGITS


def test_a_longer_sentence_in_rows(tmp_path):
    _, found, _ = played("today dog bites man and cat sees", tmp_path, layout="rows", theme="light")
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_its_length(default):
    scene, _, _ = default
    assert SHORT <= scene.record.duration <= LONG


@pytest.mark.parametrize("prompt", ["dog bites man", "狗咬人", "today mouse kissed by goose and wolf helps boy"])
def test_captions_are_short(prompt):
    scene = ready(prompt)
    check_captions(scene)


def test_without_positions_the_difference_is_exactly_nothing(default):
    scene, _, _ = default
    shown = [number for number in scene.record.numbers if number.beat == "same" and number.text == "0"]
    assert len(shown) == scene.trace.spec.config.d_model + 3
    assert {number.kind for number in shown} == {"exact"}
    assert {float.fromhex(number.hex) for number in shown} == {0.0}
    assert "“狗” gets the same vector in both, difference 0." in beat(scene, "same").captions["en"][0].text
    assert "等变" in "".join(line.text for each in scene.record.beats for line in each.captions["zh"])
    assert sum("等变" in line.text for each in scene.record.beats for line in each.captions["zh"]) == 1


def test_with_positions_it_is_not(default):
    scene, _, _ = default
    apart = scene.fields["apart_stamped"]
    assert apart.value > 0.5
    assert f"相差 {apart.value:.2f}" in beat(scene, "add").captions["zh"][0].text
    assert {"asks", "roles", "differs"} <= scene.facts
    assert "先答狗，再答人" in beat(scene, "add").captions["zh"][1].text


def test_one_pair_alone_nearly_repeats(default):
    scene, _, _ = default
    fields = scene.fields
    assert fields["twin"] == 44
    assert fields["alone"].value == pytest.approx(0.0177, abs=5e-4)
    assert fields["together"].value == pytest.approx(2.46, abs=5e-3)
    assert fields["least"].value == pytest.approx(1.0147, abs=5e-4)
    assert fields["itself"].value == 0.0


def test_neutral_words_where_nothing_is_known():
    scene = ready("today dog bites man and cat sees")
    assert not {"asks", "roles"} & scene.facts
    assert ready("狗").facts == set()


def test_the_numbers_are_computed_again_from_the_ledger(default):
    scene, _, _ = default
    told = {"trace": trace_data(scene.trace.spec), "model": {"reference": "order"}}
    assert told["trace"]["order"] == [2, 1, 0]
    assert recompute(told).digest == scene.trace.digest


def test_what_it_cannot_show_is_refused():
    (entry,) = find_scenes(["positional"])
    assert entry.reorders
    assert getattr(importlib.import_module(entry.module), entry.class_name) is PositionalEncoding
    plain = capture(load_model("order"), "狗咬人", cut=(0, 0))
    masked = capture(load_model("glass"), "a blue creature", cut=(0, 0), order=(2, 1, 0))
    for trace in (plain, masked):
        with pytest.raises(InputError, match="compares two orders"), tempconfig({"dry_run": True}):
            PositionalEncoding(SceneBrief(trace)).render()
