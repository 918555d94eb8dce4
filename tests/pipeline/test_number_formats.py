"""The ledger in every form that `numbers` has."""

import io
import json
import re
import zipfile

import numpy as np
import pytest

from pipeline.publish import number_formats
from pipeline.publish.number_formats.latex import SIGNS, escape

DATA = {
    "digest": "ab" * 32,
    "command": "python cli.py numbers tiny --prompt '100 %\nsure'",
    "numbers": [
        {
            "beat": beat,
            "time_in": 0.0,
            "time_out": time,
            "text": text,
            "kind": "rounded",
            "name": "blocks.0.attn.scores",
            "index": {"head": 0, "query": 1},
            "hex": value.hex(),
            "address": address,
        }
        for beat, time, text, value, address in (
            ("one", 1.0, "−0.10", -0.1, 'L1.H1.scores[query="a & b", key=the#2]'),
            ("two", 2.0, "−0.10", -0.1, 'L1.H1.scores[query="a & b", key=the#2]'),
            ("two", 2.0, "−∞", -np.inf, "L1.H1.masked[query=蓝色, key=的]"),
            ("two", 2.0, ">0.99", 0.9951, "[d_head]"),
        )
    ],
}


@pytest.mark.parametrize("form", number_formats.names())
def test_every_form_is_the_same_twice_and_leaves_no_number_out(form):
    written = number_formats.write(DATA, form=form)
    assert written == number_formats.write(DATA, form=form)
    assert len(written) > 100


def test_the_forms_there_are():
    assert number_formats.names() == ("csv", "json", "latex", "npz")
    assert json.loads(number_formats.write(DATA, form="json")) == DATA


def test_npz_holds_every_bit_and_needs_no_pickle():
    data = number_formats.write(DATA, form="npz")
    with np.load(io.BytesIO(data)) as arrays:
        values = [float.fromhex(row["hex"]) for row in DATA["numbers"]]
        assert arrays["value"].tolist() == values
        assert arrays["text"].tolist() == [row["text"] for row in DATA["numbers"]]
        assert arrays["place_query"].tolist() == [1, 1, 1, 1]
        assert str(arrays["digest"]) == DATA["digest"]
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert {each.date_time[0] for each in file.infolist()} == {1980}


def test_latex_rows():
    lines = number_formats.write(DATA, form="latex").decode().splitlines()
    assert lines[0] == "% python cli.py numbers tiny --prompt '100 % sure'"
    rows = [line for line in lines if line.endswith(r" \\")][1:]
    assert rows == [
        r"L1.H1.scores[query=\char34{}a \& b\char34{}, key=the\#2] & \(-\)0.10 & \(-\)0.1 \\",
        r"L1.H1.masked[query=蓝色, key=的] & \(-\)\(\infty\) & \(-\)\(\infty\) \\",
        r"{}[d\_head] & \(>\)0.99 & 0.9951 \\",
    ]


def test_latex_escapes_every_sign_that_tex_takes_for_more():
    assert not re.search(r"(?<!\\)[&%$#_~^]", escape("".join(SIGNS)).replace(r"\^", ""))
    assert escape("a_b 50%") == r"a\_b 50\%"
    assert escape("\\") == r"\textbackslash{}"
