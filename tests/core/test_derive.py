"""Numbers made from cells: right, traceable, and computed again from another trace."""

import json
import math

import numpy as np
import pytest

from tests.core.small_models import PROMPT, small_model
from tests.tolerances import SAME_MODEL_FLOAT64
from transformer_core import derive
from transformer_core.capture import capture

A = "blocks.0.attn."


@pytest.fixture(scope="module")
def trace():
    card = {"claims": [{"id": "binding", "mean": 0.97, "seeds": [1, 2]}], "name": "x"}
    return capture(small_model(card=card), PROMPT)


def near(value):
    return pytest.approx(value, rel=0, abs=SAME_MODEL_FLOAT64)


def test_score_terms_sum_to_the_score(trace):
    terms = derive.score_terms(trace, layer=0, head=1, query=4, key=2)
    assert len(terms) == 5
    assert derive.sum_of(terms).value == near(trace.cell(A + "scores", head=1, query=4, key=2).value)
    assert terms[3].index == (("head", 1), ("query", 4), ("d_head", 3), ("key", 2))
    assert terms[3].formula == "Q · K"
    assert terms[3].value == terms[3].parents[0].value * terms[3].parents[1].value


@pytest.mark.parametrize("role", ["query", "key", "value"])
def test_projection_terms_sum_to_the_entry(trace, role):
    terms = derive.projection_terms(trace, layer=1, head=2, role=role, position=3, entry=4)
    axis = "query" if role == "query" else "key"
    entry = trace.cell(f"blocks.1.attn.{role}", head=2, d_head=4, **{axis: 3})
    assert len(terms) == 14
    assert derive.sum_of(terms).value == near(entry.value)


def test_weighted_values_sum_to_z(trace):
    per_key = [derive.weighted_value(trace, layer=0, head=0, query=5, key=key) for key in range(6)]
    for entry in range(5):
        z = derive.sum_of([cells[entry] for cells in per_key])
        assert z.value == near(trace.cell(A + "z", head=0, query=5, d_head=entry).value)
        assert z.index == (("head", 0), ("query", 5), ("d_head", entry))


def test_rest_sum_is_what_is_left_out(trace):
    cells = derive.vector(trace, A + "input", position=2)
    shown = derive.top_k(cells, count=3)
    assert [cell.value for cell in shown] == sorted((cell.value for cell in cells), reverse=True)[:3]
    rest = derive.rest_sum(cells, shown=shown)
    assert len(rest.parents) == 11
    assert rest.value == math.fsum(cell.value for cell in cells if cell not in shown)
    with pytest.raises(ValueError, match="not one of the cells"):
        derive.rest_sum(cells[:2], shown=cells[3:4])
    with pytest.raises(ValueError, match="sum of no cells"):
        derive.rest_sum(cells, shown=cells)


def test_vectors(trace):
    left = derive.vector(trace, "embed.out", position=1)
    right = derive.vector(trace, "embed.out", position=2)
    a, b = trace.array("embed.out")[1], trace.array("embed.out")[2]
    assert derive.dot(left, right).value == near(a @ b)
    assert derive.norm(left).value == near(np.linalg.norm(a))
    assert derive.cosine(left, right).value == near(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    assert derive.cosine(left, left).value == near(1.0)
    along, across = derive.along(left, right).value, derive.across(left, right).value
    assert along == near(a @ b / np.linalg.norm(b))
    assert across == near(np.linalg.norm(a - (a @ b) / (b @ b) * b))
    assert math.hypot(along, across) == near(np.linalg.norm(a))
    with pytest.raises(ValueError, match="vectors of 14 and 13 entries"):
        derive.dot(left, right[1:])


def test_simple_ones(trace):
    one, two = (
        derive.vector(trace, A + "scaled", head=0, query=3, key=1)[0],
        trace.cell("logits", position=0, vocab=1),
    )
    assert derive.difference(one, two).value == one.value - two.value
    assert derive.ratio(one, two).value == one.value / two.value
    assert derive.exponential(one).value == math.exp(one.value)
    assert derive.mean_of([one, two]).value == (one.value + two.value) / 2
    assert derive.sqrt_of_d_head(trace).value == math.sqrt(5)


def test_entropy(trace):
    uniform = derive.vector(trace, A + "pattern", head=0, query=0)
    assert derive.entropy(uniform).value == 0.0
    row = trace.array(A + "pattern")[0, 5]
    assert derive.entropy(derive.vector(trace, A + "pattern", head=0, query=5)).value == near(
        -(row * np.log(row)).sum()
    )


def test_sums_do_not_depend_on_the_order(trace):
    cells = derive.vector(trace, "logits", position=3)
    assert derive.sum_of(cells).value == derive.sum_of(cells[::-1]).value


def test_card_numbers(trace):
    assert derive.card_number(trace, "claims.binding.mean").value == 0.97
    assert derive.card_number(trace, "claims.0.seeds.1").value == 2.0
    for path in ("claims.effect.mean", "name", "claims", "claims.binding.median"):
        with pytest.raises(KeyError):
            derive.card_number(trace, path)


def test_a_derived_number_can_be_computed_again(trace):
    made = (
        derive.sum_of(derive.score_terms(trace, layer=0, head=1, query=4, key=2)),
        derive.cosine(*(derive.vector(trace, "embed.out", position=place) for place in (1, 2))),
        derive.sqrt_of_d_head(trace),
        derive.card_number(trace, "claims.binding.mean"),
    )
    other = capture(small_model(seed=8, card=dict(trace.spec.card)), PROMPT)
    for cell in made:
        written = json.loads(json.dumps(derive.expression(cell)))
        assert derive.evaluate(written, trace) == cell
        assert derive.evaluate(written, other).digest == other.digest[:16]
    first = json.loads(json.dumps(derive.expression(made[0])))
    assert derive.evaluate(first, other).value == near(other.cell(A + "scores", head=1, query=4, key=2).value)


def test_cells_of_two_traces_do_not_mix(trace):
    other = capture(small_model(seed=8), PROMPT)
    with pytest.raises(ValueError, match="from different traces"):
        derive.difference(*(each.cell("logits", position=0, vocab=0) for each in (trace, other)))
