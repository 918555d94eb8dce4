"""The pieces of positional: two sentences mirrored, tones, waves, turns; what is drawn is what the cells say."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from pipeline.publish.checks import encodings
from scenes.kit import frame
from scenes.kit.carriers import carried_by, measure
from scenes.kit.fingerprint import Fingerprints
from scenes.kit.ledger import carriers
from scenes.kit.one_vector import OneVector
from scenes.kit.pair import Pair, PairPicture
from scenes.kit.pair_layout import PairLayout
from scenes.kit.place_apart import PlacesApart
from scenes.kit.reading import Reading
from scenes.kit.shift_panel import ShiftPanel
from scenes.kit.text import BoundNumber
from scenes.kit.theme import THEMES
from scenes.kit.turns import Dial
from transformer_core.capture import capture
from transformer_core.orders import read_orders
from transformer_core.sources import load_model

THEME = THEMES["dark"]


@cache
def trace_of(prompt="dog bites man"):
    loaded = load_model("order")
    sentence, order = read_orders(loaded, prompt)
    return capture(loaded, sentence, order=order)


@pytest.fixture(scope="module")
def reading():
    return Reading(trace_of())


def word(key, **_):
    return key.replace("_", " ")


def apart(one, other):
    return (
        one.right <= other.left + 1e-9
        or other.right <= one.left + 1e-9
        or one.bottom <= other.top + 1e-9
        or other.bottom <= one.top + 1e-9
    )


@pytest.mark.parametrize("layout", ["columns", "rows"])
@pytest.mark.parametrize("tokens", [1, 2, 3, 7, 16])
def test_two_sentences_have_room(layout, tokens):
    geometry = PairLayout(layout, tokens)
    boxes = [geometry.machine()]
    for sentence in (0, 1):
        for side in ("in", "out"):
            boxes += [geometry.vector(sentence, side, token) for token in range(tokens)]
            boxes += [geometry.label(sentence, side, token) for token in range(tokens)]
    for one, other in combinations(boxes, 2):
        assert apart(one, other), (one, other)
    for box in boxes:
        assert box.left > 0.7
        assert box.right < 10.7
        assert box.top > frame.TITLE.bottom
        assert box.bottom < frame.CAPTION.top


def test_the_second_sentence_is_mirrored():
    across, down = PairLayout("columns", 3), PairLayout("rows", 3)
    for geometry, near in ((across, lambda box: box.top), (down, lambda box: box.left)):
        first, second = geometry.vector(0, "in", 0), geometry.vector(1, "in", 0)
        assert near(geometry.label(0, "in", 0)) < near(first) < near(second) < near(geometry.label(1, "in", 0))


@pytest.mark.parametrize("layout", ["columns", "rows"])
def test_lines_join_equal_words(layout):
    picture = PairPicture(Pair(trace_of(), 0, False, 0), layout=layout, theme=THEME)
    ends = [(line.get_start(), line.get_end()) for line in picture.crossings("out")]
    words = picture.pair.words(0), picture.pair.words(1)
    for token, (start, end) in enumerate(ends):
        place = picture.pair.place(1, token)
        assert words[0][token] == words[1][place]
        assert np.allclose(start, frame.at(*picture.geometry.inner_end(0, "out", token)))
        assert np.allclose(end, frame.at(*picture.geometry.inner_end(1, "out", place)))


def test_stamped_is_unstamped_and_fingerprint():
    bare, stamped = (Pair(trace_of(), 0, placed, 0) for placed in (False, True))
    for sentence in (0, 1):
        for position in range(3):
            sums = [
                cell.value + code.value
                for cell, code in zip(
                    bare.vector(sentence, "in", position),
                    Reading(trace_of()).column(position),
                    strict=True,
                )
            ]
            assert [cell.value for cell in stamped.vector(sentence, "in", position)] == sums
    assert all(cell.value == 0.0 for cell in (*bare.apart, *bare.differences))
    assert stamped.apart[0].value == pytest.approx(
        np.linalg.norm([cell.value for cell in stamped.differences]), abs=1e-12
    )


def test_what_is_drawn_is_what_the_cells_say(reading):
    panels = [reading.panel(layout, THEME, word) for layout in ("columns", "rows")]
    pieces = [panel.lanes for panel in panels] + [part for panel in panels for part in panel.reading(5)]
    pieces += [part for panel in panels for part in panel.zoomed_out()]
    places = PlacesApart(reading, theme=THEME, word=word)
    shift = ShiftPanel(reading, columns=True, theme=THEME, word=word)
    pieces += [places.plot, places.mark, *shift.starts, *shift.ends]
    found = [carried for piece in carriers(pieces) for carried in carried_by(piece)]
    found = [carried for carried in found if carried.place is None]
    assert len(found) > 700
    for carried in found:
        assert measure(carried) == pytest.approx(carried.encoding.drawn, abs=1e-6)


@pytest.mark.parametrize("layout", ["columns", "rows"])
def test_tones_are_linear_and_a_wrong_one_is_found(reading, layout):
    table = Fingerprints(reading, layout=layout, theme=THEME, word=word).heat
    scale = table.scale_of_tone
    assert scale.drawn(1.0) == 1.0
    assert scale.drawn(0.0) == pytest.approx((scale.drawn(1.0) + scale.drawn(-1.0)) / 2)
    for tile in carriers([table]):
        (carried,) = carried_by(tile)
        assert tile.get_fill_opacity() == pytest.approx(carried.encoding.drawn, abs=1e-9)

    class OneTile:
        carriers = (tile,)

        def address(self, cell):
            return cell.name

    assert not list(encodings.sizes_are_the_scales(OneTile()))
    tile.set_fill(opacity=0.5)
    assert "embed.PE is drawn with opacity 0.5" in next(iter(encodings.sizes_are_the_scales(OneTile())))


@pytest.mark.parametrize("transposed", [False, True])
def test_the_block_turns_every_start_by_the_same_angle(reading, transposed):
    shift = ShiftPanel(reading, columns=not transposed, theme=THEME, word=word)
    for pair, block in enumerate(shift.blocks):
        numbers = [part.cell.value for part in block if isinstance(part, BoundNumber)]
        turn = np.array(numbers).reshape(2, 2)
        turn = turn.T if transposed else turn
        for start in (0, 2, 7, 30):
            before = [reading.cell(start, 2 * pair + part).value for part in (0, 1)]
            after = [reading.cell(start + reading.step, 2 * pair + part).value for part in (0, 1)]
            assert turn @ before == pytest.approx(after, abs=1e-12)


def test_a_hand_points_at_cosine_and_sine():
    dial = Dial(trace_of(), 0, centre=(3.0, 3.0), radius=1.0, theme=THEME)
    assert dial.tip(0) - dial.middle == pytest.approx([1.0, 0.0, 0.0])
    assert dial.tip(1) - dial.middle == pytest.approx([np.cos(1), np.sin(1), 0.0])


def test_products_are_even(reading):
    values = {abs(p - q): reading.product(p, q).value for p in range(6) for q in range(6)}
    for p in range(6):
        for q in range(6):
            assert reading.product(p, q).value == pytest.approx(values[abs(p - q)], abs=1e-12)
    assert values[3] == pytest.approx(5.543, abs=5e-4)


def test_a_long_sentence_shows_the_words_around_the_one_followed():
    prompt = "yesterday dog bites man and mouse chases cat , girl followed by boy and bird sees"
    picture = PairPicture(Pair(trace_of(prompt), 0, False, 3), layout="columns", theme=THEME)
    panel = OneVector(picture, roles=("here", "and here"), note="", difference="")
    for words, marked in zip(panel.sentences, panel.marked, strict=True):
        assert marked.text == "man"
        assert words[-1].text == "…"
        assert words.width < 6.2
