"""Numbers with many digits: shown with fewer decimals while they can be read, refused beyond."""

from types import SimpleNamespace

import pytest

from scenes.kit import frame
from scenes.kit.frame import Box
from scenes.kit.head_scene import HeadScene
from scenes.kit.matrix import NumberMatrix
from scenes.kit.theme import THEMES
from transformer_core.errors import InputError
from transformer_core.sources.arrays import attention_trace


def trace_of(largest: float):
    values = [[1.25, -largest], [0.5, 2.0]]
    return attention_trace(values, values, values, causal=True)


@pytest.mark.parametrize(("largest", "text"), [(3.25, "−3.25"), (33.25, "−33.2"), (333.25, "−333")])
def test_large_numbers_lose_decimals_rather_than_size(largest, text):
    cells = trace_of(largest).cells("blocks.0.attn.value", head=0, key=0)
    matrix = NumberMatrix(
        [list(cells)], box=Box(1, 1, 1.1, 0.5), role="value", theme=THEMES["dark"],
        down="key", across="d_head", size=frame.LABEL_SIZE,
    )  # fmt: skip
    assert matrix.numbers()[1][2].text == text
    assert matrix.size >= frame.HEIGHT / 45
    assert matrix.part(columns=slice(1, 2)).decimals == matrix.decimals


def test_numbers_that_cannot_be_read_are_refused():
    HeadScene._require_readable(SimpleNamespace(layer=0, trace=trace_of(90.0)))
    with pytest.raises(InputError, match=r"^model arrays: in layer 1 its attn\.\w+ goes beyond 9999\.5; take one"):
        HeadScene._require_readable(SimpleNamespace(layer=0, trace=trace_of(1e6)))
