"""Every frame of a beat of every scene is Manim's own; `tests.truth.every_beat` does it for all beats."""

import itertools

import pytest

from pipeline.catalogue import catalogue
from tests.truth.every_beat import compare_beats

LOOKS = itertools.cycle(({"theme": "dark"}, {"theme": "light", "layout": "rows"}, {"theme": "print", "language": "zh"}))
# Short beats in which much moves; another scene is seen at the beat of its poster.
BEATS = {"embedding": "lookup", "multihead": "grids", "positional": "need", "qkv": "key"}
CASES = [
    (entry.name, BEATS.get(entry.name, entry.poster), look) for entry, look in zip(catalogue(), LOOKS, strict=False)
]


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("scene", "beat", "look"), CASES, ids=[case[0] for case in CASES])
def test_a_beat_in_every_frame(scene, beat, look):
    compared = compare_beats(scene, beat=beat, **look)
    assert compared.words == ""
    assert compared.engines == ("fast", "stock")
    assert compared.drawn > 10
