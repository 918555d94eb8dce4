"""MultiHead: every beat proven, what it says of heads measured, its captions short enough, its default head telling."""

from functools import cache

import numpy as np
import pytest
from manim import tempconfig

from pipeline.catalogue import find_scenes
from pipeline.publish.audit import findings
from pipeline.publish.checks.view import View
from pipeline.render.request import resolve
from pipeline.render.spec import RenderSpec
from scenes.kit.brief import SceneBrief
from scenes.kit.relation import relations_of
from scenes.multihead import MultiHead
from tests.scenes.captions import check_captions
from transformer_core.capture import capture
from transformer_core.sources import load_model

SHORT, LONG = 85, 118
"""Seconds of the whole video."""
DIGITS = 100
SETTINGS = {"dry_run": True, "pixel_width": 160, "pixel_height": 90, "frame_rate": 15}
SETTINGS |= {"disable_caching": True, "progress_bar": "none", "verbosity": "ERROR"}
SENTENCE = "small dogs near the cat sleep because they dream"
ENTRY = find_scenes(["multihead"])[0]


@cache
def trace_of(prompt=SENTENCE, model="relations", head=3):
    return capture(load_model(model), prompt, cut=(0, head), companions=ENTRY.companions)


def ready(trace, **brief):
    """The scene before its first beat."""
    scene = MultiHead(SceneBrief(trace, stills=True, **brief))
    scene.setup()
    return scene


def played(trace, folder, **brief):
    """The scene after its last beat, with what the audit found and how many numbers each beat lit."""
    found, lit = {}, {}

    def after(scene, beat):
        found[beat] = [str(each) for each in findings(scene, beat)]
        lit[beat] = sum(bool(run.shown and run.lit and run.read.text) for run in View(scene, beat).runs)
        return []

    with tempconfig(SETTINGS | {"media_dir": str(folder)}):
        scene = MultiHead(SceneBrief(trace, stills=True, **brief), after_beat=after)
        scene.render()
    return scene, found, lit


@pytest.fixture(scope="module")
def default(tmp_path_factory):
    return played(trace_of(), tmp_path_factory.mktemp("en"), head=3, query=5)


def encoded(scene, beat, name="blocks.0.attn.pattern"):
    return [each for each in scene.record.encodings if each.beat == beat and each.name == name]


def test_every_beat_is_proven(default):
    scene, found, lit = default
    assert {name: faults for name, faults in found.items() if faults} == {}
    assert set(found) == set(scene.beats)
    assert max(lit.values()) <= DIGITS


@pytest.mark.parametrize(
    ("prompt", "model", "head", "brief"),
    [
        ("dogs", "relations", 3, {"layout": "rows", "theme": "light"}),
        ("一只蓬松的蓝色的生物漫步在翠绿的森林里", "glass", 0, {"language": "zh", "theme": "print"}),
    ],
    ids=["one token", "one head"],
)
def test_another_sentence_and_model(prompt, model, head, brief, tmp_path):
    _, found, _ = played(trace_of(prompt, model, head), tmp_path, head=head, **brief)
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_its_length(default):
    scene, _, _ = default
    assert SHORT <= scene.record.duration <= LONG


@pytest.mark.parametrize(
    ("prompt", "model", "head"),
    [(SENTENCE, "relations", 3), ("dogs", "relations", 0), ("一只生物", "glass", 0), ("dog bites man", "order", 1)],
)
def test_captions_are_short(prompt, model, head):
    scene = ready(trace_of(prompt, model, head), head=head)
    check_captions(scene)


def test_the_first_beat_is_one_head_and_the_third_all_of_them(default):
    scene, _, _ = default
    assert {each.index["head"] for each in encoded(scene, "one")} == {3}
    assert {each.index["head"] for each in encoded(scene, "grids")} == {0, 1, 2, 3}
    assert scene.heads_story.heads == [(0, 0), (0, 3), (0, 2)]


def test_every_weight_of_the_head_is_drawn_or_summed(default):
    scene, _, _ = default
    pattern = scene.trace.array("blocks.0.attn.pattern")[3]
    drawn = {(each.index["query"], each.index["key"]) for each in encoded(scene, "one")}
    assert drawn == {tuple(place) for place in np.argwhere(pattern >= 0.02)}
    rest = [each for each in scene.record.numbers if each.beat == "one" and each.name == "derived.sum"]
    assert [float.fromhex(each.hex) for each in rest] == [pytest.approx(pattern[pattern < 0.02].sum())]


def test_the_numbers_of_the_lanes_are_the_cards(default):
    scene, _, _ = default
    shown = {each.text for each in scene.record.numbers if each.beat == "relations"}
    for relation in relations_of(scene.trace):
        assert {f"{relation.share.value:.2f}", f"{relation.count.value:.0f}", f"{relation.offset.value:.0f}"} <= shown
    spoken = " ".join(line.text for beat in scene.record.beats for line in beat.captions["en"])
    claims = {claim["id"]: claim for claim in scene.trace.spec.card["claims"]}
    subject = claims["relation.subject"]
    assert f"head {subject['head'] + 1} gives {subject['mean']:.2f} of its weight at verbs" in spoken
    assert f"{subject['offset']} words back would give {subject['baseline']:.2f}" in spoken
    assert "3 of the 4 got a name" in spoken
    other = claims["relation.referent"]
    assert f"head {other['head'] + 1} gives {other['mean']:.2f} to the right noun, head 4 gives" in spoken


def test_nothing_is_said_of_heads_that_were_not_measured(tmp_path):
    scene = ready(trace_of("dog bites man", "order", 0))
    lines = [line for line in scene.texts.beats["relations"].captions if line.holds(scene.facts)]
    assert [line.fill("en", scene.fields).text for line in lines] == [
        "Nothing is claimed of these heads: they are those whose patterns differ most."
    ]
    assert not {"measured", "subject", "beats_counting"} & scene.facts
    assert {"unmeasured", "nameless", "several"} <= scene.facts
    assert not {"unmeasured", "nameless", "several", "measured"} & ready(trace_of("一只生物", "glass", 0)).facts


def test_it_starts_with_the_head_of_the_cards_claim():
    claims = {claim["id"]: claim for claim in load_model("relations").card["claims"]}
    usual = resolve(RenderSpec(scene="multihead"), ENTRY)
    assert usual.brief["head"] == claims["relation.subject"]["head"] > 0
    assert usual.trace.spec.cut == (0, usual.brief["head"])
    first = resolve(RenderSpec(scene="multihead", head=1), ENTRY)
    assert first.brief["head"] == 0
    same = resolve(RenderSpec(scene="multihead", head=usual.brief["head"] + 1), ENTRY)
    assert same.stem == usual.stem != first.stem
    assert resolve(RenderSpec(scene="multihead", model="glass", language="zh"), ENTRY).brief["head"] == 0
