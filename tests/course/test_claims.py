"""A build replaces what it published itself, and no file that somebody else put there."""

import json
import shutil

import pytest

from pipeline.course.claims import Claims
from pipeline.course.course import read_course
from pipeline.course.neighbours import Neighbours
from pipeline.course.store import FOLDER, Store
from tests.course.conftest import CREATURE, DRAGON, TABLE, start_course

OTHERS = b"years of work"
HERE = ("course.toml", 'output = "out"', 'output = "."')


def test_a_file_of_somebody_else_stays_and_the_others_are_built(empty_course):
    course = empty_course
    course.edit(*HERE)
    for name in (DRAGON, TABLE, "creature.en.draft.png"):
        (course.folder / name).write_bytes(OTHERS)
    done = course.run("build", "--only", "dragon", "--quiet")
    assert done.returncode == 2
    assert done.stderr.strip() == (
        f"error: {DRAGON}: a file that was not published from here has this name; "
        'move it away, or give the asset a name = "…" in course.toml'
    )
    # Nothing was drawn for it, and what is drawn in vain beside it is kept for the next time.
    assert not list(course.folder.glob(".course/pictures/*/*"))
    done = course.run("build", "--quiet", "--keep-going")
    assert done.returncode == 1
    assert "(and 2 more failed)" in done.stderr
    assert {(course.folder / name).read_bytes() for name in (DRAGON, TABLE, "creature.en.draft.png")} == {OTHERS}
    assert not [path.name for path in course.folder.glob("creature*") if path.suffix != ".png"]
    for name in (DRAGON, TABLE, "creature.en.draft.png"):
        (course.folder / name).unlink()
    assert course.how()[CREATURE] == "kept"


def test_a_link_to_somebody_elses_file_stays(empty_course):
    course = empty_course
    (course.folder / "out").mkdir()
    (course.folder / "out" / DRAGON).symlink_to("nowhere")
    assert course.run("build", "--only", "dragon", "--quiet").returncode == 2
    assert (course.folder / "out" / DRAGON).is_symlink()


@pytest.mark.parametrize("lost", ["course.lock", ".course", "both"])
def test_what_was_published_from_here_is_replaced_whatever_was_lost(lost, course):
    course.edit("scenes/tiny.toml", "Learned.", "Known.")
    for name in ("course.lock", ".course") if lost == "both" else (lost,):
        path = course.folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if lost == "both":
        # Of a table nothing but its bytes tells whose it is, and they are others now.
        (course.folder / "out" / TABLE).unlink()
    assert set(course.how()) == {CREATURE, DRAGON, "dragon.en.png", TABLE}
    assert {row["condition"] for row in course.status("--check").values()} == {"current"}


def test_what_render_published_is_replaced_but_no_other_film_beside_its_ledger(empty_course):
    course = empty_course
    words = ("--model", "model", "--prompt", "a blue creature", "--quality", "draft", "-o", "out/creature.en.draft")
    assert course.run("render", "tiny", *words).returncode == 0
    film = course.folder / "out" / CREATURE
    ours = film.read_bytes()
    film.write_bytes(OTHERS)
    assert course.run("build", "--only", "creature", "--quiet").returncode == 2
    assert film.read_bytes() == OTHERS
    film.write_bytes(ours)
    assert course.how("--only", "creature") == {CREATURE: "drawn"}


def test_a_lock_speaks_of_the_folder_that_it_was_built_for(course):
    course.edit(*HERE)
    (course.folder / DRAGON).write_bytes(OTHERS)
    assert course.run("build", "--only", "dragon", "--quiet").returncode == 2
    assert (course.folder / DRAGON).read_bytes() == OTHERS


def test_a_build_that_was_killed_while_it_published_knows_its_own(tmp_path):
    store, output, made = Store(tmp_path / FOLDER), tmp_path / "media", tmp_path / "made"
    store.make()
    for folder in (output, made):
        folder.mkdir()
    (made / "x.csv").write_text("1")
    (tmp_path / "course.toml").write_text('[[asset]]\nscene = "qkv"\nname = "x"\nformat = "csv"\n')
    course = read_course(tmp_path / "course.toml")
    [asset] = course.assets
    claims = Claims(store, {}, Neighbours(course))
    claims.claim([asset], {"x.csv": made / "x.csv"})
    (made / "x.csv").replace(output / "x.csv")
    # Killed here, and what the table holds has changed since; and once more, before it got its name.
    for text in ("2", "3"):
        (made / "x.csv").write_text(text)
        claims.claim([asset], {"x.csv": made / "x.csv"})
    claims.check(asset, ["x.csv"])
    assert set(json.loads((store.folder / "claims" / "course.toml" / "x.en.numbers.json").read_text())["files"]) == {
        "x.csv"
    }


IN_PLACE = {
    "a picture": (f"out/{DRAGON}", f'out/{DRAGON}: it is a folder; remove it, or give the asset a name = "…" in'),
    "the lock": ("course.lock", "course.lock: it is a folder, and the lock file goes there; move it away"),
}


@pytest.mark.parametrize("case", IN_PLACE)
def test_a_folder_in_a_files_place(case, small_model, tmp_path):
    course = start_course(tmp_path / "course", small_model)
    name, told = IN_PLACE[case]
    (course.folder / name / "mine").mkdir(parents=True)
    done = course.run("build", "--only", "dragon", "--quiet")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert told in done.stderr
    assert "-o" not in done.stderr.replace("another", "")
    assert (course.folder / name / "mine").is_dir()


FILES = {
    "out": 'out: out is a file; name another output = "…" in course.toml',
    ".course": ".course: .course is a file; what was drawn is kept there",
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_in_a_folders_place(name, empty_course):
    (empty_course.folder / name).write_bytes(OTHERS)
    done = empty_course.run("build", "--quiet")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert FILES[name] in done.stderr
