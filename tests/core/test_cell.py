"""A cell is a fact: no arithmetic, and every copy is itself."""

import copy
import operator
import pickle
from dataclasses import FrozenInstanceError

import pytest

from transformer_core.cell import Cell

CELL = Cell("blocks.0.attn.pattern", (("head", 0), ("query", 2), ("key", 1)), 0.25, "0123456789abcdef")


@pytest.mark.parametrize(
    "sum_up",
    [
        operator.add,
        operator.sub,
        operator.mul,
        operator.truediv,
        operator.pow,
        operator.lt,
        operator.le,
        operator.mod,
    ],
)
@pytest.mark.parametrize("other", [CELL, 1.0, 2])
def test_no_arithmetic_and_no_order(sum_up, other):
    with pytest.raises(TypeError):
        sum_up(CELL, other)
    with pytest.raises(TypeError):
        sum_up(other, CELL)


@pytest.mark.parametrize(
    "convert", [float, int, complex, round, abs, operator.neg, operator.index, bool, "{:.2f}".format]
)
def test_no_conversion(convert):
    with pytest.raises(TypeError):
        convert(CELL)


def test_copies_are_itself():
    assert copy.copy(CELL) is CELL
    assert copy.deepcopy(CELL) is CELL
    assert copy.deepcopy([CELL])[0] is CELL
    assert pickle.loads(pickle.dumps(CELL)) == CELL


def test_frozen():
    with pytest.raises(FrozenInstanceError):
        CELL.value = 0.5
    with pytest.raises((AttributeError, TypeError)):
        CELL.note = "x"


def test_equal_only_with_the_same_bits_and_place():
    assert Cell(CELL.name, CELL.index, 0.25, CELL.digest) == CELL
    assert Cell(CELL.name, CELL.index, 0.25000000000000006, CELL.digest) != CELL
    assert Cell(CELL.name, (("head", 0), ("query", 1), ("key", 2)), 0.25, CELL.digest) != CELL
    assert Cell(CELL.name, CELL.index, 0.0, CELL.digest) != Cell(CELL.name, CELL.index, -0.0, CELL.digest)
    assert CELL != 0.25
    assert len({CELL, Cell(CELL.name, CELL.index, 0.25, CELL.digest)}) == 1


def test_at():
    assert CELL.at("query") == 2
    with pytest.raises(KeyError, match="vocab"):
        CELL.at("vocab")


def test_in_a_notebook():
    assert CELL._repr_html_() == "<code>blocks.0.attn.pattern[head 1, query 3, key 2]</code> = <b>0.25</b> "
