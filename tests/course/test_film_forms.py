"""Forms of one film: drawn once, published and renewed each by itself."""

import json

import av
import pytest

from pipeline.course.course import read_course
from tests.course.conftest import start_course
from tests.course.test_staleness import one_ulp
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
    assert all(after[name] == data for name, data in before.items())
    assert course.run("gc").returncode == 0
    assert course.how() == {}


@pytest.mark.parametrize("form", ["gif", "webp"])
def test_what_is_loaded_whole_is_for_a_beat(form, tmp_path):
    path = tmp_path / "course.toml"
    path.write_text(f'[[asset]]\nscene = "qkv"\nformat = ["mp4", "{form}"]\n')
    with pytest.raises(InputError, match=f"line 3, asset 1: format '{form}': .* is for a beat.*; name one: beat = "):
        read_course(path)
