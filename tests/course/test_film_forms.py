"""Forms of one film: drawn once, published and renewed each by itself."""

import json
import shlex

import av
import pytest

from pipeline.course.command import command_of
from pipeline.course.course import read_course
from tests.course.conftest import start_course
from tests.course.test_staleness import one_ulp
from tests.pipeline.test_films import decoded as decoded_film
from transformer_core.errors import InputError

FORMS = ("mp4", "webm", "mov", "gif", "webp")
COURSE = f"""
[course]
output = "out"
quality = "draft"

[model]
name = "model"

[[asset]]
scene = "tiny"
name = "share"
prompt = "a blue creature"
beat = "share"
format = {json.dumps(FORMS)}
"""
FILMS = {f"share.en.draft.{form}" for form in FORMS}
WEBM = "share.en.draft.webm"


def test_five_forms_are_one_drawing_and_each_is_renewed_by_itself(small_model, tmp_path):
    course = start_course(tmp_path / "course", small_model, text=COURSE)
    [row] = course.build()
    assert (row["how"], set(row["assets"])) == ("drawn", FILMS)
    assert len(list(course.folder.glob(".course/pictures/*/*/manifest.json"))) == 1
    assert set(course.outputs()) >= FILMS
    before = course.outputs()
    assert course.build() == []
    assert course.outputs() == before

    (course.folder / "out" / WEBM).unlink()
    assert {name for name, row in course.status().items() if row["condition"] != "current"} == {WEBM}
    assert course.how() == {WEBM: "kept"}
    assert course.outputs() == before
    assert {row["condition"] for row in course.status("--check").values()} == {"current"}

    pictures = {name: decoded(course, name) for name in FILMS}
    course.weigh("blocks.0.attn.W_Q", one_ulp)
    assert course.how() == dict.fromkeys(FILMS, "reissued")
    after = course.outputs()
    assert all(after[name] != before[name] for name in FILMS)
    assert {name: decoded(course, name) for name in FILMS} == pictures
    done = course.run("verify", *(f"out/{name}" for name in sorted(FILMS)))
    assert (done.returncode, done.stdout.count("identical")) == (0, len(FORMS)), done.stdout

    # A form that is asked for later: what is there already stays.
    course.edit("course.toml", f", {json.dumps(FORMS[-1])}]", "]")
    assert course.how() == {}
    course.edit("course.toml", '"gif"]', '"gif", "webp"]')
    assert course.how() == {"share.en.draft.webp": "kept"}
    assert course.outputs() == after


def decoded(course, name: str) -> list[tuple[bytes, float | None]]:
    """Each frame of a film with its time."""
    path = course.folder / "out" / name
    if name.endswith(".webp"):
        from PIL import Image, ImageSequence

        with Image.open(path) as film:
            return [(frame.convert("RGB").tobytes(), frame.info["duration"]) for frame in ImageSequence.Iterator(film)]
    with av.open(str(path)) as container:
        return [(frame.to_ndarray().tobytes(), frame.time) for frame in container.decode(video=0)]


def test_a_form_that_was_not_drawn_with_the_others_is_drawn(small_model, tmp_path):
    text = COURSE.replace(json.dumps(FORMS), '["mp4"]')
    course = start_course(tmp_path / "course", small_model, text=text)
    course.build()
    before = course.outputs()
    course.edit("course.toml", '["mp4"]', '["mp4", "gif"]')
    assert course.how() == {"share.en.draft.gif": "drawn"}
    after = course.outputs()
    ledger = "share.en.draft.numbers.json"
    assert {name for name, data in before.items() if after[name] != data} == {ledger}
    then, now = json.loads(before[ledger]), json.loads(after[ledger])
    assert now == {**then, "command": f"{then['command']} --format mp4 --format gif"}
    assert {row["condition"] for row in course.status("--check").values()} == {"current"}
    assert course.run("gc").returncode == 0
    assert course.how() == {}


@pytest.mark.parametrize("form", ["gif", "webp"])
def test_what_is_loaded_whole_is_for_a_beat(form, tmp_path):
    path = tmp_path / "course.toml"
    path.write_text(f'[[asset]]\nscene = "qkv"\nformat = ["mp4", "{form}"]\n')
    with pytest.raises(InputError, match=f"line 3, asset 1: format '{form}': .* is for a beat.*; name one: beat = "):
        read_course(path)


CLEAR = """
[course]
output = "out"
quality = "draft"
theme = "light"

[model]
name = "model"

[[asset]]
scene = "tiny"
name = "clear"
prompt = "a blue creature"
beat = "share"
transparent = true
format = ["webm", "mov"]
"""


def test_films_that_leave_the_ground_out(small_model, tmp_path):
    course = start_course(tmp_path / "course", small_model, text=CLEAR)
    names = ("clear.en.draft.mov", "clear.en.draft.webm")
    assert course.how() == dict.fromkeys(names, "drawn")
    before = {name: see_through(course, name) for name in names}
    assert all(0.5 < float((alpha == 0).mean()) < 1.0 and (alpha == 255).any() for alpha in before.values())
    command = json.loads(course.outputs()["clear.en.draft.numbers.json"])["command"]
    assert command.endswith(" --transparent --format webm --format mov")
    # The command in the ledger makes the same films.
    done = course.run(*shlex.split(command)[2:], "-o", "again/clear", "--quiet")
    assert (done.returncode, done.stdout.split()) == (0, ["again/clear.webm", "again/clear.mov"]), done.stderr
    for name in names:
        again = decoded_as(course.folder / "again" / f"clear.{name[-4:].lstrip('.')}", name)
        assert (again[..., 3] == before[name]).all()
    course.weigh("blocks.0.attn.W_Q", one_ulp)
    assert course.how() == dict.fromkeys(names, "reissued")
    assert all((see_through(course, name) == alpha).all() for name, alpha in before.items())
    done = course.run("verify", "clear")
    assert (done.returncode, done.stdout) == (0, "clear.en.draft: identical: all 4 numbers match\n")


def see_through(course, name: str):
    return decoded_as(course.folder / "out" / name, name)[..., 3]


def decoded_as(path, name: str):
    return decoded_film(path, form="rgba", decoder="libvpx-vp9" if name.endswith("webm") else "")


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ('transparent = "yes"', "transparent = 'yes': it is not true or false; give true or false"),
        ("transparent = 1", "transparent = '1': it is not true or false"),
        (
            'transparent = true\nformat = "mp4"',
            "format 'mp4': it is no film that can leave out the ground; give mov or webm",
        ),
        ('transparent = true\nbeat = "softmax"\nformat = "svg"', "format 'svg': it is no film that can"),
    ],
)
def test_what_cannot_leave_out_the_ground_is_refused(block, told, tmp_path):
    path = tmp_path / "course.toml"
    path.write_text(f'[[asset]]\nscene = "qkv"\n{block}\n')
    with pytest.raises(InputError) as refused:
        read_course(path)
    assert told in str(refused.value)


def test_without_a_format_it_is_webm(tmp_path):
    path = tmp_path / "course.toml"
    path.write_text('[[asset]]\nscene = "qkv"\ntransparent = true\n[[asset]]\nscene = "qkv"\ntransparent = false\n')
    assert [asset.form for asset in read_course(path).assets] == ["webm", "mp4"]


FIGURES = 'beat = "softmax"\nformat = ["svg", "pdf"]\ntheme = "light"'


@pytest.mark.parametrize(
    ("block", "commands"),
    [
        ("", ["render qkv"]),
        ('format = "webm"', ["render qkv --format webm"]),
        ('format = ["mp4", "webm"]', ["render qkv --format mp4 --format webm"] * 2),
        ("transparent = true", ["render qkv --transparent"]),
        (FIGURES, ["figure qkv:softmax --theme light --format svg --format pdf"] * 2),
    ],
)
def test_a_command_names_the_forms(block, commands, tmp_path):
    path = tmp_path / "course.toml"
    path.write_text(f'[[asset]]\nscene = "qkv"\n{block}\n')
    made = [command_of(asset.picture, asset.forms) for asset in read_course(path).assets]
    assert made == [f"python cli.py {command}" for command in commands]
