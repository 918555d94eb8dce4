"""The pieces of the beat softmax: what is drawn measures what the weights are."""

import math
from itertools import pairwise

import pytest

from scenes.kit.carriers import carried_by, measure
from scenes.kit.dots import DotGrid
from scenes.kit.drawers import Drawers
from scenes.kit.flow import Flow
from scenes.kit.frame import MARGIN_X, WIDTH, Box
from scenes.kit.ribbons import THINNEST, Rail, Ribbons
from scenes.kit.softmax_table import STEPS, CloseUp, SoftmaxTable
from scenes.kit.text import BoundNumber, box_of
from scenes.kit.theme import THEMES
from transformer_core.capture import capture
from transformer_core.cell import Cell
from transformer_core.config import ModelConfig
from transformer_core.display import show
from transformer_core.model import Transformer, init_weights
from transformer_core.sources.loaded import LoadedModel
from transformer_core.tokens import WordTokenizer

WORDS = {
    name: name for name in ("score", "shifted", "exp", "pattern", "max", "attention", "attention_weight", "over_keys")
}
SENTENCE = "a fluffy blue creature roamed the verdant forest small red bird green old tree slept here"
LAYOUTS, LENGTHS = ("columns", "rows"), (1, 2, 8, 16)
THEME = THEMES["dark"]


@pytest.fixture(scope="module")
def traces():
    """Traces of a random model, causal or not, for sentences of several lengths."""
    words = tuple(SENTENCE.split())
    found = {}
    for causal in (True, False):
        config = ModelConfig(
            vocabulary_size=len(words), context_length=16, d_model=16, head_count=1, d_head=4, layer_count=1,
            d_mlp=0, causal=causal,
        )  # fmt: skip
        weights = {
            name: value * (3.0 if name.endswith(("W_Q", "W_K")) else 1.0)
            for name, value in init_weights(config, seed=3).items()
        }
        model = LoadedModel("random", Transformer(config, weights), WordTokenizer(words), {}, "0" * 64)
        for length in LENGTHS:
            found[causal, length] = capture(model, " ".join(words[:length]))
    return found


def weights_of(trace, query):
    return list(trace.cells("blocks.0.attn.pattern", head=0, query=query))


def carried_in(mobject):
    return [carried for part in mobject.get_family() for carried in carried_by(part)]


def assert_drawn(mobject):
    carried = carried_in(mobject)
    for each in carried:
        if each.place is None:
            assert measure(each) == pytest.approx(each.encoding.drawn, abs=1e-6)
    return [each for each in carried if each.place is None]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("causal", [True, False])
def test_dots_have_the_area_of_their_weight(traces, layout, length, causal):
    trace, flow = traces[causal, length], Flow(layout, length)
    grid = DotGrid(
        lambda query, key: trace.cell("blocks.0.attn.pattern", head=0, query=query, key=key),
        flow=flow, theme=THEME, box=CloseUp(flow).dots, asking=0,
    )  # fmt: skip
    carried = assert_drawn(grid)
    full = grid.scale_of_area.full
    for each in carried:
        area = math.pi * measure(each) ** 2 / 4
        assert area == pytest.approx(each.encoding.cell.value * math.pi * full**2 / 4, rel=1e-6)
    shown = {each.encoding.cell for each in carried}
    for query in range(length):
        for cell in weights_of(trace, query):
            assert (cell in shown) == (not cell.masked and show(cell).kind != "tiny")
    cell = grid.cell_box(0, 0)
    assert full <= min(cell.width, cell.height)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("causal", [True, False])
def test_lines_and_what_is_not_drawn_add_up_to_one(traces, layout, length, causal):
    trace, flow = traces[causal, length], Flow(layout, length)
    for query in range(length):
        ribbons = Ribbons(weights_of(trace, query), asking=query, flow=flow, theme=THEME)
        drawn = assert_drawn(ribbons)
        assert all(each.encoding.cell.value >= THINNEST for each in drawn)
        left_out = 0.0 if ribbons.undrawn is None else ribbons.undrawn.value
        widths = sum(measure(each) for each in drawn)
        assert widths / ribbons.scale_of_width.full + left_out == pytest.approx(1.0)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("length", LENGTHS)
def test_lines_stay_beside_the_sentence(traces, layout, length):
    trace, flow = traces[False, length], Flow(layout, length)
    rail = Rail(flow)
    for query in range(length):
        ribbons = Ribbons(weights_of(trace, query), asking=query, flow=flow, theme=THEME)
        for each in ribbons.ribbons:
            left, _, right, bottom = box_of(each)
            half = each.encodings[0].drawn / 2
            away = (bottom if flow.columns else right) - rail.edge + half
            assert away <= rail.depth + 0.06
            assert left - half >= MARGIN_X
            assert right + half <= WIDTH - MARGIN_X


def test_lines_do_not_start_on_one_another(traces):
    trace, flow = traces[False, 8], Flow("columns", 8)
    ribbons = Ribbons(weights_of(trace, 3), asking=3, flow=flow, theme=THEME)
    spans = sorted(
        (each.points[0][0] - each.encodings[0].drawn / 2, each.points[0][0] + each.encodings[0].drawn / 2)
        for each in ribbons.ribbons
    )
    assert all(first[1] < second[0] for first, second in pairwise(spans))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("causal", [True, False])
def test_table_shows_the_cells_of_each_step(traces, layout, length, causal):
    trace, flow = traces[causal, length], Flow(layout, length)
    query = length // 2
    table = SoftmaxTable(trace, flow=flow, theme=THEME, layer=0, head=0, query=query, words=WORDS)
    for step, stage in zip(STEPS, ("masked", "shifted", "exp", "pattern"), strict=True):
        shown = [each.cell for _, _, each in table.columns[step].numbers()]
        assert shown == list(trace.cells(f"blocks.0.attn.{stage}", head=0, query=query))
    assert_drawn(table.bars)
    assert len(table.bars) == sum(not cell.masked for cell in weights_of(trace, query))
    assert table.weight_sum.value == pytest.approx(1.0, abs=1e-12)
    sums = {part.cell.name for part in table.get_family() if isinstance(part, BoundNumber)}
    assert sums == {"blocks.0.attn.row_max", "blocks.0.attn.row_sum", "derived.sum"}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("length", LENGTHS)
def test_numbers_can_be_read_from_the_back(layout, length):
    size = CloseUp(Flow(layout, length)).size
    assert size >= 9 / (32.1 if length <= 8 else 45.1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_steps_and_dots_do_not_overlap(layout):
    for length in range(1, 17):
        place = CloseUp(Flow(layout, length))
        boxes = [*(place.step(name) for name in STEPS), place.dots]
        for number, first in enumerate(boxes):
            assert first.left >= MARGIN_X
            assert first.right <= WIDTH - MARGIN_X
            assert first.bottom <= 7.6
            assert all(_apart(first, second) for second in boxes[number + 1 :])


def _apart(first: Box, second: Box) -> bool:
    gap = 1e-9
    return (
        first.right <= second.left + gap
        or second.right <= first.left + gap
        or first.bottom <= second.top + gap
        or second.bottom <= first.top + gap
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_soft_drawers_open_by_their_weight_and_the_hard_one_is_a_picture(traces, layout):
    trace, flow = traces[True, 8], Flow(layout, 8)
    place = CloseUp(flow)
    cells: list[Cell] = weights_of(trace, 4)
    soft = Drawers(cells, place=place, start=5.0, reach=1.0, title="soft", theme=THEME)
    assert {each.encoding.cell for each in assert_drawn(soft.trays)} == {c for c in cells if not c.masked}
    hard = Drawers(2, place=place, start=5.0, reach=1.0, title="hard", theme=THEME)
    assert carried_in(hard.trays) == []
    assert len(hard.trays) == 1
