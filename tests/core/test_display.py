"""The only formatter, against `decimal`."""

import math
from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from transformer_core.cell import Cell
from transformer_core.display import Shown, show, show_value
from transformer_core.errors import CheckFailed

finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15)


def cell(value, name="blocks.0.attn.scores", *, masked=False):
    return Cell(name, (("head", 0), ("query", 0), ("key", 0)), value, "0" * 16, masked=masked)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(value=finite, decimals=st.integers(0, 9))
@example(value=0.125, decimals=2)
@example(value=0.375, decimals=2)
@example(value=2.675, decimals=2)
@example(value=-0.005, decimals=2)
@example(value=0.005, decimals=2)
@example(value=-0.0, decimals=2)
@example(value=5e-324, decimals=9)
@example(value=0.5, decimals=0)
def test_the_text_is_the_correctly_rounded_number(value, decimals):
    shown = show_value(value, decimals=decimals)
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_EVEN)
    assert "-" not in shown.text
    if value == 0:
        assert shown == Shown("0", "exact")
    elif rounded == 0:
        assert shown == Shown("≈0", "tiny")
    else:
        assert Decimal(shown.text.replace("−", "-")) == rounded
        assert shown.text.count("−") == (value < 0)
        assert len(shown.text.partition(".")[2]) == decimals
        assert shown.kind == ("exact" if float(rounded) == value else "rounded")


@settings(max_examples=300, deadline=None, derandomize=True)
@given(value=st.floats(0, 1), decimals=st.integers(1, 6))
@example(value=0.9951, decimals=2)
@example(value=0.995, decimals=2)
@example(value=1 - 2**-53, decimals=2)
@example(value=1.0, decimals=2)
def test_a_share_below_one_never_reads_as_one(value, decimals):
    shown = show(cell(value, "blocks.0.attn.pattern"), decimals=decimals)
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_EVEN)
    if value < 1 and rounded == 1:
        assert shown == Shown(">0." + "9" * decimals, "bounded")
        assert Decimal(value) > Decimal(shown.text[1:])
    elif rounded:
        assert Decimal(shown.text) == rounded


@pytest.mark.parametrize("name", ["blocks.3.attn.pattern", "probabilities", "cut.probabilities"])
def test_shares_are_bounded(name):
    assert show(cell(0.9951, name)) == Shown(">0.99", "bounded")
    assert show(cell(1.0, name)) == Shown("1.00", "exact")


@pytest.mark.parametrize(
    ("given", "text", "kind"),
    [
        (0.9951, "1.00", "rounded"),
        (0.37, "0.37", "exact"),
        (0.3700000000000001, "0.37", "rounded"),
        (-1.5, "−1.50", "exact"),
        (1e-9, "≈0", "tiny"),
        (-1e-9, "≈0", "tiny"),
        (-0.0, "0", "exact"),
        (1234.5, "1234.50", "exact"),
    ],
)
def test_the_rules_of_the_contract(given, text, kind):
    assert show(cell(given)) == Shown(text, kind)


def test_masked_places_look_different_from_tiny_ones():
    assert show(cell(0.0, "blocks.0.attn.pattern", masked=True)) == Shown("0", "masked")
    assert show(cell(-math.inf, "blocks.0.attn.masked", masked=True)) == Shown("−∞", "masked")
    assert show(cell(1e-12, "blocks.0.attn.pattern")) == Shown("≈0", "tiny")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_never_shown(value):
    with pytest.raises(CheckFailed) as caught:
        show(cell(value))
    assert str(caught.value) == f"blocks.0.attn.scores: {value} cannot be shown"
