"""Arcs, lanes and grids of heads: what is drawn is what the weights and the card say, at every length."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from scenes.kit import frame, glyphs
from scenes.kit.arc_legend import ArcLegend
from scenes.kit.arcs import QUIET, ArcRoom, Arcs
from scenes.kit.bars import Bar
from scenes.kit.carriers import carried_by, measure
from scenes.kit.dots import LEGEND
from scenes.kit.flow import Flow
from scenes.kit.frame import Box
from scenes.kit.head_grids import FOOT, NOTE, HeadGrids
from scenes.kit.lane import SENTENCE, Lane, Share
from scenes.kit.ribbons import THINNEST
from scenes.kit.text import BoundNumber, Label, Tick
from scenes.kit.theme import THEMES
from scenes.kit.token_line import token_line
from transformer_core.capture import capture
from transformer_core.sources import load_model

THEME = THEMES["dark"]
SENTENCES = {
    1: "dogs",
    2: "small dogs",
    9: "small dogs near the cat sleep because they dream",
    16: "small dogs near the cat sleep because they dream while the cat rests near the mice",
}


@cache
def trace_of(prompt=SENTENCES[9], model="relations"):
    return capture(load_model(model), prompt)


def boxes_of(tokens, width=14.4, height=0.58):
    return token_line(tokens, left=0.8, top=5.0, width=width, height=height, size=frame.TITLE_SIZE)


def arcs_of(trace, head=3, **options):
    boxes, _ = boxes_of(trace.spec.tokens)
    return Arcs(
        lambda query, key: trace.cell("blocks.0.attn.pattern", head=head, query=query, key=key),
        room=ArcRoom(boxes, 3.4),
        theme=THEME,
        **options,
    )


@pytest.mark.parametrize(("width", "height"), [(14.4, 0.58), (10.35, 0.4)])
@pytest.mark.parametrize("count", SENTENCES)
def test_words_of_one_size_side_by_side_and_none_cut(count, width, height):
    tokens = trace_of(SENTENCES[count]).spec.tokens
    boxes, size = boxes_of(tokens, width, height)
    assert frame.CONTEXT_SIZE <= size <= frame.TITLE_SIZE
    assert boxes[0].left >= 0.8 - 1e-9
    assert boxes[-1].right <= 0.8 + width + 1e-9
    for box, text in zip(boxes, tokens, strict=True):
        assert glyphs.width(text, size) <= box.width - 0.1
    for one, other in pairwise(boxes):
        assert one.right < other.left


def test_more_than_fit_give_way_together():
    boxes, size = boxes_of(["extraordinarily", *["a"] * 15, "incomprehensible", "thoroughgoing"], width=7.0)
    assert size == frame.CONTEXT_SIZE
    assert boxes[-1].right <= 7.8 + 1e-9
    assert boxes[0].width == pytest.approx(boxes[-2].width)


@pytest.mark.parametrize("count", SENTENCES)
def test_every_weight_is_an_arc_of_its_width_or_counted_in_the_sum(count):
    trace = trace_of(SENTENCES[count])
    arcs = arcs_of(trace)
    drawn = {}
    for query, group in enumerate(arcs.of):
        for arc in group:
            (carried,) = carried_by(arc)
            assert carried.encoding.cell.at("query") == query
            drawn[query, carried.encoding.cell.at("key")] = measure(carried)
    pattern = trace.array("blocks.0.attn.pattern")[3]
    expected = {tuple(place): pattern[tuple(place)] for place in np.argwhere(pattern >= THINNEST)}
    assert drawn == pytest.approx({place: value * arcs.room.full for place, value in expected.items()})
    rest = pattern[(pattern < THINNEST) & np.tri(count, dtype=bool)]
    assert (0.0 if arcs.undrawn is None else arcs.undrawn.value) == pytest.approx(rest.sum())
    assert (arcs.undrawn is None) == (rest.size == 0)


def test_an_arc_leads_from_the_word_that_asks_to_the_one_it_looks_at_within_its_room():
    trace = trace_of()
    arcs = arcs_of(trace)
    for query, group in enumerate(arcs.of):
        for arc in group:
            key = arc.encodings[0].cell.at("key")
            ends = [frame.place_of(arc.points[place]) for place in (0, -1)]
            for (x, y), token in zip(ends, (query, key), strict=True):
                box = arcs.room.boxes[token]
                assert box.left < x < box.right
                assert y == pytest.approx(arcs.room.foot)
            top = frame.place_of(arc.get_top())[1] - arc.get_stroke_width() / 200
            assert top >= arcs.room.foot - arcs.room.depth


def test_feet_stand_side_by_side_and_arcs_of_one_token_nest():
    arcs = arcs_of(trace_of(), head=0)
    for token, box in enumerate(arcs.room.boxes):
        feet = sorted((x, cell) for (cell, place), x in arcs.feet.items() if place == token)
        assert all(box.left <= x <= box.right for x, _ in feet)
        left = [min(c.at("query"), c.at("key")) for _, c in feet if min(c.at("query"), c.at("key")) < token]
        assert left == sorted(left, reverse=True)
        right = [c.at("query") for _, c in feet if c.at("query") > token]
        assert right == sorted(right, reverse=True)


def test_longer_arcs_are_higher():
    room = arcs_of(trace_of()).room
    spans = np.linspace(0.05, room.longest, 40)
    assert np.all(np.diff([room.height(span) for span in spans]) > 0)
    assert room.height(room.longest) + room.full / 2 <= room.depth


def test_what_is_not_talked_about_is_quiet_and_lies_below():
    arcs = arcs_of(trace_of(), lit=lambda cell: cell.at("query") == 5)
    for query, group in enumerate(arcs.of):
        for arc in group:
            colour = arc.get_stroke_color().to_hex()
            assert colour == (THEME.role("pattern") if query == 5 else THEME.faint("pattern", QUIET))
            assert (arc.z_index >= 1) == (query == 5)


def test_arcs_both_ways_have_barbs_where_they_end():
    assert not any(arc.submobjects for group in arcs_of(trace_of()).of for arc in group)
    both = arcs_of(trace_of("dog bites man", "order"), head=0)
    for query, group in enumerate(both.of):
        for arc in group:
            key = arc.encodings[0].cell.at("key")
            assert len(arc.submobjects) == (key != query)
            for barbs in arc.submobjects:
                box = both.room.boxes[key]
                assert box.left < frame.place_of(barbs.get_bottom())[0] < box.right


def test_the_legend_is_on_the_arcs_scale_and_states_the_rest():
    arcs = arcs_of(trace_of())
    legend = ArcLegend(
        arcs.scale_of_width, arcs.undrawn, text="width", left_out=("below", "all"), place=(0.8, 7.0), theme=THEME
    )
    samples = [each.get_stroke_width() / 100 for each in legend if not hasattr(each, "text")]
    assert samples == pytest.approx([value * arcs.room.full for value in LEGEND])
    assert [each.text for each in legend if isinstance(each, Tick)] == [f"{value:g}" for value in LEGEND]
    (number,) = [each for each in legend if isinstance(each, BoundNumber)]
    assert number.cell == arcs.undrawn


def test_a_lane_marks_who_asks_and_what_is_found_and_measures_its_bars():
    trace = trace_of()
    lane = Lane(
        lambda query, key: trace.cell("blocks.0.attn.pattern", head=3, query=query, key=key),
        tokens=trace.spec.tokens,
        box=Box(0.8, 1.2, 14.4, 1.84),
        theme=THEME,
        title="a head",
        lit=lambda cell: cell.at("query") == 5 and cell.at("key") == 1,
    )
    places = [frame.place_of(mark.get_center()) for mark in lane.marks]
    colours = [mark.get_stroke_color().to_hex() for mark in lane.marks]
    assert colours == [THEME.role("key"), THEME.role("query")]
    assert places == [pytest.approx(frame.place_of(lane.tokens[token].get_center())) for token in (1, 5)]
    assert lane.tokens[0].get_left()[0] >= frame.at(SENTENCE, 0)[0] - 1e-6
    assert len(lane.arcs.lit) == 1
    cells = [lane.arcs.lit[0].encodings[0].cell, lane.arcs.quiet[0].encodings[0].cell]
    shares = [Share((Label("x", size=0.2, color=THEME.note),), cell, own=not place) for place, cell in enumerate(cells)]
    for reading, cell in zip(lane.readings(shares), cells, strict=True):
        (bar,) = [part for part in reading if isinstance(part, Bar)]
        (carried,) = carried_by(bar)
        assert measure(carried) == pytest.approx(carried.encoding.scale.full * cell.value)


@pytest.mark.parametrize("layout", ["columns", "rows"])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 8, 12, 32])
@pytest.mark.parametrize("tokens", SENTENCES)
def test_grids_of_any_number_of_heads_fit(tokens, count, layout):
    trace = trace_of(SENTENCES[tokens])
    panel = HeadGrids.__new__(HeadGrids)
    panel.flow, panel.tokens = Flow(layout, tokens), trace.spec.tokens
    panel.foot, panel.note_width = FOOT + NOTE, 2.0 if count <= 4 else 0.0
    boxes = panel._boxes(count)
    assert boxes[0].width > 0.3
    if count == 4:
        assert panel._readable(boxes[0].height)
    for place, box in enumerate(boxes):
        assert box.left >= frame.MARGIN_X - 1e-9
        assert box.right <= frame.WIDTH - frame.MARGIN_X + 1e-9
        assert 1.3 <= box.top < box.bottom < 6.9
        for other in boxes[:place]:
            assert other.right < box.left or box.right < other.left or other.bottom < box.top


@pytest.mark.parametrize("layout", ["columns", "rows"])
def test_every_head_has_its_grid_on_one_scale(layout):
    trace = trace_of()
    flow = Flow(layout, 9)
    panel = HeadGrids(trace, layer=0, flow=flow, theme=THEME, asking=5, names=["1", "2", "3", "4"])
    pattern = trace.array("blocks.0.attn.pattern")
    for head, grid in enumerate(panel.grids):
        carried = [each for part in grid.get_family() for each in carried_by(part)]
        assert {each.encoding.cell.at("head") for each in carried} == {head}
        assert {each.encoding.scale for each in carried} == {panel.grids[0].scale_of_area}
        big = [each for each in carried if each.encoding.cell.value > 0.5]
        assert len(big) == (pattern[head] > 0.5).sum()
        for each in big:
            place = grid.cell_box(each.encoding.cell.at("query"), each.encoding.cell.at("key")).centre
            assert frame.place_of(each.mobject.get_center()) == pytest.approx(place)
    assert [word.text for word in panel.words] == list(trace.spec.tokens)
