"""The components of the keys: what changes which, in a copy of the real scenes."""

import json
import shutil

import pytest

from pipeline import catalogue
from pipeline.course import inputs as inputs_module
from pipeline.course.asset import Picture
from pipeline.course.inputs import InputReader
from pipeline.course.source import SourceReader
from pipeline.render.runtime import ROOT
from pipeline.render.spec import RenderSpec
from transformer_core.errors import InputError


@pytest.fixture
def scenes(tmp_path, monkeypatch):
    """A copy of the project's scenes, from which the catalogue reads."""
    shutil.copytree(ROOT / "scenes", tmp_path / "scenes", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "assets" / "fonts", tmp_path / "fonts")
    shutil.copytree(ROOT / "assets" / "models" / "glass", tmp_path / "glass-copy")
    monkeypatch.setattr(catalogue, "SCENES_FOLDER", tmp_path / "scenes")
    monkeypatch.setattr(inputs_module, "FONTS", tmp_path / "fonts")
    return tmp_path


def keys(folder, **look):
    [entry] = catalogue.find_scenes([look.pop("scene", "qkv")])
    read = InputReader(folder).read(Picture(entry, RenderSpec(scene=entry.name, **look), "video"))
    return read.picture_key, read.numbers_key, read


def edit(path, before, after):
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


KIT = "scenes/kit/theme.py"


def test_a_theme_counts_for_those_who_use_it(scenes):
    before = {theme: keys(scenes, theme=theme)[0] for theme in ("dark", "light")}
    edit(scenes / KIT, 'query="#7F6425"', 'query="#7F6426"')
    after = {theme: keys(scenes, theme=theme)[0] for theme in ("dark", "light")}
    assert before["dark"] == after["dark"]
    assert before["light"] != after["light"]


def test_a_label_counts_in_its_language_and_a_caption_in_both(scenes):
    before = {language: keys(scenes, language=language)[0] for language in ("en", "zh")}
    text = (scenes / "scenes/qkv.toml").read_text()
    words = text[text.index("[words") :]
    line = next(line for line in words.splitlines() if "zh = " in line)
    edit(scenes / "scenes/qkv.toml", line, line.replace('zh = "', 'zh = "甲'))
    after = {language: keys(scenes, language=language)[0] for language in ("en", "zh")}
    assert (before["en"] == after["en"], before["zh"] == after["zh"]) == (True, False)
    edit(scenes / "scenes/qkv.toml", "captions = [", 'captions = [ { en = "So.", zh = "好。" },')
    assert keys(scenes, language="en")[0] != after["en"]


def test_what_a_scene_does_not_import_does_not_count(scenes):
    before = keys(scenes)[0], keys(scenes, scene="positional")[0]
    with (scenes / "scenes/positional.py").open("a") as file:
        file.write("\nEXTRA = 1\n")
    after = keys(scenes)[0], keys(scenes, scene="positional")[0]
    assert before[0] == after[0]
    assert before[1] != after[1]


def test_a_helper_imported_far_down_counts(scenes):
    before, _, read = keys(scenes)
    assert "scenes.kit.colour" in read.details[read.picture["scene"]]
    with (scenes / "scenes/kit/colour.py").open("a") as file:
        file.write("\nEXTRA = 1\n")
    assert keys(scenes)[0] != before


def test_the_weights_are_told_apart_by_tensor(scenes):
    from safetensors.numpy import load_file, save_file

    picture, numbers, before = keys(scenes, model="glass-copy")
    path = scenes / "glass-copy" / "model.safetensors"
    weights = {name: array.copy() for name, array in load_file(path).items()}
    name = sorted(weights)[3]
    weights[name].flat[0] += 1.0
    save_file(weights, path)
    same, other, after = keys(scenes, model="glass-copy")
    assert (same, other == numbers) == (picture, False)
    tensors = [each.details[each.numbers["weights"]] for each in (before, after)]
    assert [key for key in tensors[0] if tensors[0][key] != tensors[1][key]] == [name]


def test_a_card_that_is_written_otherwise_is_the_same_card(scenes):
    before = keys(scenes, model="glass-copy")[1]
    card = scenes / "glass-copy" / "card.json"
    data = json.loads(card.read_text())
    card.write_text(json.dumps(data))
    assert keys(scenes, model="glass-copy")[1] == before
    card.write_text(json.dumps({**data, "note": "x"}))
    assert keys(scenes, model="glass-copy")[1] != before


SAME = [
    ("x = 1\n", "x = 1  # one\n"),
    ("x = 1\n", '"""About x."""\n\nx = (1)\n'),
    ("def f():\n    return 1\n", 'def f():\n    """One."""\n    return 1\n'),
    ("x = [1, 2]\n", "x = [\n    1,\n    2,\n]\n"),
]
OTHER = [
    ("x = 1\n", "x = '1'\n"),
    ("x = 1\n", "x = 1.0\n"),
    ("x = 1\n", "y = 1\n"),
    ("x = 'a'\n", "x = b'a'\n"),
    ("f(a)\n", "f(*a)\n"),
    ("x = a and b\n", "x = a or b\n"),
    ("def f(a, b=1): pass\n", "def f(a, *, b=1): pass\n"),
    ("x = f'{a}'\n", "x = f'{a!r}'\n"),
    ("x = True\n", "x = 1\n"),
]


def digest_of(tmp_path, text):
    (tmp_path / "m.py").write_text(text)
    source = SourceReader([tmp_path]).module("m")
    assert source is not None
    return source.digest


@pytest.mark.parametrize("pair", SAME)
def test_the_same_syntax(pair, tmp_path):
    assert digest_of(tmp_path, pair[0]) == digest_of(tmp_path, pair[1])


@pytest.mark.parametrize("pair", OTHER)
def test_other_syntax(pair, tmp_path):
    assert digest_of(tmp_path, pair[0]) != digest_of(tmp_path, pair[1])


def test_every_way_to_import_is_followed(tmp_path):
    package = tmp_path / "p" / "q"
    package.mkdir(parents=True)
    for name in ("p/__init__.py", "p/q/__init__.py", "p/a.py", "p/q/b.py", "p/q/c.py", "p/d.py", "e.py", "f.py"):
        (tmp_path / name).write_text("")
    (package / "start.py").write_text(
        "from . import b\nfrom ..a import x\nimport p.d\nimport e as g\ndef f():\n  import f\n"
    )
    found = SourceReader([tmp_path]).closure(["p.q.start"])
    assert set(found) == {"p", "p.q", "p.a", "p.q.b", "p.d", "e", "f", "p.q.start"}


def test_what_was_parsed_is_remembered_by_its_bytes(tmp_path):
    (tmp_path / "m.py").write_text("x = 1\n")
    cache = tmp_path / "sources.json"
    first = SourceReader([tmp_path], cache=cache)
    known = first.module("m")
    first.save()
    data = json.loads(cache.read_text())
    [key] = data["files"]
    data["files"][key]["digest"] = "remembered"
    cache.write_text(json.dumps(data))
    again = SourceReader([tmp_path], cache=cache).module("m")
    assert again is not None
    assert again.digest == "remembered"
    (tmp_path / "m.py").write_text("x = 1 \n")
    assert SourceReader([tmp_path], cache=cache).module("m") == known


def test_a_file_that_cannot_be_read_is_one_line(scenes, monkeypatch):
    def refuse(path, _):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(inputs_module, "texts_digest", refuse)
    with pytest.raises(InputError, match=r"qkv\.toml: cannot be read \(Permission denied\); mend its permissions"):
        keys(scenes)
    (scenes / "fonts" / "x.ttf").mkdir()
    with pytest.raises(InputError, match=r"x\.ttf: cannot be read \(Is a directory\)"):
        InputReader(scenes)


@pytest.mark.parametrize(
    ("file", "data", "told"),
    [
        ("qkv.py", None, r"qkv\.py: cannot be read \(Is a directory\)"),
        ("qkv.toml", None, r"qkv\.toml: cannot be read \(Is a directory\)"),
        ("qkv.toml", b"[title", r"qkv\.toml: not TOML"),
        ("qkv.toml", b"\xff\xfe", r"qkv\.toml: it is not UTF-8"),
        ("qkv.py", b"\0", r"qkv\.py: Python cannot read it"),
    ],
)
def test_a_scene_that_cannot_be_read_is_one_line(file, data, told, scenes):
    path = scenes / "scenes" / file
    path.unlink()
    path.mkdir() if data is None else path.write_bytes(data)
    with pytest.raises(InputError, match=told):
        catalogue.catalogue()


def test_a_title_that_is_none_leaves_the_summary(scenes):
    (scenes / "scenes" / "qkv.toml").write_text("title = 3")
    [entry] = catalogue.find_scenes(["qkv"])
    assert entry.titles["en"] == entry.description.split("\n", 1)[0]
