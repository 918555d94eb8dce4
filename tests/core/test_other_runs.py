"""The same tokens in another order and without positions, in one trace: addresses, identities, exact sums."""

import math
from dataclasses import replace
from itertools import permutations

import pytest
import torch

from tests.core.small_models import CONFIG, WORDS
from transformer_core import exact_sums, ops
from transformer_core.address import format_address, parse_address
from transformer_core.capture import capture
from transformer_core.derive import distance, evaluate, expression, negative, sinusoid
from transformer_core.errors import CheckFailed, InputError
from transformer_core.identities import check
from transformer_core.model import Transformer, init_weights
from transformer_core.orders import read_orders
from transformer_core.other_runs import RUNS
from transformer_core.sources.bundled import weights_hash
from transformer_core.sources.loaded import LoadedModel
from transformer_core.stages import layer_of, stage_of
from transformer_core.tokens import WordTokenizer
from transformer_core.trace import Trace

ENCODER = replace(CONFIG, causal=False, exact_sums=True, layer_count=1)
PROMPT = "a fluffy blue creature roamed"
ORDER = (3, 1, 4, 0, 2)


def loaded(config=ENCODER, seed=4):
    weights = init_weights(config, seed=seed)
    card = {"word_groups": {"noun": {"en": ["creature", "forest"], "zh": ["生物"]}}}
    return LoadedModel("small", Transformer(config, weights), WordTokenizer(WORDS), card, weights_hash(weights))


@pytest.fixture(scope="module")
def trace():
    return capture(loaded(), PROMPT, order=ORDER)


def test_the_runs_are_those_of_the_model(trace):
    words = tuple(trace.spec.tokens[place] for place in ORDER)
    assert trace.spec.reordered_tokens == words
    other = capture(loaded(), " ".join(words))
    for name in ("embed.out", "blocks.0.attn.pattern", "logits"):
        assert trace.array(f"reordered.{name}").tobytes() == other.array(name).tobytes()
    bare = capture(replace(loaded(), model=loaded().model.without_positions()), PROMPT)
    assert trace.array("unplaced.blocks.0.attn.out").tobytes() == bare.array("blocks.0.attn.out").tobytes()
    assert trace.array("embed.PE").shape == (ENCODER.context_length, ENCODER.d_model)
    assert (trace.array("embed.PE")[:5] == trace.array("embed.position")).all()


def test_without_an_order_there_are_none():
    plain = capture(loaded(), PROMPT)
    assert not [name for name in plain.names() if name.partition(".")[0] in RUNS or name == "embed.PE"]


@pytest.mark.parametrize("order", list(permutations(range(3)))[1:])
def test_without_positions_the_vectors_only_change_places(order):
    for seed in range(3):
        trace = capture(loaded(seed=seed), "fluffy creature roamed", order=order)
        name = "blocks.0.residual.attn_sum"
        assert (trace.array(f"unplaced_reordered.{name}") == trace.array(f"unplaced.{name}")[list(order)]).all()
        there = trace.cells(f"unplaced_reordered.{name}", position=order.index(0))
        assert distance(list(trace.cells(f"unplaced.{name}", position=0)), list(there)).value == 0.0
        placed = trace.array(f"reordered.{name}") - trace.array(name)[list(order)]
        assert abs(placed).max() > 0.01


def test_a_mask_tells_positions_apart():
    trace = capture(loaded(replace(ENCODER, causal=True)), PROMPT, order=ORDER)
    name = "blocks.0.residual.attn_sum"
    assert abs(trace.array(f"unplaced_reordered.{name}") - trace.array(f"unplaced.{name}")[list(ORDER)]).max() > 0.01


def test_a_run_that_does_not_move_along_is_found(trace):
    arrays = {name: trace.array(name).copy() for name in trace.names()}
    arrays["unplaced_reordered.blocks.0.residual.attn_sum"][1, 2] += 2e-16
    with pytest.raises(CheckFailed, match="reordered tokens, reordered vectors”: not the same to the last bit"):
        check(Trace(trace.spec, arrays))


def test_names_and_addresses(trace):
    assert stage_of("unplaced.blocks.0.attn.pattern") is stage_of("blocks.0.attn.pattern")
    assert layer_of("reordered.blocks.0.mlp.pre") == 0
    cell = trace.cell("unplaced_reordered.blocks.0.attn.pattern", head=1, query=0, key=2)
    assert format_address(cell, trace.spec) == "L1.H2.unplaced_reordered.pattern[query=creature, key=roamed]"
    table = trace.cell("embed.PE", position=7, d_model=2)
    assert format_address(table, trace.spec) == "embed.PE[position=8, d_model=3]"
    for each in (cell, table):
        assert parse_address(format_address(each, trace.spec), trace) == each
    for derived in (distance([cell], [cell]), negative(table)):
        assert evaluate(expression(derived), trace) == derived


def test_the_code_beyond_the_table_goes_on(trace):
    for position in range(ENCODER.context_length):
        for entry in range(ENCODER.d_model):
            made = sinusoid(trace, position=position, entry=entry)
            assert made.value == pytest.approx(trace.array("embed.PE")[position, entry], abs=1e-15)
    far = sinusoid(trace, position=10_000, entry=12)
    assert far.value == pytest.approx(math.sin(10_000 / 10_000 ** (12 / 14)), abs=1e-12)
    assert evaluate(expression(far), trace) == far


def test_saved_and_loaded(trace, tmp_path):
    trace.save(tmp_path / "trace.safetensors")
    again = Trace.load(tmp_path / "trace.safetensors")
    assert again == trace
    assert again.spec.order == ORDER


def test_an_order_names_each_place_once():
    with pytest.raises(InputError, match="no order of the prompt's tokens"):
        capture(loaded(), PROMPT, order=(0, 0, 1, 2, 3))


def test_two_sentences_are_read():
    assert read_orders(loaded(), "a creature roamed/roamed creature a") == ("a creature roamed", (2, 1, 0))
    assert read_orders(loaded(), "the blue the/the the blue") == ("the blue the", (0, 2, 1))
    # One sentence: its nouns change places, or else it is reversed.
    assert read_orders(loaded(), "a creature roamed the forest")[1] == (0, 4, 2, 3, 1)
    assert read_orders(loaded(), "a fluffy creature")[1] == (2, 1, 0)
    with pytest.raises(InputError, match="not of the same words"):
        read_orders(loaded(), "a creature/a forest")


def test_exact_sums_are_free_of_order():
    generator = torch.Generator().manual_seed(2)
    terms = torch.randn(50, 16, dtype=torch.float64, generator=generator) * 10.0 ** torch.arange(-8, 8)
    sums = exact_sums.exact_sum(terms)
    assert sums.tolist() == [math.fsum(row) for row in terms.tolist()]
    assert (exact_sums.exact_sum(terms[:, torch.randperm(16, generator=generator)]) == sums).all()


def test_exact_ops_are_the_ops():
    generator = torch.Generator().manual_seed(5)

    def draw(*shape):
        return torch.randn(*shape, dtype=torch.float64, generator=generator)

    x, weight, bias, out = draw(2, 7, 5), draw(3, 5, 4), draw(3, 4), draw(3, 4, 5)
    query, key, pattern = draw(3, 7, 4), draw(3, 6, 4), draw(3, 7, 6)
    for name, given in {
        "project_heads": (x, weight, bias),
        "scores": (query, key),
        "row_sum": (pattern,),
        "exponential": (pattern,),
        "mix_values": (pattern, key),
        "head_outputs": (query, out),
    }.items():
        found, wanted = getattr(exact_sums, name)(*given), getattr(ops, name)(*given)
        assert found.shape == wanted.shape
        assert found.flatten().tolist() == pytest.approx(wanted.flatten().tolist(), rel=0, abs=1e-13)
