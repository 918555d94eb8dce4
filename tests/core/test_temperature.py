"""Probabilities at a temperature, and long sums written short: right, and computed again from another trace."""

import json

import numpy as np
import pytest

from tests.core.small_models import PROMPT, small_model
from tests.tolerances import SAME_MODEL_FLOAT64
from transformer_core import derive
from transformer_core.capture import capture
from transformer_core.display import show


@pytest.fixture(scope="module")
def trace():
    return capture(small_model(), PROMPT)


def near(value):
    return pytest.approx(value, rel=0, abs=SAME_MODEL_FLOAT64)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_it_is_the_softmax_of_the_logits_over_the_temperature(trace, temperature):
    logits = derive.vector(trace, "logits", position=5)
    t = derive.constant(trace, temperature)
    powers = np.exp(trace.array("logits")[5] / temperature)
    shares = [derive.tempered(logits, own=[each], temperature=t) for each in logits]
    assert [share.value for share in shares] == [near(each) for each in powers / powers.sum()]
    rest = derive.tempered(logits, own=logits[3:], temperature=t)
    assert rest.value == near(powers[3:].sum() / powers.sum())
    assert derive.sum_of([*shares[:3], rest]).value == near(1.0)
    if temperature == 1.0:
        assert shares[2].value == near(trace.cell("probabilities", position=5, vocab=2).value)


def test_only_words_of_the_logits(trace):
    logits = derive.vector(trace, "logits", position=5)
    with pytest.raises(ValueError, match="not one of the logits"):
        derive.tempered(logits[:4], own=[logits[5]], temperature=derive.constant(trace, 1.0))


def test_a_share_below_one_never_reads_as_one(trace):
    logits = derive.vector(trace, "logits", position=5)
    cold = derive.tempered(logits, own=derive.top_k(logits, count=1), temperature=derive.constant(trace, 0.01))
    assert cold.value == 1.0 or show(cold).text.startswith(">")


def test_written_short_and_computed_again(trace):
    logits = derive.vector(trace, "logits", position=5)
    made = (
        derive.tempered(logits, own=[logits[4]], temperature=derive.constant(trace, 0.5)),
        derive.rest_sum(derive.vector(trace, "probabilities", position=5), shown=logits[:0]),
        derive.sum_of([logits[0], logits[1], logits[3], logits[4], logits[5], logits[7]]),
    )
    other = capture(small_model(seed=8), PROMPT)
    for cell in made:
        text = json.dumps(derive.expression(cell))
        assert len(text) < 650
        assert derive.evaluate(json.loads(text), trace) == cell
        assert derive.evaluate(json.loads(text), other).digest == other.digest[:16]
    runs = [parent.get("count", 1) for parent in derive.expression(made[2])["parents"]]
    assert runs == [1, 1, 3, 1]
