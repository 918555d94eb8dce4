"""`verify NAME`: the ledgers of what a course calls by that name."""

import pytest

from tests.course.conftest import CREATURE, DRAGON, TABLE

WORDS = {
    "creature.en.draft": "creature.en.draft: identical: all ",
    "dragon.en": "dragon.en: identical: all ",
}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("creature", ["creature.en.draft"]),
        (CREATURE, ["creature.en.draft"]),
        ("creature.en.draft", ["creature.en.draft"]),
        ("dragon", ["dragon.en"]),
        (DRAGON, ["dragon.en"]),
        ("tiny", ["creature.en.draft", "dragon.en"]),
        ("--all", ["creature.en.draft", "dragon.en"]),
        ("out/dragon.en.svg", ["dragon.en"]),
    ],
)
def test_a_name_of_the_course_is_what_it_published(name, found, built_course):
    done = built_course.run("verify", name)
    assert done.returncode == 0, done.stderr
    assert [line[: len(WORDS[name])] for line, name in zip(done.stdout.splitlines(), found, strict=True)] == [
        WORDS[name] for name in found
    ]


def test_another_number_is_found_by_its_name_from_another_folder_too(course):
    course.weigh("blocks.0.attn.W_Q", lambda weight: weight.__iadd__(1.0))
    assert course.run("verify", "creature").returncode == 3
    (course.folder / "elsewhere").mkdir()
    done = course.run_in("elsewhere", "verify", "--course", "../course.toml", "dragon")
    assert done.returncode == 3
    assert done.stdout.startswith("dragon.en: does not match: L1.H1.")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("creatur", "asset 'creatur': course.toml has none of this name; did you mean 'creature'?"),
        (TABLE, f"asset '{TABLE}': it is a table, which is written from a ledger and has none; name a video"),
        ("out/none.mp4", "out/none.numbers.json: cannot be read (No such file or directory)"),
    ],
)
def test_what_is_no_name_is_refused_in_one_line(name, told, built_course):
    done = built_course.run("verify", name)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert told in done.stderr


def test_what_is_not_built_is_refused_with_what_to_type(empty_course):
    done = empty_course.run("verify", "dragon")
    assert done.returncode == 2
    assert "asset 'dragon': it is not built here yet; run: python cli.py build --only dragon" in done.stderr
