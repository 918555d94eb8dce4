"""Glyphs read back from their outlines, wherever they are and however their curves are cut."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from manim import VMobject

from pipeline.publish.outlines import read, read_line
from scenes.kit import glyphs

numbers = st.text(alphabet="0123456789", min_size=1, max_size=4)


def line(points, expected=""):
    return read_line(read([points], expected)[0], expected)


@pytest.mark.parametrize("weight", ["regular", "strong"])
@pytest.mark.parametrize(
    "text", ["0123456789", "−0.52", ">0.99", "≈0", "−∞", "W_Q·E", "10,000:1", "蓝色的生物", "q₁", "ΔE", "·", "."]
)
def test_text_is_read(text, weight):
    read_text = line(glyphs.points_at(text, 0.3, 1.5, -2.0, weight=weight), text)
    assert (read_text.text, read_text.straight) == (text, True)
    assert read_text.em == pytest.approx(0.3, rel=1e-4)


@settings(max_examples=40, deadline=None)
@given(
    numbers,
    numbers,
    st.sampled_from(["", "−", ">", "≈"]),
    st.floats(-7, 7),
    st.floats(-4, 4),
    st.floats(0.1, 1.5),
)
def test_numbers_are_read_without_being_told(whole, part, sign, x, y, size):
    text = f"{sign}{whole}.{part}"
    assert line(glyphs.points_at(text, size, x, y)).text == text


def test_curves_cut_in_pieces_are_read():
    shape = VMobject().set_points(glyphs.points_at("−3.86", 0.3, 0, 0))
    shape.insert_n_curves(37)
    assert line(shape.points).text == "−3.86"


@pytest.mark.parametrize("fault", [[1.03, 1, 0], [1, 1.03, 0], [-1, 1, 0]], ids=["wide", "tall", "mirrored"])
def test_distorted_digits_are_unknown(fault):
    assert "□" in line(glyphs.points_at("5.27", 0.3, 0, 0) * fault).text


def test_digits_are_told_apart_from_one_another():
    for weight in ("regular", "strong"):
        for digit in "0123456789":
            [[glyph]] = read([glyphs.points_at(digit, 0.3, 0, 0, weight=weight)])
            assert {option.character for option in glyph.options} == {digit}


def test_nothing_is_read_from_nothing():
    assert line(VMobject().points).text == ""
