"""What travels arrives where it belongs, right all the way: entries, a grid that turns over, a vector that goes in."""

import numpy as np
import pytest
from manim import Square

from scenes.kit import frame
from scenes.kit.brief import SceneBrief
from scenes.kit.carry import SOON, Enter
from scenes.kit.dots import DotGrid
from scenes.kit.entries import Entries, pieces
from scenes.kit.flow import Flow
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.projection_story import ProjectionStory
from scenes.kit.theme import THEMES
from scenes.kit.turn_over import TurnOver
from scenes.qkv import QKVAttention
from tests.scenes.test_multihead import trace_of as traced

THEME = THEMES["dark"]
SENTENCE = "a fluffy blue creature roamed"


def trace_of():
    return traced(SENTENCE, "glass", 0)


def weight(query, key):
    return trace_of().cell("blocks.0.attn.pattern", head=0, query=query, key=key)


def played_to(animation, alpha):
    animation.begin()
    animation.interpolate(alpha)
    return animation.mobject


def vector(box, *, lying):
    cells = list(trace_of().cells("blocks.0.attn.input", position=3))
    grid = [cells] if lying else [[cell] for cell in cells]
    down, across = ("position", "d_model") if lying else ("d_model", "position")
    return NumberMatrix(grid, box=box, role="data", theme=THEME, down=down, across=across)


def test_a_vector_lies_down_entry_by_entry():
    old, new = vector(Box(11, 2, 0.6, 4), lying=False), vector(Box(1, 6, 10, 0.25), lying=True)
    entries = Entries(old, new)
    travel = entries.travel(run_time=1.0)
    travel.begin()
    travel.interpolate(1.0)
    assert [each.grid[0][0] for each in entries.parts] == [row[0] for row in old.grid] == list(new.grid[0])
    for place, part in enumerate(entries.parts):
        assert part.box.centre == pytest.approx(new.cell_box(0, place).centre)
    assert [each.grid[0][0] for each in pieces(old)] == [each.grid[0][0] for each in pieces(new)]


def test_a_grid_that_is_turned_over_ends_as_the_papers_grid():
    grids = [
        DotGrid(weight, flow=Flow(layout, 5), theme=THEME, box=Box(left, 6, 1.5, 1.5))
        for layout, left in (("columns", 6.0), ("rows", 9.0))
    ]
    turn = TurnOver(*grids)
    over = played_to(turn, 1.0)
    dots = [[part for part in grid.get_family() if hasattr(part, "encodings")] for grid in (over, grids[1])]
    assert len(dots[0]) == len(dots[1]) > 5
    for ours, theirs in zip(*dots, strict=True):
        assert ours.encodings[0].cell == theirs.encodings[0].cell
        assert np.allclose(ours.get_center(), theirs.get_center(), atol=1e-6)
        assert ours.width == pytest.approx(theirs.width, abs=1e-6)
    halfway = played_to(TurnOver(*grids, rate_func=lambda alpha: alpha), 0.5)
    assert halfway.get_center() == pytest.approx((grids[0].get_center() + grids[1].get_center()) / 2, abs=0.02)


def test_what_goes_in_keeps_its_colours_until_it_is_nearly_there():
    def opacity(alpha):
        way = Enter(Square(fill_opacity=1), target_position=np.array([2.0, 0, 0]), scale=0.5, rate_func=lambda a: a)
        return played_to(way, alpha).get_fill_opacity()

    assert opacity(1 - SOON) == pytest.approx(1)
    assert 0 < opacity(1 - SOON / 2) < 1
    assert opacity(1.0) == pytest.approx(0)


@pytest.mark.parametrize("layout", ["columns", "rows"])
def test_every_vector_goes_into_the_matrix(layout):
    scene = QKVAttention(SceneBrief(trace_of(), layout=layout, query=3, stills=True))
    scene.setup()
    vectors = [scene.projection("W_Q", "query").results()[token] for token in range(5)]
    strips = [scene.strip(each, token, 0, "data") for token, each in enumerate(vectors)]
    story = ProjectionStory(scene, "W_Q", "query", strips)
    box = story.matrix.box
    for token in range(5):
        x, y = frame.place_of(story._mouth(story._source(token)))
        assert box.left <= x <= box.right
        assert box.top <= y <= box.bottom
    lines = [story._line(place) for place in range(len(story.panel.dimensions))]
    assert lines[0].left == pytest.approx(box.left)
    assert lines[-1].right == pytest.approx(box.right)
    assert lines[-1].bottom == pytest.approx(box.bottom)
