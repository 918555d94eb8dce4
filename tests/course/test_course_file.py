"""`course.toml`: what it may say, and that a mistake is one line which names the place."""

import os
from pathlib import Path

import pytest

from pipeline.course.course import read_course
from pipeline.course.lock import Made, change_lock, read_lock
from transformer_core.errors import InputError


@pytest.fixture
def course(tmp_path):
    def written(text: str | bytes):
        path = tmp_path / "course.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_course(path)

    return written


def test_the_example(course, tmp_path):
    read = course("""
[course]
output = "assets/generated"
lang = ["zh", "en"]
quality = "high"

[model]
name = "glass"

[[asset]]
scene = "qkv"
prompt = "a fluffy blue creature roamed the verdant forest"

[[asset]]
scene = "qkv"
name = "pattern-figure"
beat = "softmax"
format = ["svg", "pdf"]
theme = "light"
""")
    assert read.output == tmp_path / "assets/generated"
    names = [asset.name for asset in read.assets]
    assert [name.split(".", 1)[1] for name in names[:2]] == ["zh.high.mp4", "en.high.mp4"]
    assert names[2:] == [f"pattern-figure.{language}.{form}" for language in ("zh", "en") for form in ("svg", "pdf")]
    assert read.assets[2].picture == read.assets[3].picture
    assert read.chosen(["pattern-figure"]) == read.assets[2:]
    assert read.chosen(["*.svg"]) == (read.assets[2], read.assets[4])


def test_lists_multiply(course):
    read = course('[[asset]]\nscene = ["qkv", "embedding"]\nlang = ["en", "zh"]\ntheme = ["dark", "light"]\n')
    assert len(read.assets) == len({asset.name for asset in read.assets}) == 8


def test_a_name_with_several_looks_says_which(course):
    read = course('[[asset]]\nscene = "qkv"\nname = "n"\nbeat = "softmax"\nformat = "svg"\ntheme = ["dark", "light"]\n')
    assert [asset.name for asset in read.assets] == ["n-dark.en.svg", "n-light.en.svg"]


REFUSED = {
    "no file": (None, "there is no such file"),
    "not toml": ("[course\n", "course.toml line 1: not TOML"),
    "not text": (b"\xff\xfe\x00", "it is not UTF-8"),
    "nested": ("x = " + "[" * 5000 + "]" * 5000, "course.toml"),
    "empty": ("", "it asks for nothing"),
    "no scene": ("\n[[asset]]\nlang = 'en'\n", "course.toml line 2, asset 1: it names no scene"),
    "typed scene": (
        "[[asset]]\nscene = 'qvk'\n",
        "course.toml line 2, asset 1: scene 'qvk': there is none of this name; did",
    ),
    "typed beat": (
        "[[asset]]\nscene = 'qkv'\n\nbeat = 'sofmax'\n",
        "course.toml line 4, asset 1: beat of qkv 'sofmax'",
    ),
    "second block": (
        "[[asset]]\nscene = 'qkv'\n[[asset]]\nscene = 'embedding'\ntheme = 'pink'\n",
        "course.toml line 5, asset 2: theme 'pink': unknown; try dark, light, print",
    ),
    "typed key": (
        "[[asset]]\nscene = 'qkv'\nlnag = 'zh'\n",
        "course.toml line 3: 'lnag': asset has no such key; did you mean 'lang'?",
    ),
    "typed table": (
        "[models]\n[[asset]]\nscene = 'qkv'\n",
        "'models': a course has no such key; did you mean 'model'?",
    ),
    "other type": (
        "[[asset]]\nscene = 'qkv'\nlayer = 'one'\n",
        "course.toml line 3, asset 1: layer = 'one': it is not a whole number",
    ),
    "a bool": ("[[asset]]\nscene = 'qkv'\nlayer = true\n", "it is not a whole number"),
    "an empty list": ("[[asset]]\nscene = 'qkv'\nlang = []\n", "an empty list"),
    "one twice": ("[[asset]]\nscene = 'qkv'\nlang = ['en', 'en']\n", "it names one twice"),
    "a list for one": ("[[asset]]\nscene = 'qkv'\nprompt = ['a', 'b']\n", "it is not a text"),
    "a line break": ('[[asset]]\nscene = "qkv"\nprompt = "a\\nb"\n', "it has a control character"),
    "no form": (
        "[[asset]]\nscene = 'qkv'\nformat = 'avi'\n",
        "course.toml line 3, asset 1: format 'avi': there is no such form",
    ),
    "outside": (
        "[course]\noutput = '../x'\n[[asset]]\nscene = 'qkv'\n",
        "course.toml line 2: output = '../x': it leads out",
    ),
    "absolute": ("[course]\noutput = '/tmp'\n[[asset]]\nscene = 'qkv'\n", "it leads out"),
    "a path as name": ("[[asset]]\nscene = 'qkv'\nname = '../../x'\n", "it is no file's name"),
    "a long name": (f"[[asset]]\nscene = 'qkv'\nname = '{'课' * 41}'\n", "it is no file's name"),
    "the store": (
        "[course]\noutput = '.course/x'\n[[asset]]\nscene = 'qkv'\n",
        "course.toml line 2: output = '.course/x': what was drawn is kept there; name another folder",
    ),
    "the store in capitals": (
        "[course]\noutput = '.Course/x'\n[[asset]]\nscene = 'qkv'\n",
        "what was drawn is kept there; name another folder",
    ),
    "another course's store": (
        "[course]\noutput = 'lectures/.course'\n[[asset]]\nscene = 'qkv'\n",
        "what was drawn is kept there; name another folder",
    ),
    "a hidden name": ("[[asset]]\nscene = 'qkv'\nname = '.x'\n", "it is no file's name"),
    "one name twice": (
        "[[asset]]\nscene = 'qkv'\nname = 'x'\n[[asset]]\nscene = 'embedding'\nname = 'X'\n",
        "course.toml line 4, asset 2: X.en.high.mp4: asset 1 is published under that name too",
    ),
    "one name twice, composed and decomposed": (
        "[[asset]]\nscene = 'qkv'\nname = '\ud55c'\n[[asset]]\nscene = 'embedding'\nname = '\u1112\u1161\u11ab'\n",
        "course.toml line 4, asset 2: \ud55c.en.high.mp4: asset 1 is published under that name too",
    ),
    "one name twice, folded": (
        "[[asset]]\nscene = 'qkv'\nname = 'Straße'\n[[asset]]\nscene = 'embedding'\nname = 'STRASSE'\n",
        "asset 1 is published under that name too",
    ),
    "one ledger twice": (
        "[[asset]]\nscene = 'qkv'\nname = 'x'\nbeat = 'softmax'\nformat = 'svg'\n"
        "[[asset]]\nscene = 'qkv'\nname = 'x'\nbeat = 'scores'\nformat = 'pdf'\n",
        "asset 1 is published under that name too",
    ),
    "one beat's figure twice": (
        "[[asset]]\nscene = 'qkv'\nname = 'x'\nformat = 'svg'\n"
        "[[asset]]\nscene = 'qkv'\nname = 'x.softmax'\nbeat = 'softmax'\nformat = 'svg'\n",
        "x.softmax.en.svg: asset 1 is published under that name too",
    ),
    "one beat's figure twice, without names": (
        "[[asset]]\nscene = 'qkv'\nbeat = 'softmax'\nformat = 'svg'\n[[asset]]\nscene = 'qkv'\nformat = 'svg'\n",
        "asset 1 is published under that name too",
    ),
    "too many": (
        f"[[asset]]\nscene = 'qkv'\nname = 'x'\nlayer = {list(range(1, 101))}\nhead = {list(range(1, 102))}\n",
        "more than 10000 assets",
    ),
    "a pace": ("[[asset]]\nscene = 'qkv'\npace = inf\n", "course.toml line 3, asset 1: pace inf: out of range"),
    "a number": (f"x = {'9' * 5000}\n", "course.toml"),
    "a date": ("[[asset]]\nscene = 1979-05-27\n", "it is not a text"),
    "assets as table": ("[asset]\nscene = 'qkv'\n", "asset is no list of tables; begin each asset with [[asset]]"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_mistake_is_one_line_that_names_the_place(case, course, tmp_path):
    text, told = REFUSED[case]
    with pytest.raises(InputError) as refused:
        course(text) if text is not None else read_course(tmp_path / "none.toml")
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "course.toml")
    with pytest.raises(InputError, match=r"course\.toml: it is no file"):
        read_course(tmp_path / "course.toml")


def test_a_lock_that_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "course.lock")
    with pytest.raises(InputError, match=r"course\.lock: it is no file, and the lock file goes there; move it away"):
        read_lock(tmp_path / "course.lock")


def test_another_ending_would_have_the_lock_of_the_file_that_has_the_usual_one(tmp_path):
    (tmp_path / "course.txt").write_text("[[asset]]\nscene = 'qkv'\n")
    with pytest.raises(InputError, match=r"a course file ends in \.toml; name it course\.toml"):
        read_course(tmp_path / "course.txt")


@pytest.mark.parametrize("place", [".course/x", "link"])
def test_a_link_to_the_store_is_no_output(place, tmp_path):
    (tmp_path / ".course" / "x").mkdir(parents=True)
    (tmp_path / "link").symlink_to(".course")
    (tmp_path / "media").symlink_to(place)
    (tmp_path / "circle").symlink_to("circle")
    path = tmp_path / "course.toml"
    path.write_text("[[asset]]\nscene = 'qkv'\n")
    with pytest.raises(InputError, match="what was drawn is kept there"):
        read_course(path)
    path.write_text("[course]\noutput = 'circle'\n[[asset]]\nscene = 'qkv'\n")
    assert read_course(path).output == tmp_path / "circle"


def test_a_name_is_found_however_its_letters_are_composed(course):
    read = course("[[asset]]\nscene = 'qkv'\nname = '\u1112\u1161\u11ab'\n")
    assert [asset.stem for asset in read.chosen(["\u1112\u1161\u11ab"])] == ["\ud55c.en.high"]


def test_a_model_that_is_not_there(tmp_path):
    from pipeline.course.open import open_course

    (tmp_path / "course.toml").write_text("[model]\nname = 'gless'\n[[asset]]\nscene = 'qkv'\n")
    with pytest.raises(InputError, match="model 'gless': there is no such model; try glass"):
        open_course(str(tmp_path / "course.toml"))


MADE = Made(
    files=("a.png", "图.mp4"),
    shown="1" * 32,
    digest="2" * 64,
    picture={"look": 'theme="dark" \\ \x7f', "scene": "3"},
    numbers={"weights": "4"},
    fonts={"Noto Sans.ttf": "5"},
    accepted={"because": "既成 – “fine”", "picture": "6", "numbers": "7"},
)


def test_the_lock_comes_back_as_it_was_written(tmp_path):
    path = tmp_path / "course.lock"
    change_lock(path, {"b.en.mp4": MADE})
    change_lock(path, {"a.en.mp4": MADE})
    assert read_lock(path) == {"a.en.mp4": MADE, "b.en.mp4": MADE}
    text = path.read_text()
    assert text.index("a.en.mp4") < text.index("b.en.mp4")
    change_lock(path, {}, keep=frozenset(["b.en.mp4"]))
    assert list(read_lock(path)) == ["b.en.mp4"]
    assert [each.name for each in tmp_path.iterdir()] == ["course.lock"]


def test_branches_that_change_different_assets_merge(tmp_path):
    import subprocess
    from dataclasses import replace

    names = [f"{letter}.en.mp4" for letter in "abcdef"]
    paths = {branch: tmp_path / branch for branch in ("base", "ours", "theirs")}
    for path in paths.values():
        change_lock(path, dict.fromkeys(names, MADE))
    change_lock(paths["ours"], {"b.en.mp4": replace(MADE, shown="8" * 32)})
    change_lock(paths["theirs"], {"e.en.mp4": replace(MADE, shown="9" * 32)})
    subprocess.run(["git", "merge-file", paths["ours"], paths["base"], paths["theirs"]], check=True)
    merged = read_lock(paths["ours"])
    assert (merged["b.en.mp4"].shown, merged["e.en.mp4"].shown) == ("8" * 32, "9" * 32)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<<<<<<< ours\n", "a merge left conflict marks in it"),
        ("[asset.x]\nfiles = 3\n", "it is no lock file"),
        (
            "[asset.x]\nfiles = []\nshown = ''\ndigest = ''\npicture = []\nnumbers = {}\nfonts = {}\n",
            "it is no lock file",
        ),
        ("asset = 3", "it is no lock file"),
    ],
)
def test_a_damaged_lock(text, told, tmp_path):
    path: Path = tmp_path / "course.lock"
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        read_lock(path)


def test_many_threads_write_one_file_of_the_store(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    from pipeline.course.store import put_json

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: put_json(tmp_path / "x.json", [number]), range(400)))
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]
