"""The panels that compare heads: costs that are the trace's own sizes, changes that add up, dots at their losses."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from scenes.kit.carriers import carried_by, measure
from scenes.kit.concat_layout import concat_layout
from scenes.kit.count_table import CountTable
from scenes.kit.flow import Flow
from scenes.kit.frame import Box, place_of
from scenes.kit.head_costs import grid_cells, head_costs
from scenes.kit.head_sum import HeadSum
from scenes.kit.loss_plot import LossPlot
from scenes.kit.text import Tick
from scenes.kit.theme import THEMES
from scenes.kit.trained_heads import best_of, next_best_of, trained_facts, trained_fields, trained_heads
from transformer_core.capture import capture
from transformer_core.config import ModelConfig
from transformer_core.errors import CheckFailed
from transformer_core.model import Transformer, init_weights
from transformer_core.sources import load_model
from transformer_core.sources.bundled import save_folder
from transformer_core.tokens import WordTokenizer

WORDS = ("a", "b", "c", "d", "e")
THEME = THEMES["dark"]
SHAPES = {"one": (16, 1, 4), "four": (16, 4, 4), "six": (12, 6, 2), "many": (32, 16, 2), "biased": (16, 4, 4)}
LOSSES = {1: (1.62, 1.60, 1.65), 4: (1.50, 1.52, 1.49), 16: (1.55, 1.53, 1.56)}


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    @cache
    def make(shape: str):
        d_model, heads, d_head = SHAPES[shape]
        config = ModelConfig(
            vocabulary_size=len(WORDS),
            context_length=8,
            d_model=d_model,
            head_count=heads,
            d_head=d_head,
            layer_count=1,
            d_mlp=0,
            attention_bias=shape == "biased",
        )
        model = Transformer(config, init_weights(config, seed=5))
        folder = tmp_path_factory.mktemp("models") / shape
        save_folder(folder, model, WordTokenizer(WORDS), card={"name": shape})
        return capture(load_model(str(folder)), "a b c d", cut=(0, 0))

    return make


def compared(trace, losses=LOSSES, *, d_model=64, floor: float | None = 1.45):
    """A trace with the cards of models that differ in their heads."""
    cards = {}
    for heads, own in losses.items():
        validation = {"losses": list(own), "mean": round(sum(own) / len(own), 4), "n": 1000}
        size = {"weights": 24128, "d_model": d_model, "head_count": heads, "d_head": d_model // heads}
        cards[f"m{heads}"] = {"validation": validation | ({"floor": floor} if floor else {}), "size": size}
    return type(trace)(replace(trace.spec, companions=cards), {name: trace.array(name) for name in trace.names()})


def names(losses=LOSSES) -> list[str]:
    return [f"m{heads}" for heads in losses]


@pytest.mark.parametrize("shape", list(SHAPES))
def test_costs_are_the_sizes_of_the_trace(traces, shape: str) -> None:
    trace = traces(shape)

    def size(stage: str) -> int:
        return trace.array(f"blocks.0.attn.{stage}").size

    learned = [f"{kind}_{letter}" for kind in ("W", "b") for letter in "QKVO" if kind == "W" or shape == "biased"]
    costs = head_costs(trace)
    tokens, d_model = trace.array("blocks.0.attn.input").shape
    own = costs[-1]
    assert (own.heads, own.d_head) == SHAPES[shape][1:]
    assert own.weights.value == sum(size(name) for name in learned)
    assert own.grid_cells.value == size("pattern")
    made = (
        3 * size("query") * d_model + size("pattern") * own.d_head + size("z") * tokens + size("head_out") * own.d_head
    )
    assert own.products.value == made
    assert len({cost.weights.value for cost in costs}) == len({cost.products.value for cost in costs}) == 1
    assert [cost.grid_cells.value for cost in costs] == [cost.heads * tokens**2 for cost in costs]
    assert all(cost.heads * cost.d_head == own.heads * own.d_head for cost in costs)


def test_costs_of_a_number_of_heads_that_is_no_power_of_two(traces) -> None:
    assert [cost.heads for cost in head_costs(traces("six"))] == [1, 2, 6]


@pytest.mark.parametrize("shape", list(SHAPES))
def test_changes_and_the_one_product_make_the_same(traces, shape: str) -> None:
    numbers = HeadSum(traces(shape), layer=0, token=2)
    parts = [numbers.change(head) for head in numbers.heads]
    if numbers.bias is not None:
        parts.append(numbers.bias)
    for place, feature in enumerate(numbers.features):
        if feature is None:
            assert all(part[place] is None for part in [*parts, numbers.total, numbers.product])
            continue
        added = sum(part[place].value for part in parts)
        assert added == pytest.approx(numbers.total[place].value, abs=1e-12)
        assert numbers.product[place].value == pytest.approx(added, abs=1e-12)
    assert numbers.same_digits
    assert numbers.apart.value < 1e-13
    drawn = [head for head in numbers.heads if head is not None]
    assert sorted([*drawn, *numbers.left_out]) == list(range(SHAPES[shape][1]))


def test_blocks_times_results_are_the_changes(traces) -> None:
    numbers = HeadSum(traces("four"), layer=0, token=1)
    for head in range(4):
        block = np.array([[cell.value for cell in row] for row in numbers.block(head)])
        result = np.array([cell.value for cell in numbers.result(head)])
        assert block @ result == pytest.approx([cell.value for cell in numbers.change(head)], abs=1e-12)


@pytest.mark.parametrize("layout", ["columns", "rows"])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("heads", "length"), [((True,), 4), ((True,) * 2, 8), ((True,) * 4, 4), ((1, 1, 0, 1), 5)])
def test_both_ways_fit_the_frame(heads, length, bias, layout) -> None:
    places = concat_layout(Flow(layout, 5), [bool(h) for h in heads], length=length, features=16, bias=bias)
    boxes = [places.block(p) for p in range(len(heads))] + [places.stacked(p) for p in range(len(heads))]
    boxes += [places.gathered(p) for p in range(len(heads))] + [places.product(), places.added_bias()]
    if len(heads) > 1:
        boxes += [box for p in range(len(heads)) for box in places.group(p)]
        boxes += [places.change(p) for p in range(len(heads) + bias)] + [places.total(), places.kept()]
    for box in boxes:
        assert 0.75 <= box.left < box.right <= 15.25
        assert 1.2 <= box.top < box.bottom <= 7.6


def test_every_dot_stands_at_its_loss_between_the_ticks(traces) -> None:
    trained = trained_heads(compared(traces("one")), names())
    plot = LossPlot(trained, best=best_of(trained), box=Box(2, 2, 7, 4), theme=THEME, floor_name="least")
    ticks = [each for each in plot.axes if isinstance(each, Tick)][: -len(trained)]
    heights = [place_of(each.get_center())[1] for each in ticks]
    slope, start = np.polyfit(heights, [float(each.text) for each in ticks], 1)
    for each, dots in zip(trained, plot.dots, strict=True):
        read = [start + slope * place_of(dot.get_center())[1] for dot in dots]
        assert read == pytest.approx(LOSSES[each.heads], abs=2e-3)
    lines = [start + slope * place_of(mark.get_center())[1] for mark in (*plot.means, plot.floor[0])]
    assert lines == pytest.approx([*(np.mean(own) for own in LOSSES.values()), 1.45], abs=2e-3)
    carried = [
        one for each in (*plot.dots, *plot.means, plot.floor) for m in each.get_family() for one in carried_by(m)
    ]
    assert len(carried) == sum(map(len, LOSSES.values())) + len(LOSSES) + 1
    assert [measure(one) for one in carried] == pytest.approx([one.encoding.drawn for one in carried])


def test_a_plot_without_a_floor(traces) -> None:
    trained = trained_heads(compared(traces("one"), floor=None), names())
    plot = LossPlot(trained, best=trained[0], box=Box(2, 2, 7, 4), theme=THEME, floor_name="least")
    assert not plot.floor.family_members_with_points()


@pytest.mark.parametrize(
    ("losses", "best", "said"),
    [
        (LOSSES, 4, "too_many"),
        ({**LOSSES, 16: (1.55, 1.515, 1.56)}, 4, "several_win"),
        ({1: (1.5, 1.6), 16: (1.4, 1.3)}, 16, "several_win"),
        ({1: (1.5, 1.6), 16: (1.4, 1.55)}, 16, "close"),
        ({1: (1.3, 1.4), 16: (1.5, 1.6)}, 1, "too_many"),
    ],
)
def test_nothing_is_said_that_two_seeds_contradict(traces, losses, best, said) -> None:
    trained = trained_heads(compared(traces("one"), losses), names(losses))
    assert best_of(trained).heads == best
    assert [name for name, holds in trained_facts(trained).items() if holds and name != "overlap"] == [said]


@pytest.mark.parametrize(
    ("losses", "second", "overlap"),
    [
        ({1: (1.5, 1.6), 8: (1.42, 1.48), 16: (1.3, 1.4)}, 8, False),
        ({1: (1.5, 1.6), 8: (1.38, 1.48), 16: (1.3, 1.4)}, 8, True),
        ({1: (1.3, 1.4), 8: (1.4, 1.6), 16: (1.5, 1.7)}, 8, True),
        ({4: (1.3, 1.4)}, 4, False),
    ],
)
def test_seeds_that_overlap_are_said_to(traces, losses, second, overlap) -> None:
    trained = trained_heads(compared(traces("one"), losses), names(losses))
    assert next_best_of(trained).heads == trained_fields(trained)["next_best"] == second
    assert trained_facts(trained)["overlap"] is overlap


@pytest.mark.parametrize("name", ["one", "four"])
def test_one_heads_product_is_the_models_own_cells(traces, name) -> None:
    numbers = HeadSum(traces(name), layer=0, token=1)
    kinds = {cell.name for cell in numbers.product}
    assert kinds == ({"blocks.0.attn.head_out"} if name == "one" else {"derived.dot"})


def test_models_of_different_sizes_are_not_compared(traces) -> None:
    trace = compared(traces("one"))
    other = compared(traces("one"), {2: (1.5,)}, d_model=32)
    both = replace(trace.spec, companions={**trace.spec.companions, **other.spec.companions})
    mixed = type(trace)(both, {name: trace.array(name) for name in trace.names()})
    with pytest.raises(CheckFailed, match="differ in more"):
        trained_heads(mixed, [*names(), "m2"])


def test_a_table_keeps_to_its_box_and_its_columns_apart(traces) -> None:
    trace = traces("many")
    rows = [(heads, 16, grid_cells(trace, heads)) for heads in (1, 2, 4, 8, 16)]
    box = Box(2.0, 2.0, 4.0, 3.0)
    headings = ["h", "a long heading", "another long one"]
    table = CountTable(headings, rows, box=box, theme=THEME, decimals=(0, 0, 0))
    texts = [list(table.heading)[1:], *(list(line) for line in table.lines)]
    for column in zip(*texts, strict=True):
        edges = [place_of(text.get_right())[0] for text in column]
        assert max(edges) - min(edges) < 0.1
    for line in texts:
        for left, right in pairwise(line):
            assert place_of(left.get_right())[0] < place_of(right.get_left())[0]
        assert place_of(line[0].get_left())[0] >= box.left - 0.01
        assert place_of(line[-1].get_right())[0] <= box.right + 0.01
    assert table.bottom <= box.bottom + 1e-9
