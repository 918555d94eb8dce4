"""The README's pictures are what the scenes draw today; `python -m docs.make` draws them anew."""

from functools import cache

import pytest
from PIL import Image

from docs import readme
from docs.played import play
from pipeline.catalogue import catalogue
from tests.rasters import blocks_apart
from tests.tolerances import STILL_BLOCK

ENTRIES = {entry.name: entry for entry in catalogue()}
AGAIN = "run python -m docs.make"
TEXT = readme.README.read_text(encoding="utf-8")


@cache
def played(name, beat=None):
    entry = ENTRIES[name]
    return play(entry, beat or entry.poster, theme="dark", size=readme.SIZE)


def moving():
    return played(readme.MOVING, readme.MOVING_BEAT)


@pytest.mark.parametrize("name", ENTRIES)
def test_the_still_is_what_the_scene_draws(name):
    kept, drawn = readme.last_frame(readme.still_path(name, "dark")), played(name).pixels.astype(int)
    assert blocks_apart(kept, drawn, side=6) <= STILL_BLOCK, AGAIN


@pytest.mark.parametrize("theme", readme.STILL_THEMES)
@pytest.mark.parametrize("name", ENTRIES)
def test_the_still_has_the_numbers_texts_and_colours_of_the_scene(name, theme):
    assert readme.stamp_in(readme.still_path(name, theme)) == readme.stamp(played(name), theme), AGAIN


def test_the_motion_and_its_still_end_with_the_beat_and_have_the_scenes_times():
    for path in (readme.motion_path(), readme.resting_path()):
        kept = readme.last_frame(path)
        assert blocks_apart(kept, moving().pixels.astype(int), side=6) <= STILL_BLOCK, AGAIN
    assert readme.stamp_in(readme.motion_path()) == readme.motion_stamp(moving()), AGAIN
    assert readme.stamp_in(readme.resting_path()) == readme.stamp(moving(), readme.MOVING_THEME), AGAIN


def test_the_motion_is_short():
    with Image.open(readme.motion_path()) as picture:
        seconds = 0.0
        for number in range(picture.n_frames):
            picture.seek(number)
            picture.load()
            seconds += picture.info["duration"] / 1000
    assert 6 <= seconds <= 11


def test_the_readme_shows_them_with_the_scenes_own_words():
    drawn = {name: (entry, played(name)) for name, entry in ENTRIES.items()}
    assert readme.part(TEXT, readme.SCENES) == readme.of_scenes(drawn), AGAIN
    assert readme.part(TEXT, readme.IN_MOTION) == readme.in_motion(moving()), AGAIN


def test_a_page_loads_fast():
    sizes = {path.name: path.stat().st_size for path in readme.PICTURES.iterdir()}
    assert max(size for name, size in sizes.items() if ".motion." not in name) < 120_000
    assert sizes[readme.motion_path().name] < 1_500_000
    assert sum(sizes.values()) < 3_000_000


def test_one_wrong_digit_is_seen():
    drawn = played("qkv").pixels.astype(int)
    wrong = drawn.copy()
    wrong[last_digit_of("0.53")] = drawn[last_digit_of("0.39")]
    assert blocks_apart(drawn, wrong, side=6) > 4 * STILL_BLOCK


def last_digit_of(text):
    """Where the last digit of a weight stands, in pixels."""
    numbers = played("qkv").record.numbers
    (box,) = {each.box for each in numbers if each.text == text and each.name.endswith("pattern")}
    scale = readme.SIZE[0] / 16
    wide, tall = (round((box[2 + axis] - box[axis]) * scale) for axis in (0, 1))
    right, top = round(box[2] * scale), round(box[1] * scale)
    return slice(top, top + tall), slice(right - wide // 4, right)
