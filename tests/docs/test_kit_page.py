"""docs/kit.md: its lines run, and its sentences and pictures are what they give; `python -m docs.make` writes them."""

import re
from xml.etree import ElementTree

import pytest

from docs import kit_page
from tests.tolerances import OUTLINE_STEPS

TEXT = kit_page.PAGE.read_text(encoding="utf-8")
NAMES = [found["name"] for found in kit_page.PIECE.finditer(TEXT)]
AGAIN = "run python -m docs.make"
PATH, NUMBER = re.compile(r' d="([^"]*)"'), re.compile(r"-?\d+(?:\.\d+)?")


@pytest.fixture(scope="module")
def shown():
    return {each.name: each for each in kit_page.pieces(TEXT)}


def same_picture(first, second):
    """Whether two SVG files are the same but for the last step of a coordinate."""
    parts = [PATH.split(text) for text in (first, second)]
    if parts[0][::2] != parts[1][::2]:
        return False
    return all(same_path(one, other) for one, other in zip(parts[0][1::2], parts[1][1::2], strict=True))


def same_path(one, other):
    if one == other:
        return True
    letters = [re.sub(r"\s", "", NUMBER.sub(" 0 ", path)) for path in (one, other)]
    numbers = [[float(number) for number in NUMBER.findall(path)] for path in (one, other)]
    return letters[0] == letters[1] and all(abs(a - b) <= OUTLINE_STEPS for a, b in zip(*numbers, strict=True))


@pytest.mark.parametrize("theme", kit_page.THEMES)
@pytest.mark.parametrize("name", NAMES)
def test_the_picture_is_what_the_lines_draw(shown, name, theme):
    path = shown[name].path(theme)
    assert same_picture(path.read_text(encoding="utf-8"), shown[name].pictures[theme].decode()), AGAIN


def test_the_page_has_the_pieces_own_sentences(shown):
    assert kit_page.page(TEXT, list(shown.values())) == TEXT, AGAIN


def test_no_picture_is_left_over():
    kept = {path.name.split(".")[0] for path in kit_page.PICTURES.iterdir()}
    assert kept == {kit_page.Piece(name, "", "", {}).stem for name in NAMES}, AGAIN


def test_every_line_is_of_some_piece():
    """A block that the page's pattern passes over would be shown and never run."""
    assert len(re.findall(r"^```python$", TEXT, flags=re.MULTILINE)) == len(NAMES) + 1
    assert len(NAMES) >= 15


def test_other_numbers_are_seen(shown):
    first, grid = kit_page.FIRST.search(TEXT)[0], shown["ScoreGrid"]
    (other,) = kit_page.pieces(f"{first}\n\n{grid.lines().replace('masked', 'scaled')}")
    assert other.name == grid.name
    assert not same_picture(other.pictures["dark"].decode(), grid.pictures["dark"].decode())


def test_only_the_last_step_of_a_coordinate_is_let_through(shown):
    drawn = shown["Bars"].pictures["dark"].decode()
    x = re.search(r'd="M(\d+) ', drawn.split("<g transform")[1])[1]
    by = [drawn.replace(f'd="M{x} ', f'd="M{int(x) + steps} ', 1) for steps in (2, 3)]
    assert [same_picture(drawn, each) for each in by] == [True, False]
    assert not same_picture(drawn, drawn.replace("#77F574", "#77F575"))


def test_a_picture_says_what_it_is(shown):
    root = ElementTree.fromstring(shown["Bars"].pictures["light"])
    told = {child.tag.partition("}")[2]: child.text for child in root}
    assert (told["title"], told["desc"]) == ("Bars", shown["Bars"].sentence)
    left, top, width, height = (float(each) for each in root.get("viewBox").split())
    assert width < 16
    assert height < 9
    assert (left, top) > (0, 0)
