"""Published files that a person has changed: a build says so, and keeps what was made of them."""

import json
from pathlib import Path

import pytest

from pipeline.course.edits import is_edited
from tests.course.conftest import DRAGON

OUTLINES = "out/dragon.en.svg was changed by hand; what you made of it is kept as out/dragon.en.edited.svg\n"
LEDGER, TRANSCRIPT = "dragon.en.numbers.json", "creature.en.draft.en.transcript.md"


def test_what_a_person_made_of_a_file_is_kept_beside_and_told(course):
    before = course.outputs()
    mine = {
        DRAGON: before[DRAGON].replace(b"</svg>", b"<!-- an arrow of mine --></svg>"),
        LEDGER: before[LEDGER].replace(b'"text"', b'"texts"', 1),
        TRANSCRIPT: b"in my words",
    }
    for name, data in mine.items():
        (course.folder / "out" / name).write_bytes(data)
    assert course.status()[DRAGON]["reasons"] == [f"{LEDGER}, {DRAGON}"]
    assert f"dragon.en.svg and 1 more: {LEDGER}, {DRAGON} (" in course.run("build", "--dry-run").stdout
    done = course.run("accept", DRAGON, "--because", "it is mine")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"it is files that were changed: {LEDGER}, {DRAGON}; build puts them back and keeps yours" in done.stderr
    done = course.run("build", "--quiet")
    assert (done.returncode, done.stderr.count("\n")) == (0, 3)
    assert OUTLINES in done.stderr
    kept = {f"{Path(name).stem}.edited{Path(name).suffix}": data for name, data in mine.items()}
    assert course.outputs() == before | kept
    # Moved back, it is the person's once more, and not known for ours; and so is something else, also without a lock.
    (course.folder / "course.lock").unlink()
    (course.folder / "out" / "dragon.en.edited.svg").replace(course.folder / "out" / DRAGON)
    (course.folder / "out" / TRANSCRIPT).write_bytes(b"in other words")
    done = course.run("build")
    assert OUTLINES in done.stderr
    assert course.outputs() == before | kept | {TRANSCRIPT.replace(".md", ".edited-2.md"): b"in other words"}


@pytest.fixture
def published(built_course, tmp_path):
    """The files of a figure and a video, and the digests that were put there."""
    for name, data in built_course.outputs().items():
        (tmp_path / name).write_bytes(data)
    notes = built_course.folder.glob(".course/published/course.toml/*.json")
    return tmp_path, {
        file: {sha} for note in notes for file, (_, _, sha) in json.loads(note.read_text())["files"].items()
    }


def edited(folder: Path, noted, *, vouched: bool = True) -> set[str]:
    from pipeline.course.store import file_digest

    return {each.name for each in folder.iterdir() if is_edited(each, file_digest(each), noted, lambda _: vouched)}


def test_what_is_as_it_was_put_there_is_no_edit(published):
    assert edited(*published) == set()


def test_what_came_with_its_ledger_from_elsewhere_is_none(published):
    folder, noted = published
    others = {name: {"0" * 64} for name in noted}
    # A colleague's, by a checkout that also brought the lock; a table has nothing that speaks for it.
    assert edited(folder, others) == {"dragon.en.csv"}
    assert edited(folder, {}) == set()
    assert edited(folder, others, vouched=False) >= {DRAGON, "creature.en.draft.mp4"}
    (folder / TRANSCRIPT).write_text("in my words")
    (folder / LEDGER).write_text((folder / LEDGER).read_text().replace('"text"', '"texts"', 1))
    assert edited(folder, {}) == {TRANSCRIPT, LEDGER}


def test_a_ledger_that_is_none_speaks_for_nothing(published):
    folder, noted = published
    (folder / LEDGER).write_text("{}")
    assert edited(folder, {LEDGER: noted[LEDGER]}) == {LEDGER}
    (folder / DRAGON).write_text("mine")
    assert edited(folder, noted) == {LEDGER, DRAGON}
