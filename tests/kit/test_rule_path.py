"""A rule's path goes where the rule says, and two words that change places end in each other's."""

import numpy as np
import pytest
from manim import tempconfig

from scenes.kit import frame
from scenes.kit.flow import Flow
from scenes.kit.frame import Box
from scenes.kit.relation_story import RelationStory
from scenes.kit.rule_path import RulePath
from scenes.kit.theme import THEMES
from scenes.kit.word_order import WordOrder, swappable
from tests.scenes.test_multihead import SETTINGS, ready, trace_of

BOXES = [Box(4.85 + place, 3.0, 0.9, 0.4) for place in range(9)]
THEME = THEMES["dark"]
WORDS = ("small", "dogs", "near", "the", "cat")


@pytest.mark.parametrize(
    ("start", "steps", "stops"),
    [(5, 2, (5, 4, 3)), (1, 1, (1, 0)), (5, 6, (5, 4, 3, 2, 1, 0, -1)), (2, 8, (2, 1, 0, -1))],
)
def test_so_many_words_back_or_out_of_the_sentence(start, steps, stops):
    path = RulePath.of_steps(BOXES, start, steps, theme=THEME)
    assert path.stops == stops
    assert len(path.hops) == len(stops) - 1
    end, _ = frame.place_of(path.end.get_center())
    if stops[-1] < 0:
        assert 4.3 < end < BOXES[0].left
    else:
        assert end == pytest.approx(BOXES[stops[-1]].centre[0])
    below = [frame.place_of(point)[1] for hop in path.hops for point in hop.get_all_points()]
    assert min(below) >= BOXES[0].bottom
    assert max(below) < BOXES[0].bottom + 0.3


def test_the_paths_of_the_lane_that_is_told_of():
    story = RelationStory(ready(trace_of()))
    lane, relation = story.lanes[1], story.relations[1]
    steps, first = story._paths(lane, relation)
    asking = story.tokens.index("sleep")
    assert steps.stops[0] == first.stops[0] == asking
    assert len(steps.hops) == min(relation.offset.value, asking + 1)
    assert story.tokens[first.stops[-1]] == "dogs"


def test_with_one_head_every_word_has_one_bright_arc():
    trace = trace_of("一只蓬松的蓝色的生物漫步在翠绿的森林里", "glass", 0)
    (lane,) = RelationStory(ready(trace)).lanes
    pattern = trace.array("blocks.0.attn.pattern")[0]
    found = [arc.encodings[0].cell for arc in lane.arcs.lit]
    assert [(cell.at("query"), cell.at("key")) for cell in found] == list(enumerate(pattern.argmax(axis=1)))


def test_which_words_change_places():
    assert swappable(WORDS, frozenset({"dogs", "cat"})) == (1, 4)
    assert swappable(WORDS, frozenset({"dogs"})) == (0, 4)
    assert swappable(("dog", "bites", "dog"), frozenset({"dog"})) is None
    assert swappable(("dogs",), frozenset({"dogs"})) is None


def test_two_words_end_in_each_others_place():
    line = WordOrder(WORDS, (1, 4), question="?", theme=THEME)
    scene = ready(trace_of())
    with tempconfig(SETTINGS):
        scene.play(*line.swapped())
    flow = Flow("columns", len(WORDS))
    where = [frame.place_of(each.get_center()) for each in line.tokens]
    assert where[1] == pytest.approx(flow.label(4).centre)
    assert where[4] == pytest.approx(flow.label(1).centre)
    assert np.allclose(where[2], flow.label(2).centre)
