"""What a user's own scene may use is drawn by the fast engine as by Manim, in every frame of every play."""

import pytest

from tests.truth.compare import compare
from tests.truth.features import FEATURES

HANDED_OVER = {"space": "ThreeDCamera", "zoomed camera": "MultiCamera"}


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", FEATURES)
def test_every_frame_is_manims_own(name):
    scene_class = FEATURES[name]
    compared = compare(lambda renderer: scene_class(renderer=renderer), scene_class)
    assert compared.words == ""
    assert compared.drawn > 5
    assert compared.engines[0] == ("stock" if name in HANDED_OVER else "fast")
