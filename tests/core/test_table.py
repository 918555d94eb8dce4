"""The table shows the cells it holds, under the right labels."""

import pytest

from tests.core.small_models import small_model
from transformer_core.capture import capture
from transformer_core.display import show
from transformer_core.errors import InputError
from transformer_core.table import table


@pytest.fixture(scope="module")
def trace():
    return capture(small_model(), "the 蓝色生物 the")


def test_rows_are_queries_and_columns_keys(trace):
    grid = table(trace, "blocks.0.attn.pattern", head=2)
    assert grid.title == "blocks.0.attn.pattern of head 3: query down, key across"
    assert grid.rows == grid.columns == ("the#1", "蓝色", "生物", "the#2")
    for query in range(4):
        for key in range(4):
            cell = trace.cell("blocks.0.attn.pattern", head=2, query=query, key=key)
            assert grid.cells[query][key] == cell
            assert grid.shown[query][key] == show(cell)


def test_text_stands_in_columns(trace):
    lines = str(table(trace, "blocks.0.attn.pattern", head=0)).splitlines()
    assert lines[1] == "       the#1  蓝色  生物  the#2"
    assert [line.split()[0] for line in lines[2:]] == ["the#1", "蓝色", "生物", "the#2"]
    assert lines[2] == "the#1   1.00     0     0      0"


def test_a_single_row(trace):
    row = table(trace, "probabilities", position=1, decimals=3)
    assert row.title == "probabilities of position 蓝色: vocab across"
    assert row.columns == trace.spec.vocabulary
    assert len(row.shown) == 1


def test_html_is_escaped(trace):
    html = table(trace, "blocks.0.attn.pattern", head=0)._repr_html_()
    caption = "blocks.0.attn.pattern of head 1: query down, key across"
    assert html.startswith(f"<table><caption>{caption}</caption><tr><th></th><th>the#1</th>")
    end = table(capture(small_model(), "."), "embed.out")._repr_html_()
    assert "<th>&quot;.&quot;</th>" in end


def test_too_many_axes(trace):
    with pytest.raises(InputError) as caught:
        table(trace, "blocks.0.attn.pattern")
    assert str(caught.value) == (
        "table of blocks.0.attn.pattern: 3 axes are left (head, query, key); fix all but one or two axes"
    )
