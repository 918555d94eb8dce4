"""Faults put into a scene: each is found by its own check; the clean scene has none."""

import dataclasses
import math

import pytest
from manim import DecimalNumber, Rectangle, Text, Transform, VMobject
from manim.mobject.types.image_mobject import ImageMobject

from pipeline.publish.audit import CHECKS, audit, findings
from scenes.kit import frame, glyphs
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.matrix import NumberMatrix
from scenes.kit.motion import Light
from scenes.kit.record import ShownCell
from scenes.kit.text import BoundNumber, Constant, Glyphs, Label, Prose, TokenText
from scenes.kit.texts import BeatTexts, Template
from tests.audit.small_scene import SmallScene
from transformer_core.trace import Trace


def found(scene):
    return {finding.check: finding.what for finding in reversed(findings(scene, "show"))}


def only(scene, check):
    """What the check says; no other check says anything."""
    faults = found(scene)
    assert set(faults) == {check}
    return faults[check]


def finish(scene, animation):
    animation.begin()
    animation.finish()
    animation.clean_up_from_scene(scene)


def one_bit_off(cell):
    return dataclasses.replace(cell, value=math.nextafter(cell.value, 9.0))


@pytest.mark.parametrize("layout", ["columns", "rows"])
@pytest.mark.parametrize("theme", ["dark", "light", "print"])
def test_clean_scene_has_no_finding(trace, theme, layout):
    scene = SmallScene(trace, theme=theme, layout=layout).show()
    scene.weights.move_to(frame.at(13.8, 3.5))
    scene.add(scene.caption())
    assert audit(scene, "show") == []


def test_every_check_runs_on_the_clean_scene(scene):
    assert len({check.__name__ for check in CHECKS}) == len(CHECKS)
    assert findings(scene, "show") == []


def test_dimmed_context_is_clean(scene):
    finish(scene, Light(scene.grid, 0.3))
    finish(scene, Light(scene.patch, 0.3))
    assert audit(scene, "show") == []


@pytest.mark.parametrize("how", ["Transform", "become", "points"])
def test_stale_number_is_found(scene, how):
    right, wrong = scene.number.shown.text, scene.other.shown.text
    assert right != wrong
    target = scene.other.copy().move_to(scene.number)
    if how == "Transform":
        finish(scene, Transform(scene.number, target))
    elif how == "become":
        scene.number.become(target)
    else:
        scene.number.points = target.points
    what = only(scene, "outlines_are_the_texts")
    assert what == f"L2.H3.pattern[query=creature, key=blue] shows {wrong}, the trace says {right}"


def test_stale_transform_of_a_matrix_is_found(scene):
    cells = [[scene.trace.cell("blocks.1.attn.W_O", head=2, d_head=4, d_model=m) for m in range(3)]] * 2
    other = NumberMatrix(
        cells, box=scene.weights.box, role="weight", theme=scene.theme, down="d_head", across="d_model"
    )
    finish(scene, Transform(scene.weights, other))
    faults = found(scene)
    assert "the trace says" in faults["outlines_are_the_texts"]
    assert faults["outlines_are_the_texts"].startswith("L2.H3.W_O[d_head=1, d_model=1] shows")


def test_words_that_became_a_number_are_found(scene):
    scene.words.become(scene.number.copy().move_to(scene.words))
    assert "shows 0." in only(scene, "outlines_are_the_texts")


def test_swapped_head_is_found(scene):
    swapped = scene.score_grid(cell=lambda query, key: scene.attention("masked", query, key, head=0))
    scene.remove(scene.grid)
    scene.add(swapped)
    assert "is of head 1, not of the scene's" in only(scene, "cells_are_of_the_head")
    for line in swapped.lines:
        line.all_heads = True
    assert audit(scene, "show") == []


def test_one_cell_of_another_head_is_found(scene):
    cells = [[scene.attention("pattern", 3, key, head=2 if key else 1)] for key in range(3)]
    column = NumberMatrix(
        cells, box=Box(14.4, 5.3, 0.6, 0.7), role="data", theme=scene.theme, down="key", across="query"
    )
    scene.add(column)
    assert "stands in a grid of" in found(scene)["grids_are_in_order"]


def test_transposed_grid_is_found(scene):
    scene.remove(scene.grid)
    scene.add(scene.score_grid(cell=lambda row, column: scene.attention("scaled", column, row)))
    faults = found(scene)
    assert set(faults) == {"grids_are_in_order", "scores_stand_by_their_tokens"}
    assert "stands after key 1: key does not increase down" in faults["grids_are_in_order"]


def test_grid_that_is_moved_off_its_labels_is_found(scene):
    scene.remove(scene.grid)
    lines = scene.grid.lines
    scene.add(*lines)
    first, second = lines[1].get_center(), lines[2].get_center()
    lines[1].move_to(second)
    lines[2].move_to(first)
    assert "stands at the label of blue" in only(scene, "scores_stand_by_their_tokens")


def test_swapped_rows_are_found(scene):
    cells = list(reversed(scene.weights.grid))
    swapped = NumberMatrix(
        cells, box=scene.weights.box, role="weight", theme=scene.theme, down="d_head", across="d_model"
    )
    scene.remove(scene.weights)
    scene.add(swapped)
    assert "d_head does not increase down" in only(scene, "grids_are_in_order")


def test_value_off_by_one_bit_is_found(scene):
    scene.remove(scene.number)
    scene.add(scene.bound(one_bit_off(scene.number.cell), 13.0, 4.3))
    assert "the trace has" in only(scene, "cells_are_the_traces")


def test_derived_value_off_by_one_bit_is_found(scene):
    scene.remove(scene.derived)
    scene.add(scene.bound(one_bit_off(scene.derived.cell), 13.0, 4.8))
    assert "product" in only(scene, "cells_are_the_traces")


def test_cell_of_another_trace_is_found(scene):
    scene.remove(scene.number)
    scene.add(scene.bound(dataclasses.replace(scene.number.cell, digest="0" * 16), 13.0, 4.3))
    assert "is of trace 0000000000000000" in only(scene, "cells_are_the_traces")


def test_wrong_rounding_is_found(scene):
    cell, text = scene.number.cell, f"{scene.number.cell.value + 0.01:.2f}"
    wrong = scene.bound(cell, 13.0, 4.3)
    wrong.shown, wrong.text = ShownCell(cell, text, "rounded"), text
    wrong.place(13.0, 4.3)
    scene.remove(scene.number)
    scene.add(wrong)
    assert f"is written {text} (rounded), right is" in only(scene, "texts_are_right")


def test_changed_glyph_is_found(scene):
    scene.number.points = glyphs.points_at("0.99", scene.number.size, 4.8, 0.1)
    assert "shows 0.99, the trace says" in only(scene, "outlines_are_the_texts")


def test_stretched_and_raised_digits_are_found(scene):
    scene.number.stretch(1.2, 0)
    assert "shows □" in only(scene, "outlines_are_the_texts")
    scene.number.stretch(1 / 1.2, 0)
    scene.number.points[: len(scene.number.points) // 4 // 2 * 4, 1] += 0.04
    assert set(found(scene)) == {"outlines_are_the_texts"}


def test_number_whose_digits_are_gone_is_found(scene):
    scene.weights.digits.set_opacity(0)
    assert "shows nothing, the trace says" in only(scene, "outlines_are_the_texts")


@pytest.mark.parametrize(
    ("text", "check"),
    [
        (Prose("two of 3", size=0.3, color="#FFFFFF"), "words_have_no_digits"),
        (Prose("query q₁", size=0.3, color="#FFFFFF"), "words_have_no_digits"),
        (Glyphs("0.97", size=0.3, color="#FFFFFF"), "words_have_no_digits"),
        (Label("weight 0.97", size=0.3, color="#FFFFFF"), "words_have_no_digits"),
        (TokenText("97", size=0.3, color="#FFFFFF"), "words_have_no_digits"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.text,
)
def test_undeclared_digit_is_found(scene, text, check):
    scene.add(text.copy().place(9.0, 7.4))
    assert repr(text.text) in only(scene, check)


def test_the_prompt_as_it_was_typed_may_have_digits(trace):
    vocabulary = (*trace.spec.vocabulary[:-1], "12")
    spec = dataclasses.replace(trace.spec, vocabulary=vocabulary, prompt="12 Words, 12")
    scene = SmallScene(Trace(spec, {name: trace.array(name) for name in trace.names()})).show()
    scene.add(TokenText("12 Words, 12", size=0.3, color=scene.theme.text).place(9.0, 7.4))
    assert audit(scene, "show") == []
    scene.add(TokenText("13 Words", size=0.3, color=scene.theme.text).place(9.0, 6.9))
    assert "is no token of the prompt" in only(scene, "words_have_no_digits")


def test_declared_digits_are_allowed(scene):
    scene.add(Constant("10000", size=0.3, color=scene.theme.text).place(9.0, 7.4))
    assert audit(scene, "show") == []


def test_digit_in_a_prefix_is_found(scene):
    scene.add(scene.bound(scene.number.cell, 9.0, 7.4, prefix="2·"))
    assert "has a digit in its prefix" in only(scene, "words_have_no_digits")


def test_formula_with_a_digit_is_found(scene):
    formula = Formula("x_2", size=0.4, theme=scene.theme).move_to(frame.at(9.0, 7.2))
    scene.add(formula)
    faults = found(scene)
    assert set(faults) == {"words_have_no_digits", "drawings_have_no_digits"}
    formula.source = "x"
    assert "looks like a digit" in only(scene, "drawings_have_no_digits")


def test_loose_digits_are_found(scene):
    loose = scene.number.copy().shift([-4, -3, 0]).points
    scene.add(VMobject(fill_opacity=1, stroke_width=0).set_points(loose))
    assert f"looks like {scene.number.text}" in only(scene, "drawings_have_no_digits")


def test_digits_left_behind_by_their_matrix_are_found(scene):
    scene.remove(scene.weights)
    scene.add(scene.weights.digits)
    assert "it is no declared number" in only(scene, "drawings_have_no_digits")


def test_manims_own_texts_with_digits_are_found(scene):
    text = Text("weight 0.97").scale(0.3).move_to(frame.at(9, 7.3))
    scene.add(text)
    assert "Text 'weight 0.97' has an undeclared digit" in found(scene)["foreign_texts_have_no_digits"]
    scene.remove(text)
    scene.add(DecimalNumber(0.97, mob_class=Text).scale(0.4).move_to(frame.at(9, 7.3)))
    assert "DecimalNumber '0.97'" in found(scene)["foreign_texts_have_no_digits"]


def test_image_is_found(scene):
    scene.add(ImageMobject([[[0, 0, 0]]]))
    assert "is an image" in only(scene, "foreign_texts_have_no_digits")


def test_covered_number_is_found(scene):
    box = Rectangle(width=0.5, height=0.4, stroke_width=0, fill_color="#000000", fill_opacity=1)
    scene.add(box.move_to(scene.number))
    assert "L2.H3.pattern[query=creature, key=blue] is covered by" in only(scene, "numbers_are_not_covered")
    scene.remove(box)
    scene.add(box.set_fill(opacity=0).set_stroke(width=2))
    assert audit(scene, "show") == []


def test_box_behind_a_number_is_allowed(scene):
    box = Rectangle(width=0.8, height=0.4, stroke_width=0, fill_color="#202020", fill_opacity=1)
    scene.add(box.move_to(scene.number), scene.number)
    assert audit(scene, "show") == []


@pytest.mark.parametrize("name", ["dot", "bar"])
def test_size_that_does_not_match_its_value_is_found(scene, name):
    getattr(scene, name).scale(1.1)
    channel = {"dot": "area", "bar": "length"}[name]
    assert f"is drawn with {channel}" in only(scene, "sizes_are_the_scales")


def test_width_that_does_not_match_its_value_is_found(scene):
    from manim import Line

    from scenes.kit.encoding import LinearScale

    line = Line(frame.at(12, 7.3), frame.at(15, 7.3))
    scale = LinearScale("width", "width", full=0.2)
    scene.add(scene.carrier(line, scene.number.cell, scale))
    line.set_stroke(scene.theme.text, width=100 * scale.drawn(scene.number.cell.value))
    assert audit(scene, "show") == []
    line.set_stroke(width=1.2 * line.get_stroke_width())
    assert "is drawn with width" in only(scene, "sizes_are_the_scales")


def test_opacity_that_does_not_match_its_value_is_found(scene):
    scene.patch.set_fill(opacity=scene.number.cell.value + 0.1)
    assert "is drawn with opacity" in only(scene, "sizes_are_the_scales")


def test_shade_that_does_not_match_its_value_is_found(scene):
    part = scene.weights.shades[0]
    level = next(level for level in range(6) if part.get_fill_color().to_hex() != _shade(scene, level))
    part.set_fill(_shade(scene, level))
    assert "has the shade of step" in only(scene, "shades_are_the_scales")
    part.set_fill("#FF0000")
    assert "a colour that is on no scale" in found(scene)["shades_are_the_scales"]


def _shade(scene, level):
    return scene.theme.shade("weight", level)


def test_shades_of_unequal_opacity_are_found(scene):
    scene.weights.shades[0].set_fill(opacity=0.6)
    assert "have opacities 0.6, 1.0" in only(scene, "shades_are_the_scales")


def test_number_outside_the_frame_is_found(scene):
    scene.number.place(15.95, 7.4)
    assert "is outside the frame" in only(scene, "texts_are_in_the_frame")
    scene.number.place(15.4, 7.4)
    assert "is outside the safe margins" in only(scene, "texts_are_in_the_frame")


def test_number_that_is_too_small_is_found(scene):
    scene.number.scale(0.5)
    assert "is set at 1/60 of the height" in only(scene, "texts_are_big_enough")


def test_low_contrast_is_found(scene):
    scene.number.set_fill("#404040")
    assert "has a contrast of" in only(scene, "texts_have_contrast")


def test_contrast_is_measured_against_what_lies_behind(scene):
    plate = Rectangle(width=0.8, height=0.4, stroke_width=0, fill_color="#DDDDDD", fill_opacity=1)
    scene.add(plate.move_to(scene.number), scene.number)
    assert "has a contrast of" in only(scene, "texts_have_contrast")


def test_overlapping_numbers_are_found(scene):
    scene.other.place(13.2, 4.3)
    assert "overlaps" in only(scene, "texts_do_not_overlap")


def test_text_in_the_caption_band_is_found(scene):
    scene.words.place(4.5, 8.0, "left")
    assert "is in the caption band" in only(scene, "caption_band_is_free")


def test_typed_digit_in_a_caption_template_is_found(scene):
    right = scene.texts.beats["show"]
    typed = Template(en="The weight is 0.97", zh="权重是 {weight}")
    beats = {"show": BeatTexts(right.title, right.alt, (typed,))}
    scene.texts = dataclasses.replace(scene.texts, beats=beats)
    assert "caption (en) 'The weight is 0.97' has a typed digit" in only(scene, "templates_quote_cells")


def test_bare_number_in_a_field_is_found(scene, monkeypatch):
    monkeypatch.setattr(SmallScene, "fields", {"weight": 0.97})
    assert "{weight} is a float" in only(scene, "templates_quote_cells")
    monkeypatch.setattr(SmallScene, "fields", {"weight": "0.97"})
    assert "neither a Cell's nor a token's" in only(scene, "templates_quote_cells")


def test_burnt_caption_with_another_number_is_found(scene):
    scene.add(scene.caption("The weight is 0.97"))
    assert "does not hold the texts of its Cells" in only(scene, "burnt_captions_quote_cells")
    scene.remove(scene.burnt)
    scene.add(scene.caption(f"The weight is {scene.number.text}, not 0.97"))
    assert "has a digit that no quoted Cell gives" in only(scene, "burnt_captions_quote_cells")


def test_invisible_things_are_not_looked_at(scene):
    hidden = BoundNumber(one_bit_off(scene.number.cell), size=0.05, color="#000000").place(20, 20)
    scene.add(hidden.set_opacity(0))
    assert audit(scene, "show") == []
