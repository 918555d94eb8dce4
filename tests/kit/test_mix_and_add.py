"""The pieces of mix and add: numbers add up, sizes are drawn, nothing leaves its place."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from scenes.kit import frame
from scenes.kit.addition import AdditionPanel, addition_of
from scenes.kit.arrows import ArrowPlane, Sum
from scenes.kit.axis import nice_step, nice_ticks, tick_text
from scenes.kit.carriers import carried_by, measure
from scenes.kit.effect import effect_of
from scenes.kit.effect_panel import EffectPanel
from scenes.kit.flow import Flow, window
from scenes.kit.frame import Box
from scenes.kit.head_output import HeadOutput
from scenes.kit.ledger import family
from scenes.kit.matrix import NumberMatrix
from scenes.kit.sum_layout import SumLayout
from scenes.kit.terms import weighted_terms
from scenes.kit.text import box_of
from scenes.kit.theme import THEMES
from scenes.kit.weighted_sum import WeightedSum
from transformer_core.capture import capture
from transformer_core.config import ModelConfig
from transformer_core.model import Transformer, init_weights
from transformer_core.sources import load_model
from transformer_core.sources.bundled import save_folder
from transformer_core.tokens import WordTokenizer
from transformer_core.trace import Trace

WORDS = ("a", "fluffy", "blue", "creature", "roamed", "the", "verdant", "forest", "small", "red", "bird")
CARD = {
    "name": "toy",
    "claims": [{"id": each, "layer": 0, "head": 0} for each in ("binding", "effect")],
    "word_groups": {
        "adjective": {"en": ["fluffy", "blue", "verdant", "small", "red"]},
        "noun": {"en": ["creature", "forest", "bird"]},
    },
}
SHAPES = {"four": (16, 1, 4), "eight": (16, 1, 8), "wide": (32, 2, 8)}
SENTENCES = {1: "a", 2: "a creature", 8: "a fluffy blue creature roamed the verdant forest"}
THEME = THEMES["dark"]


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    @cache
    def make(shape: str, tokens: int) -> Trace:
        d_model, heads, d_head = SHAPES[shape]
        config = ModelConfig(
            vocabulary_size=len(WORDS),
            context_length=16,
            d_model=d_model,
            head_count=heads,
            d_head=d_head,
            layer_count=1,
            d_mlp=32,
        )
        folder = tmp_path_factory.mktemp("models") / "toy"
        save_folder(folder, Transformer(config, init_weights(config, seed=3)), WordTokenizer(WORDS), card=CARD)
        return capture(load_model(str(folder)), SENTENCES[tokens], cut=(0, 0))

    return make


def word(key: str, **fields: object) -> str:
    return " ".join([key.split("_")[-1], *(str(value) for value in fields.values())])


def measured(*mobjects) -> list[tuple[float, float]]:
    return [
        (measure(carried), carried.encoding.drawn)
        for each in family(mobjects)
        if not isinstance(each, NumberMatrix)
        for carried in carried_by(each)
    ]


def assert_inside(*mobjects) -> None:
    for each in mobjects:
        if not each.family_members_with_points():
            continue
        left, top, right, bottom = box_of(each)
        assert 0.75 <= left < right <= 15.25, each
        assert 0.45 <= top < bottom <= frame.CAPTION.top, each


def assert_apart(*mobjects) -> None:
    boxes = [box_of(each) for each in mobjects if each.family_members_with_points()]
    for (l1, t1, r1, b1), (l2, t2, r2, b2) in combinations(boxes, 2):
        assert r1 <= l2 + 1e-6 or r2 <= l1 + 1e-6 or b1 <= t2 + 1e-6 or b2 <= t1 + 1e-6


def layout_of(trace: Trace, layout: str, terms: int) -> SumLayout:
    config = trace.spec.config
    flow = Flow(layout, len(trace.spec.ids))
    return SumLayout(flow, terms, len(window(config.d_head, shown=8)), len(window(config.d_model)))


@pytest.mark.parametrize("shown", [2, 5])
def test_terms_add_up_to_z(traces, shown: int) -> None:
    trace = traces("four", 8)
    found = weighted_terms(trace, layer=0, head=0, query=6, shown=shown)
    assert sum(not term.rest for term in found.terms) == shown
    assert [key for term in found.terms if not term.rest for key in term.keys] == sorted(
        key for term in found.terms if not term.rest for key in term.keys
    )
    total = np.sum([[cell.value for cell in term.weighted] for term in found.terms], axis=0)
    assert total == pytest.approx([cell.value for cell in found.total], abs=1e-12)
    assert found.weight_sum.value == pytest.approx(1.0, abs=1e-12)
    assert [cell.at("key") for cell in found.masked] == [7]
    smallest_shown = min(term.weight.value for term in found.terms if not term.rest)
    rest = [key for term in found.terms if term.rest for key in term.keys]
    assert all(trace.cell("blocks.0.attn.pattern", head=0, query=6, key=key).value <= smallest_shown for key in rest)


@pytest.mark.parametrize("layout", ["columns", "rows"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tokens", SENTENCES)
def test_mix_stays_in_its_place(traces, layout: str, shape: str, tokens: int) -> None:
    trace = traces(shape, tokens)
    query = min(tokens - 1, 5)
    found = weighted_terms(trace, layer=0, head=0, query=query, shown=5 if shape == "four" else 4)
    place = layout_of(trace, layout, len(found.terms))
    panel = WeightedSum(found, layout=place, tokens=trace.spec.tokens, theme=THEME, word=word)
    output = HeadOutput(trace, layout=place, layer=0, head=0, token=query, theme=THEME)
    vectors = [
        *(each for each in panel.values if isinstance(each, NumberMatrix)),
        *panel.weighted,
        panel.total,
    ]
    assert_inside(panel, output)
    assert_apart(*vectors, *panel.weights, *panel.labels, output.matrix, output.delta, panel.masked)
    assert len(output.delta.numbers()) == min(trace.spec.config.d_model, 15 if shape == "wide" else 16)


@pytest.mark.parametrize("layout", ["columns", "rows"])
@pytest.mark.parametrize("shape", SHAPES)
def test_addition_adds_up_and_stays_in_its_place(traces, layout: str, shape: str) -> None:
    trace = traces(shape, 8)
    addition = addition_of(trace, layer=0, head=0, token=3)
    parts = [addition.before, addition.change, *([] if addition.alone else [addition.others])]
    total = np.sum([[cell.value for cell in part] for part in parts], axis=0)
    assert total == pytest.approx([cell.value for cell in addition.after], abs=1e-12)
    assert addition.alone == (shape != "wide")
    panel = AdditionPanel(addition, flow=Flow(layout, 8), theme=THEME, others=("a", "b"), then="→ LayerNorm")
    assert_inside(panel)
    assert_apart(*panel.vectors, *panel.signs, panel.then)


@pytest.mark.parametrize("token", range(8))
def test_arrows_are_as_long_as_their_vectors(traces, token: int) -> None:
    addition = addition_of(traces("four", 8), layer=0, head=0, token=token)
    plane = ArrowPlane(
        Sum.of(addition.before, addition.change, addition.after),
        box=Box(4.8, 2.1, 6.2, 5.4),
        theme=THEME,
        symbols=("E", "Delta E", "E'"),
        note="length",
    )
    pairs = measured(plane)
    assert len(pairs) == 3
    assert all(drawn == pytest.approx(meant, abs=1e-9) for drawn, meant in pairs)
    plane.second.shift(plane.second_at_origin())
    assert plane.second.ends[0] == pytest.approx(plane.origin, abs=1e-9)
    left, top, right, bottom = box_of(plane)
    assert left >= 4.5
    assert right <= 11.2
    assert top >= 1.85
    assert bottom <= 7.7


def test_the_claim_covers_the_head_at_a_noun_only(traces) -> None:
    trace = traces("four", 8)
    effects = [effect_of(trace, layer=0, head=0, query=query) for query in range(8)]
    assert not effects[4].claimed
    assert len(effects[4].named) == 2
    for query in (3, 7):
        if effects[query].claimed:
            assert {each.text for each in effects[query].named} <= {"fluffy", "blue", "verdant"}
            assert len(effects[query].group) == 5
    assert any(effects[query].claimed for query in (3, 7))
    assert effect_of(trace, layer=0, head=1, query=3) is None


@pytest.mark.parametrize("query", [3, 4, 7])
@pytest.mark.parametrize(
    "boxes",
    [
        (Box(11.5, 2.25, 3.6, 2.55), Box(11.5, 5.2, 3.6, 2.4)),
        (Box(10.2, 3.5, 4.9, 1.95), Box(10.2, 5.8, 4.9, 1.8)),
    ],
)
def test_bars_and_dots_measure_what_they_stand_for(traces, query: int, boxes: tuple[Box, Box]) -> None:
    effect = effect_of(traces("four", 8), layer=0, head=0, query=query)
    panel = EffectPanel(effect, bars=boxes[0], dots=boxes[1], theme=THEME, word=word)
    pairs = measured(panel)
    assert len(pairs) == len(effect.group) + (2 if effect.claimed else 4)
    assert all(drawn == pytest.approx(meant, abs=1e-6) for drawn, meant in pairs)
    assert_inside(panel)


def test_a_short_bar_is_measured_along_its_length(traces) -> None:
    effect = effect_of(traces("four", 8), layer=0, head=0, query=3)
    panel = EffectPanel(effect, bars=Box(11.5, 2.25, 3.6, 2.55), dots=Box(11.5, 5.2, 3.6, 2.4), theme=THEME, word=word)
    bar = next(each for each in family([*panel.bars]) if carried_by(each))
    bar.stretch_to_fit_width(bar.width / 2)
    assert measure(carried_by(bar)[0]) == pytest.approx(carried_by(bar)[0].encoding.drawn / 2)


def test_ticks_are_round_numbers() -> None:
    assert nice_step(10) == 2
    assert nice_ticks(-2.2, 6.1) == [-2.0, 0.0, 2.0, 4.0, 6.0]
    assert [tick_text(value) for value in (-0.5, 0.0, 15.0)] == ["−0.5", "0", "15"]
