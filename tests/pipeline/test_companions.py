"""A scene names further models: their cards go with its trace into the job and the ledger, and back from there."""

from dataclasses import replace

import pytest

from pipeline import catalogue
from pipeline.publish.ledger import trace_data
from pipeline.publish.verify import compare, recompute
from pipeline.render.request import resolve
from pipeline.render.spec import RenderSpec
from scenes.kit.scene import LectureScene, default_brief
from transformer_core import derive
from transformer_core.sources import load_model, model_names
from transformer_core.trace import Trace

SCENE = '''
class Compared(LectureScene):
    """A scene of two models."""

    name = "compared"
    beats = ("show",)
    companions = ("order",)
'''
PATH = "training.seconds_per_seed"


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """The request for a scene that names a companion."""
    (tmp_path / "compared.py").write_text(SCENE, encoding="utf-8")
    monkeypatch.setattr(catalogue, "SCENES_FOLDER", tmp_path)
    monkeypatch.setattr(catalogue, "PACKAGE", "")
    (entry,) = catalogue.catalogue()
    assert entry.companions == ("order",)
    return resolve(RenderSpec(scene="compared"), entry)


def test_the_ledger_names_the_companions_and_verify_reads_their_cards_again(asked):
    trace = asked.trace
    told = {"trace": trace_data(trace.spec), "model": {"reference": asked.model_reference}}
    assert told["trace"]["companions"] == ["order"]
    again = recompute(told)
    assert again.digest == trace.digest
    cell = derive.card_number(trace, PATH, of="order")
    row = {"name": cell.name, "index": {}, "formula": cell.formula, "hex": cell.value.hex(), "channel": "length"}
    assert compare(row, again, identical=True)[0] is None
    card = dict(load_model("order").card)
    card["training"] = {**card["training"], "seconds_per_seed": cell.value + 1}
    other = Trace(replace(trace.spec, companions={"order": card}), {name: trace.array(name) for name in trace.names()})
    difference, _ = compare(row, other, identical=False)
    assert difference is not None
    assert difference.now == f"{cell.value + 1:.6g}"


def test_a_scene_without_companions_writes_none_and_old_ledgers_are_read():
    (entry,) = catalogue.find_scenes(["qkv"])
    assert entry.companions == ()
    request = resolve(RenderSpec(scene="qkv"), entry)
    told = {"trace": trace_data(request.trace.spec), "model": {"reference": "glass"}}
    assert "companions" not in told["trace"]
    assert recompute(told).digest == request.trace.digest


def test_a_scene_that_is_started_without_a_brief_has_them_too():
    class Compared(LectureScene):
        companions = ("order",)

    assert set(default_brief(Compared).trace.spec.companions) == {"order"}


def test_every_companion_is_a_bundled_model():
    assert {name for entry in catalogue.catalogue() for name in entry.companions} <= set(model_names())
