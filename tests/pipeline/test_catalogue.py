"""The catalogue: read without importing, found in any case, with a guess for a typo."""

import subprocess
import sys

import pytest

from pipeline.catalogue import catalogue, find_scenes
from transformer_core.errors import InputError


@pytest.mark.usefixtures("small_catalogue")
class TestFinding:
    def test_entry_holds_what_the_class_says(self):
        [entry] = catalogue()
        assert (entry.name, entry.class_name, entry.module) == ("tiny", "TinyLecture", "tiny")
        assert entry.beats == ("weight", "share", "end")
        assert entry.titles == {"en": "Tiny", "zh": "微小"}
        assert entry.description == "One weight and one share."
        assert entry.poster == "end"

    @pytest.mark.parametrize("name", ["tiny", "TINY", "TinyLecture", "tinylecture", "all", "ALL"])
    def test_names_in_any_case(self, name):
        assert [entry.name for entry in find_scenes([name])] == ["tiny"]

    def test_each_scene_once(self):
        assert len(find_scenes(["tiny", "all", "TinyLecture"])) == 1

    @pytest.mark.parametrize(
        ("name", "line"),
        [
            ("tinny", "scene 'tinny': there is none of this name; did you mean 'tiny'?"),
            ("zzz", "scene 'zzz': there is none of this name; there are: TinyLecture, tiny"),
        ],
    )
    def test_unknown_scene(self, name, line):
        with pytest.raises(InputError) as caught:
            find_scenes([name])
        assert str(caught.value) == line

    def test_unknown_beat_gets_the_nearest(self):
        [entry] = catalogue()
        assert entry.require_beat("Share") == "share"
        with pytest.raises(InputError, match="did you mean 'weight'"):
            entry.require_beat("weigth")


def test_listing_imports_neither_manim_nor_torch():
    code = "import sys, pipeline.catalogue as c; c.catalogue(); print({'manim', 'torch'} & {*sys.modules})"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
