"""The pieces of the embedding scene: the numbers they choose, what is drawn, nothing leaves its place."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from scenes.kit import frame
from scenes.kit.axis import AxisScale
from scenes.kit.belt import Belt
from scenes.kit.carriers import carried_by, measure
from scenes.kit.embedding_lookup import EmbeddingLookup
from scenes.kit.flow import Flow
from scenes.kit.journey import Journey, shortened
from scenes.kit.journey_panel import JourneyPanel
from scenes.kit.ledger import family
from scenes.kit.logit_plane import LogitPlane, Place
from scenes.kit.matrix import NumberMatrix
from scenes.kit.next_word import NextWord
from scenes.kit.one_line import OneLine
from scenes.kit.sentence import large_boxes
from scenes.kit.text import box_of
from scenes.kit.theme import THEMES
from scenes.kit.unembedding import Unembedding
from scenes.kit.vocabulary_softmax import VocabularySoftmax
from scenes.kit.word_table import Gap, around
from tests.core.small_models import PROMPT, small_model
from tests.tolerances import SAME_MODEL_FLOAT64
from transformer_core import derive
from transformer_core.capture import capture
from transformer_core.display import show

THEME = THEMES["dark"]
SHAPES = {
    "post": {},
    "pre": {"norm_order": "pre", "final_norm": True, "tied": False},
    "bare": {"norm_order": "none", "positions": "none", "d_mlp": 0},
    "learned": {"positions": "learned", "unembed_bias": True, "head_count": 1, "layer_count": 1},
    "deep": {"layer_count": 4, "d_model": 20},
}


@cache
def trace_of(shape):
    return capture(small_model(**SHAPES[shape]), PROMPT)


def journey_of(shape):
    return Journey(trace_of(shape), 5)


def word(key, **fields):
    return " ".join([key.split("_")[-1], *(str(value) for value in fields.values())])


def assert_drawn_is_value(*mobjects):
    found = [carried for each in family(mobjects) if not isinstance(each, NumberMatrix) for carried in carried_by(each)]
    assert found
    for carried in found:
        assert measure(carried) == pytest.approx(carried.encoding.drawn, abs=1e-6)


def assert_inside(*mobjects):
    for each in mobjects:
        if each.family_members_with_points():
            left, top, right, bottom = box_of(each)
            assert 0.72 <= left < right <= 15.28, each
            assert 0.45 <= top < bottom <= frame.CAPTION.top, each


@pytest.mark.parametrize("shape", SHAPES)
def test_a_journey_adds_up(shape):
    journey, config = journey_of(shape), trace_of(shape).spec.config
    values = {id(stop): np.array([cell.value for cell in stop.cells]) for stop in journey.stops}
    stops = journey.stops
    for before, change, after in zip(stops, stops[1:], stops[2:], strict=False):
        if change.kind == "change" and after.step == "add":
            assert values[id(before)] + values[id(change)] == pytest.approx(values[id(after)], abs=SAME_MODEL_FLOAT64)
    assert len([stop for stop in stops if stop.kind == "change"]) == config.layer_count * (2 if config.d_mlp else 1)
    assert [stop.step for stop in stops].count("final_norm") == config.final_norm


@pytest.mark.parametrize("shape", SHAPES)
def test_scores_are_what_the_unembedding_reads(shape):
    journey, trace = journey_of(shape), trace_of(shape)
    matrix = trace.array("unembed.W_U")
    for stop in journey.walk:
        wanted = float(np.array([cell.value for cell in stop.cells]) @ matrix[:, 3])
        if trace.spec.config.unembed_bias:
            wanted += trace.cell("unembed.b_U", vocab=3).value
        assert journey.score(stop, 3).value == pytest.approx(wanted, abs=SAME_MODEL_FLOAT64)
    assert journey.score(journey.last, 3) == trace.cell("logits", position=5, vocab=3)
    if not trace.spec.config.final_norm and trace.spec.config.d_mlp:
        assert journey.score(journey.stops[-1], 3).value == trace.cell("logits", position=5, vocab=3).value


def test_the_walk_shows_each_sum_before_its_norm():
    walk = journey_of("post").walk
    assert [stop.kind for stop in walk] == ["state", *["sum", "state"] * 4]
    assert walk[1].cells == tuple(trace_of("post").cells("blocks.0.residual.attn_sum", position=5))
    assert walk[3].cells == tuple(trace_of("post").cells("blocks.0.residual.mlp_sum", position=5))


def test_many_layers_are_shortened_two_are_not():
    deep = shortened(journey_of("deep").stops)
    assert None in deep
    assert {stop.layer for stop in deep if stop} == {0, 3}
    assert None not in shortened(journey_of("pre").stops)


@pytest.mark.parametrize("shape", ["post", "learned"])
def test_the_shares_add_up(shape):
    guess = NextWord(trace_of(shape), 5)
    assert guess.best == int(np.argmax(trace_of(shape).array("logits")[5]))
    for shares in guess.panels:
        assert shares.total.value == pytest.approx(1.0, abs=1e-12)
        powers = np.exp(trace_of(shape).array("logits")[5] / shares.temperature.value)
        named = [(powers / powers.sum())[word] for word in guess.named]
        assert [cell.value for cell in shares.words] == pytest.approx(named, abs=1e-12)
    assert guess.not_best is not None
    assert guess.not_best.value == pytest.approx(1 - guess.probability(guess.best).value, abs=1e-12)
    assert guess.others == len(trace_of(shape).spec.vocabulary) - guess.count


def test_all_words_of_a_tiny_vocabulary_are_named():
    model = small_model(vocabulary_size=13)
    trace = capture(model, "a the")
    assert NextWord(trace, 1).others != 1


def test_a_table_counts_what_it_leaves_out():
    assert around(7, total=20) == [0, 1, 2, Gap(4), 7, Gap(10), 18, 19]
    assert around(1, total=4) == [0, 1, 2, 3]
    assert around(0, total=1) == [0]
    for place in range(9):
        slots = around(place, total=9)
        assert sum(slot.words if isinstance(slot, Gap) else 1 for slot in slots) == 9
        assert place in slots


@pytest.mark.parametrize("count", [1, 2, 7, 17])
def test_large_sentences_stay_apart(count):
    boxes = large_boxes(["creature"] * count, top=2.0)
    for one, two in combinations(boxes, 2):
        assert one.right <= two.left or two.right <= one.left or one.top != two.top
    assert all(box.left >= 0.8 and box.right <= 15.2 for box in boxes)


@pytest.mark.parametrize(
    ("shape", "layout"),
    [("post", "columns"), ("pre", "rows"), ("bare", "columns"), ("learned", "rows"), ("deep", "columns")],
)
def test_pieces_draw_their_numbers_in_the_frame(shape, layout):
    trace, journey, flow = trace_of(shape), journey_of(shape), Flow(layout, 6)
    guess = NextWord(trace, 5)
    lookup = EmbeddingLookup(trace, position=5, flow=flow, theme=THEME, word=word)
    assert_inside(lookup.table, lookup.token, lookup.stamp, *lookup.stamped, *lookup.symbols, lookup.name_of_matrix)
    for row, copied in zip(lookup.lifted().grid, lookup.token.grid, strict=True):
        blue, grey = ([None if cell is None else cell.value for cell in cells] for cells in (row, copied))
        assert blue == grey
    panel = JourneyPanel(journey, flow=flow, theme=THEME, word=word)
    assert_inside(panel)
    assert_drawn_is_value(panel)
    assert [column.size[0].encodings[0].cell for column in panel.columns] == [
        derive.norm(column.stop.cells) for column in panel.columns
    ]
    unembedding = Unembedding(journey, guess, flow=flow, theme=THEME, word=word)
    assert_inside(unembedding.table, unembedding.vector, *unembedding.rows, unembedding.sum, *unembedding.logits)
    softmax = VocabularySoftmax(guess, columns=flow.columns, theme=THEME, word=word)
    assert_inside(softmax.names, softmax.over, *softmax.steps.values(), *softmax.panels, *softmax.totals, softmax.sum)
    assert_drawn_is_value(*softmax.panels)
    belt = Belt(journey, guess, theme=THEME, word=word)
    assert_inside(belt)
    assert_drawn_is_value(belt.exit)
    assert_inside(OneLine(journey, guess, end=(13.0, 3.0), theme=THEME, word=word))


@pytest.mark.parametrize("shape", ["post", "pre"])
def test_dots_of_the_plane_stand_at_their_scores(shape):
    journey = journey_of(shape)
    places = [
        Place(journey.score(stop, 3), journey.score(stop, 4), stop.symbol, stop.step == "add") for stop in journey.walk
    ]
    plane = LogitPlane(
        places, words=("x", "y"), box=frame.Box(9.3, 2.3, 5.9, 5.25), theme=THEME, word=("of", "leads", "+", "norm")
    )
    assert_inside(plane)
    assert_drawn_is_value(*plane.dots)
    assert isinstance(plane.x, AxisScale)
    assert plane.x.unit == plane.y.unit
    assert len(plane.steps) == len(places) - 1
    assert {number.text for number in plane.reading[2:]} == {show(places[-1].across).text, show(places[-1].up).text}
