"""The parts of a vector along and across another: against numpy, and together they are its whole length."""

import math

import numpy as np
import pytest

from transformer_core import derive
from transformer_core.cell import Cell


def _cells(values: list[float]) -> list[Cell]:
    return [
        Cell("embed.out", (("position", 0), ("d_model", place)), value, "0" * 16) for place, value in enumerate(values)
    ]


def test_a_right_angle_and_a_half_turn() -> None:
    east, north = _cells([2.0, 0.0]), _cells([-3.0, 4.0])
    assert derive.along(north, east).value == -3.0
    assert derive.across(north, east).value == 4.0


def test_parts_add_up_to_the_length_and_close_the_triangle() -> None:
    generator = np.random.default_rng(7)
    for _ in range(20):
        left, right = generator.normal(size=(2, 16))
        along = derive.along(_cells(list(left)), _cells(list(right))).value
        across = derive.across(_cells(list(left)), _cells(list(right))).value
        assert along == pytest.approx(left @ right / np.linalg.norm(right), abs=1e-12)
        assert math.hypot(along, across) == pytest.approx(np.linalg.norm(left), abs=1e-12)
        assert math.hypot(np.linalg.norm(right) + along, across) == pytest.approx(
            np.linalg.norm(left + right), abs=1e-12
        )


def test_they_can_be_computed_again() -> None:
    cell = derive.across(_cells([1.0, 2.0]), _cells([0.5, 0.0]))
    assert derive.expression(cell)["name"] == "derived.across"
    with pytest.raises(ZeroDivisionError):
        derive.along(_cells([1.0]), _cells([0.0]))
