"""A trace carries the cards of further models: their numbers are cells, and a trace without any is as before."""

import json
from dataclasses import replace

import pytest

from tests.core.small_models import PROMPT, small_model
from transformer_core import derive
from transformer_core.address import format_address
from transformer_core.capture import capture
from transformer_core.errors import InputError
from transformer_core.sources import load_model
from transformer_core.trace import Trace, TraceSpec


@pytest.fixture(scope="module")
def trace():
    return capture(small_model(card={"mean": 0.5}), PROMPT, companions=("glass", "order"))


def path_of_a_number(card):
    return next(f"claims.{claim['id']}.mean" for claim in card["claims"] if isinstance(claim.get("mean"), float))


def test_the_cards_of_the_companions_lie_in_the_trace(trace):
    assert set(trace.spec.companions) == {"glass", "order"}
    assert trace.spec.companions["order"] == load_model("order").card
    with pytest.raises(TypeError, match="cannot be changed"):
        trace.spec.companions["glass"] = {}


def test_a_number_of_a_companions_card(trace):
    card = load_model("order").card
    path = path_of_a_number(card)
    _, claim, entry = path.split(".")
    cell = derive.card_number(trace, path, of="order")
    assert cell.value == next(each for each in card["claims"] if each["id"] == claim)[entry]
    assert cell.formula == f"{path} of order"
    assert format_address(cell, trace.spec) == f"card_number({path} of order)"
    assert derive.card_number(trace, "mean").value == 0.5
    assert derive.card_number(trace, "training.seeds_tried.1", of="order").value == 1.0
    for path, of in (("mean", "order"), ("training.seeds_tried.9", "order"), ("training.seeds_tried.0.0", "order")):
        with pytest.raises(KeyError):
            derive.card_number(trace, path, of=of)
    with pytest.raises(KeyError, match="relations"):
        derive.card_number(trace, "mean", of="relations")


def test_it_is_computed_again_from_its_expression(trace):
    path = path_of_a_number(load_model("order").card)
    mean = derive.card_number(trace, path, of="order")
    own = derive.card_number(trace, "mean")
    for cell in (mean, own, derive.difference(mean, own)):
        assert derive.evaluate(json.loads(json.dumps(derive.expression(cell))), trace) == cell


def test_the_digest_covers_them_and_is_unchanged_without_any(trace):
    plain = capture(small_model(card={"mean": 0.5}), PROMPT)
    assert plain.digest != trace.digest
    assert "companions" not in plain.spec.to_json()
    assert TraceSpec.from_json(plain.spec.to_json()) == plain.spec
    arrays = {name: trace.array(name) for name in trace.names()}
    assert Trace(replace(trace.spec, companions={}), arrays).digest == plain.digest
    changed = {**trace.spec.companions, "order": {"mean": 0.25}}
    assert Trace(replace(trace.spec, companions=changed), arrays).digest != trace.digest


def test_saved_and_loaded(trace, tmp_path):
    trace.save(tmp_path / "trace.safetensors")
    again = Trace.load(tmp_path / "trace.safetensors")
    assert again == trace
    assert again.spec == trace.spec


def test_a_companion_that_there_is_not():
    with pytest.raises(InputError, match="model 'ordre': there is no such model; try 'order'"):
        capture(small_model(), PROMPT, companions=("ordre",))
