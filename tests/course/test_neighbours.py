"""Several courses that share a folder: none replaces what another published, and each stays current."""

import json

import pytest

from pipeline.course.course import read_course
from pipeline.course.neighbours import Neighbours
from pipeline.course.store import FOLDER, Store, put_json
from tests.course.conftest import CREATURE, DRAGON, TABLE
from transformer_core.errors import InputError


def copied(course, *edits: tuple[str, str], name: str = "other.toml") -> None:
    """Another course file beside the first, which asks for the same assets, apart from the edits."""
    text = (course.folder / "course.toml").read_text()
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
    (course.folder / name).write_text(text)


OTHER = ('prompt = "the red dragon"', 'prompt = "a red dragon"')


def test_what_another_course_published_is_refused_before_anything_is_drawn(course):
    copied(course, OTHER)
    before = course.outputs()
    for words, name in {
        ("--keep-going",): CREATURE,
        ("--only", DRAGON): DRAGON,
        ("--only", TABLE): TABLE,
        ("--dry-run",): CREATURE,
    }.items():
        done = course.run("build", "other.toml", "--quiet", *words)
        assert (done.returncode, done.stderr) == (
            2,
            f"error: out/{name}: it is published from course.toml, too; in other.toml give the asset a name = "
            '"…", or [course] another output = "…"\n',
        )
    assert course.outputs() == before
    assert len(list(course.folder.glob(".course/pictures/*/*"))) == 3
    # The first one is not disturbed by a copy that nobody could build.
    assert course.how() == {}


def test_two_courses_of_the_same_names_in_two_folders_stay_current(course):
    copied(course, OTHER, ('output = "out"', 'output = "others"'))
    before = course.outputs()
    done = course.run("build", "other.toml", "--only", TABLE, "--quiet", "--json")
    assert (done.returncode, {row["how"] for row in json.loads(done.stdout)}) == (0, {"drawn"})
    assert course.outputs() == before
    assert {row["condition"] for row in course.status().values()} == {"current"}
    assert course.status("other.toml")[TABLE]["condition"] == "current"
    pictures = set(course.folder.glob(".course/pictures/*/*"))
    assert course.run("gc").returncode == 0
    assert set(course.folder.glob(".course/pictures/*/*")) == pictures
    # A course that is no more keeps nothing.
    for name in ("other.toml", "other.lock"):
        (course.folder / name).unlink()
    assert course.run("gc").returncode == 0
    assert len(set(course.folder.glob(".course/pictures/*/*"))) == 3 < len(pictures)
    assert not list(course.folder.glob(".course/published/other.toml/*"))
    assert course.how() == {}


@pytest.fixture
def folder(tmp_path):
    """A course with a table `x.en.csv`, and one that was published from another course file."""
    (tmp_path / "a" / "media").mkdir(parents=True)
    (tmp_path / "a" / "course.toml").write_text('[[asset]]\nscene = "qkv"\nname = "x"\nformat = "csv"\n')
    return tmp_path


LOCK = (
    '[asset."x.en.csv"]\nfiles = ["x.en.csv"]\nshown = ""\ndigest = ""\npicture = {}\nnumbers = {}\nfonts = {}\n'
    '[asset."X.en.csv"]\nfiles = ["X.en.csv"]\nshown = ""\ndigest = ""\npicture = {}\nnumbers = {}\nfonts = {}\n'
)
TABLE_X = '[course]\noutput = "{output}"\n[[asset]]\nscene = "qkv"\nname = "{name}"\nformat = "csv"\n'
THEIRS = {
    "beside": ("a/b.toml", TABLE_X.format(output="media", name="x"), True),
    "another case": ("a/b.toml", TABLE_X.format(output="media", name="X"), True),
    "above": ("all.toml", TABLE_X.format(output="a/media", name="x"), True),
    "through a link": ("a/b.toml", TABLE_X.format(output="link", name="x"), True),
    "cannot be read": ("a/b.toml", "[course\n", True),
    "another folder": ("a/b.toml", TABLE_X.format(output="other", name="x"), False),
    "not asked for any more": ("a/b.toml", TABLE_X.format(output="media", name="y"), False),
    "no course": ("a/b.toml", "[tool]\n", True),
}


@pytest.mark.parametrize("case", THEIRS)
def test_what_belongs_to_another_course(case, folder):
    path, text, refused = THEIRS[case]
    (folder / "a" / "link").symlink_to("media")
    (folder / path).write_text(text)
    course = read_course(folder / "a" / "course.toml")
    # Never built, it owns nothing.
    Neighbours(course).check(course.assets)
    (folder / path).with_suffix(".lock").write_text(LOCK)
    if not refused:
        Neighbours(course).check(course.assets)
        return
    with pytest.raises(
        InputError, match=r"x\.en\.csv: it is published from .*(b|all)\.toml, too; in course\.toml give"
    ):
        Neighbours(course).check(course.assets)
    # It is looked at again once it was changed.
    neighbours = Neighbours(course)
    (folder / path).with_suffix(".lock").unlink()
    neighbours.check(course.assets)


def test_of_two_first_builds_at_the_same_moment_the_second_finds_the_first_ones_claim(folder):
    (folder / "a" / "b.toml").write_text(TABLE_X.format(output="media", name="x"))
    course = read_course(folder / "a" / "course.toml")
    store = Store(folder / "a" / FOLDER, "b.toml")
    store.make()
    Neighbours(course).check(course.assets)
    put_json(store.claims / "x.en.numbers.json", {"output": "../media", "files": {"x.en.csv": ["1"]}})
    with pytest.raises(InputError, match=r"published from b\.toml"):
        Neighbours(course).check(course.assets)


def test_a_lock_with_conflict_marks_gives_nothing_away(folder):
    (folder / "a" / "b.toml").write_text(TABLE_X.format(output="media", name="x"))
    (folder / "a" / "b.lock").write_text("<<<<<<< ours\n")
    course = read_course(folder / "a" / "course.toml")
    with pytest.raises(InputError, match=r"published from b\.toml"):
        Neighbours(course).check(course.assets)
