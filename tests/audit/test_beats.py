"""The audit over the beats of the real scenes, numbers only: layout is judged with the real model."""

import importlib
import time

import pytest
from manim import tempconfig

from pipeline.catalogue import catalogue
from pipeline.publish.audit import findings
from scenes.kit.brief import SceneBrief
from tests.audit.small_scene import small_trace
from tests.core.small_models import PROMPT, small_model
from transformer_core.capture import capture

LAYOUT = {
    "texts_are_in_the_frame",
    "numbers_are_not_covered",
    "texts_do_not_overlap",
    "texts_are_big_enough",
    "texts_have_contrast",
    "caption_band_is_free",
}
SECONDS = 2.0
"""Processor time for a beat of some 150 numbers: 0.2 on a quiet machine."""

ONE_SENTENCE = [entry for entry in catalogue() if not entry.reorders]
"""The scenes that need no second order of the prompt."""

CASES = [
    pytest.param(entry, layout, id=f"{entry.name}-{layout}")
    for entry in ONE_SENTENCE
    for layout in (("columns", "rows") if entry.name == "qkv" else ("rows",))
]
"""Rows are the turned grids; columns, the usual layout, are audited whenever a scene is rendered."""


@pytest.mark.parametrize(("entry", "layout"), CASES)
def test_numbers_of_every_beat_are_proven(entry, layout, tmp_path):
    found, times = {}, {}
    trace = capture(small_model(), PROMPT, cut=(1, 2), companions=entry.companions)

    def after(scene, beat):
        start = time.process_time()
        found[beat] = [each for each in findings(scene, beat) if each.check not in LAYOUT]
        times[beat] = time.process_time() - start
        return []

    settings = {"dry_run": True, "pixel_width": 160, "pixel_height": 90, "media_dir": str(tmp_path)}
    settings |= {"disable_caching": True, "progress_bar": "none", "verbosity": "ERROR", "frame_rate": 15}
    scene = getattr(importlib.import_module(entry.module), entry.class_name)
    with tempconfig(settings):
        brief = SceneBrief(trace, layer=1, head=2, layout=layout, stills=True)
        scene(brief, after_beat=after).render()
    assert {beat: [str(each) for each in faults] for beat, faults in found.items() if faults} == {}
    assert set(found) == set(entry.beats)
    assert sorted(times.values())[len(times) // 2] < SECONDS


def test_small_trace_has_several_heads():
    assert small_trace().spec.config.head_count > 1
