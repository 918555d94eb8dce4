"""What a change makes stale, and what a build does about it: no more than it must."""

import json
import math

import av
import numpy as np
import pytest

from tests.course.conftest import CREATURE, DRAGON, TABLE

ALL = {CREATURE, DRAGON, "dragon.en.png", TABLE}


def test_a_built_course_is_current_and_a_second_build_does_nothing(course):
    states = course.status("--check")
    before = course.files()
    assert {row["condition"] for row in states.values()} == {"current"}
    assert set(states) == ALL
    assert course.how() == {}
    assert course.files() == before


def test_formats_of_one_picture_share_a_drawing(built_course):
    pictures = [path.parent for path in built_course.folder.glob(".course/pictures/*/*/manifest.json")]
    assert len(pictures) == 3  # the video, the figure of svg and png, the table
    assert len([path for path in pictures if (path / "drawings").is_dir()]) == 1


def test_what_is_published_verifies(course):
    done = course.run("verify", "out/creature.en.draft.mp4", "out/dragon.en.svg")
    assert (done.returncode, done.stdout.count("identical")) == (0, 2), done.stdout


def one_ulp(weight: np.ndarray) -> None:
    weight[0, 0, 0] = math.nextafter(weight[0, 0, 0], math.inf)


def test_one_ulp_draws_nothing_and_renews_the_ledger(course):
    before = course.outputs()
    course.weigh("blocks.0.attn.W_Q", one_ulp)
    states = course.status()
    assert {row["condition"] for row in states.values()} == {"unsure"}
    assert states[CREATURE]["reasons"] == ["weights changed: blocks.0.attn.W_Q"]
    told = course.run("status", "--why").stdout
    assert "not yet recomputed" in told
    assert "every shown number keeps its digits" in told
    assert set(course.how().values()) == {"reissued"}
    assert {row["condition"] for row in course.status().values()} == {"current"}
    after = course.outputs()
    ledger = json.loads(after["creature.en.draft.numbers.json"])
    assert ledger["digest"] != json.loads(before["creature.en.draft.numbers.json"])["digest"]
    for language in ("en", "zh"):
        assert ledger["digest"] in after[f"creature.en.draft.{language}.transcript.md"].decode()
    assert frames(course, CREATURE) == frames_of(before[CREATURE], course)
    done = course.run("verify", "out/creature.en.draft.mp4", "out/dragon.en.svg", "out/dragon.en.png")
    assert (done.returncode, done.stdout.count("identical")) == (0, 3), done.stdout


def frames(course, name: str) -> list[bytes]:
    with av.open(str(course.folder / "out" / name)) as container:
        return [frame.to_ndarray().tobytes() for frame in container.decode(video=0)]


def frames_of(data: bytes, course) -> list[bytes]:
    (course.folder / "out" / "kept.mp4").write_bytes(data)
    return frames(course, "kept.mp4")


def test_a_tensor_that_a_scene_never_reads_runs_nothing(course):
    def more(weight: np.ndarray) -> None:
        weight += 1.0

    course.weigh("blocks.1.attn.W_O", more)
    done = course.run("build")
    assert done.returncode == 0
    # Not even compared by running the scenes again.
    assert not [line for line in done.stderr.splitlines() if "comparing" in line or "drawing" in line]
    assert done.stderr.count("not drawn again") == 3
    assert {row["condition"] for row in course.status().values()} == {"current"}


def test_exactly_the_assets_that_show_a_changed_number_are_drawn_each_with_its_reason(course):
    words = json.loads((course.folder / "model" / "vocabulary.json").read_text())
    words = words["vocabulary"] if isinstance(words, dict) else words

    def other_dragon(weight: np.ndarray) -> None:
        weight[words.index("red")] += 1.0

    course.weigh("embed.W_E", other_dragon)
    rows = {row["assets"][0]: row for row in course.build("--report", "pages/what changed.html")}
    assert rows[CREATURE]["how"] == "reissued"
    assert rows[DRAGON]["how"] == rows[TABLE]["how"] == "drawn"
    assert rows[DRAGON]["reasons"] == ["weights changed: embed.W_E"]
    [change] = rows[DRAGON]["changes"]
    assert change.startswith("L1.H1.pattern[query=dragon, key=the] 0.")
    assert " → 0." in change
    check_report((course.folder / "pages" / "what changed.html").read_text(), change)


def check_report(page: str, change: str) -> None:
    """The page shows the one drawn picture twice, the change in its table, and asks nothing of the network."""
    import html5lib

    document = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    images = document.findall(".//img")
    assert [image.get("alt").split(":")[0].split()[-1] for image in images] == ["before", "after"]
    assert images[0].get("src") != images[1].get("src")
    assert all(image.get("src").startswith("data:image/png;base64,") for image in images)
    headings = [heading.text for heading in document.findall(".//h2")]
    # What changed most stands first; what did not change at all last.
    assert headings[-1] == CREATURE
    assert set(headings[:2]) == {f"{DRAGON}, dragon.en.png", TABLE}
    address, _, _ = change.partition("] ")
    cells = ["".join(cell.itertext()) for cell in document.findall(".//table")[0].iter() if cell.tag in ("th", "td")]
    assert f"{address}]" in cells
    assert "http" not in page


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("scenes/tiny.py", "    def end(self):\n", "    def end(self):\n        # The end.\n"),
        ("scenes/tiny.py", '"""One weight and one share."""', '"""A weight, and a share."""'),
        ("scenes/tiny.toml", "[title]\n", "# The title.\n[title]\n"),
    ],
    ids=["comment", "docstring", "comment in the texts"],
)
def test_words_for_the_reader_make_nothing_stale(file, before, after, course):
    course.edit(file, before, after)
    assert {row["condition"] for row in course.status().values()} == {"current"}


CHANGES = {
    "code": ("scenes/tiny.py", "run_time=0.2", "run_time=0.6", ALL, "code changed: tiny"),
    "texts": ("scenes/tiny.toml", "Learned.", "Known.", ALL, "texts changed"),
    "spec": (
        "course.toml",
        'prompt = "the red',
        'layout = "rows"\nprompt = "the red',
        ALL - {CREATURE},
        "look changed",
    ),
    "prompt": ("course.toml", "a blue creature", "the red dragon", {CREATURE}, "question changed"),
    "card": ("model/card.json", '"small"', '"little"', ALL, "card changed"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_change_makes_stale(change, course):
    file, before, after, stale, reason = CHANGES[change]
    course.edit(file, before, after)
    states = course.status()
    assert {name for name, row in states.items() if row["stale"]} == stale
    assert all(row["reasons"][0].startswith(reason) for name, row in states.items() if name in stale)
    assert course.run("status", "--check").returncode == 3


def test_going_back_draws_nothing(course):
    course.edit("scenes/tiny.py", "run_time=0.2", "run_time=0.6")
    assert course.how("--only", "creature") == {CREATURE: "drawn"}
    course.edit("scenes/tiny.py", "run_time=0.6", "run_time=0.2")
    assert course.how("--only", "creature") == {CREATURE: "kept"}


def test_a_file_that_was_removed_or_changed_is_put_back(course):
    before = course.outputs()
    (course.folder / "out" / CREATURE).unlink()
    states = course.status("--check")
    assert {name for name, row in states.items() if row["condition"] == "absent"} == {CREATURE}
    assert course.run("status", "--check").returncode == 0
    (course.folder / "out" / "dragon.en.svg").write_text("by another hand")
    states = course.status()
    assert {name: states[name]["condition"] for name in (CREATURE, DRAGON)} == {CREATURE: "absent", DRAGON: "altered"}
    assert course.run("status", "--check").returncode == 3
    assert course.how() == {CREATURE: "kept", DRAGON: "kept"}
    assert course.outputs() == before | {"dragon.en.edited.svg": b"by another hand"}


def test_a_clone_without_media_is_current_and_can_be_built(course):
    import shutil

    shutil.rmtree(course.folder / ".course")
    shutil.rmtree(course.folder / "out")
    assert {row["condition"] for row in course.status("--check").values()} == {"absent"}
    lock = (course.folder / "course.lock").read_bytes()
    assert course.how("--only", TABLE) == {TABLE: "drawn"}
    assert (course.folder / "course.lock").read_bytes() == lock


def test_accept(course):
    course.edit("scenes/tiny.py", "run_time=0.2", "run_time=0.6")
    assert course.run("accept", "creature", "--because", "the end may be slower").returncode == 0
    states = course.status()
    assert states[CREATURE]["condition"] == "accepted"
    assert states[CREATURE]["reasons"] == ["the end may be slower"]
    assert states[DRAGON]["condition"] == "stale"
    assert 'accepted.because = "the end may be slower"' in (course.folder / "course.lock").read_text()
    course.edit("scenes/tiny.py", "run_time=0.6", "run_time=0.8")
    assert course.status()[CREATURE]["condition"] == "stale"


def test_a_report_takes_the_place_of_no_course_file(course):
    path = course.folder / "course.toml"
    before = path.read_bytes()
    done = course.run("build", "--report", "course.toml")
    assert done.returncode == 2
    assert "name it course.html" in done.stderr
    assert path.read_bytes() == before


def test_gc_takes_what_nothing_needs(course):
    course.edit("scenes/tiny.toml", "It is {share}.", "So it is {share}.")
    course.build("--only", TABLE)
    before = course.outputs()
    pictures = set(course.folder.glob(".course/pictures/*/*"))
    course.edit("scenes/tiny.toml", "So it is {share}.", "It is {share}.")
    course.build()
    stray = course.folder / ".course/pictures/.DS_Store"
    stray.write_text("of a file manager")
    done = course.run("gc", "--json")
    assert json.loads(done.stdout)["files"] > 0
    assert stray.exists()
    left = set(course.folder.glob(".course/pictures/*/*"))
    assert len(left) == 3
    assert left < pictures
    assert course.how() == {}
    assert set(course.outputs()) == set(before)


def test_an_asset_that_is_no_more_asked_for_leaves_the_lock(course):
    text = (course.folder / "course.toml").read_text()
    (course.folder / "course.toml").write_text(text[: text.index('[[asset]]\nscene = "tiny"\nname = "dragon"')])
    assert course.how() == {}
    assert "dragon" not in (course.folder / "course.lock").read_text()


def test_dry_run_knows_how_long_it_takes(course):
    course.edit("scenes/tiny.py", "run_time=0.2", "run_time=0.6")
    course.status()
    before = course.files()
    done = course.run("build", "--dry-run")
    assert [line.split(":")[0] for line in done.stdout.splitlines()[:3]] == [
        CREATURE,
        "dragon.en.svg and 1 more",
        TABLE,
    ]
    assert done.stdout.splitlines()[-1].startswith("3 pictures, ")
    assert "about " in done.stdout.splitlines()[-1]
    assert course.files() == before


def test_dry_run_of_what_lies_in_the_store_takes_no_time_for_drawing(course):
    (course.folder / "course.lock").unlink()
    told = json.loads(course.run("build", "--dry-run", "--json", "-j", "1").stdout)
    assert [task["seconds"] for task in told["tasks"]] == [1.0, 1.0, 1.0]
    assert told["seconds"] == 3.0
    course.edit("scenes/tiny.py", "run_time=0.2", "run_time=0.6")
    told = json.loads(course.run("build", "--dry-run", "--json", "-j", "1").stdout)
    runs = [json.loads(path.read_text()) for path in sorted(course.folder.glob(".course/runs/*.json"))]
    assert sorted(task["seconds"] for task in told["tasks"]) == sorted(run["seconds"] for run in runs)


def test_dry_run_where_nothing_was_ever_drawn(empty_course):
    told = json.loads(empty_course.run("build", "--dry-run", "--json").stdout)
    assert all(3.0 < task["seconds"] < 6.0 for task in told["tasks"])


def test_one_ulp_draws_no_single_beat_either(course):
    """A video of one beat begins with it; a run without drawing counts the beats before it too."""
    text = (course.folder / "course.toml").read_text()
    first = text[: text.index('[[asset]]\nscene = "tiny"\nname = "dragon"')]
    (course.folder / "course.toml").write_text(first.replace('name = "creature"', 'name = "one"\nbeat = "share"'))
    assert course.how() == {"one.en.draft.mp4": "drawn"}
    ledgers = [json.loads(course.outputs()["one.en.draft.numbers.json"])]
    course.weigh("blocks.0.attn.W_Q", one_ulp)
    assert course.how() == {"one.en.draft.mp4": "reissued"}
    ledgers.append(json.loads(course.outputs()["one.en.draft.numbers.json"]))
    assert ledgers[0]["duration"] == pytest.approx(ledgers[1]["duration"])
    times = [[time for row in ledger["numbers"] for time in (row["time_in"], row["time_out"])] for ledger in ledgers]
    # Ledgers round to a millionth of a second.
    assert times[0] == pytest.approx(times[1], abs=2e-6)


def test_another_question_to_the_same_trace_is_another_picture(course):
    course.edit("course.toml", 'query = "dragon"', 'query = "red"')
    assert course.how() == {DRAGON: "drawn", "dragon.en.png": "drawn", TABLE: "drawn"}
    ledger = json.loads(course.outputs()["dragon.en.numbers.json"])
    assert "L1.H1.pattern[query=red, key=the]" in {row["address"] for row in ledger["numbers"]}


def test_the_same_inputs_with_other_last_bits_get_marks_of_their_own(course):
    """A store that was merged from a machine whose processor sums otherwise."""
    changed = 0
    for path in course.folder.glob(".course/pictures/*/*/manifest.json"):
        if (path.parent / "video.mp4").exists():
            manifest = json.loads(path.read_text())
            path.write_text(json.dumps(manifest | {"digest": "0" * 64}))
            changed += 1
    assert changed == 1
    (course.folder / "out" / CREATURE).unlink()
    assert course.how() == {CREATURE: "reissued"}
    assert "identical" in course.run("verify", f"out/{CREATURE}").stdout


@pytest.mark.parametrize(
    ("font", "stale"),
    [("NotoSans-Regular.ttf", ALL), ("NotoSansMath-Regular.ttf", set()), ("NotoSansSC-Regular.ttf", set())],
)
def test_another_font_file_makes_stale_what_used_it(font, stale, course, tmp_path, monkeypatch):
    import shutil

    from pipeline import catalogue
    from pipeline.course import inputs
    from pipeline.course.open import open_course

    fonts = tmp_path / "fonts"
    shutil.copytree(inputs.FONTS, fonts)
    with (fonts / font).open("ab") as file:
        file.write(b"another")
    monkeypatch.setattr(inputs, "FONTS", fonts)
    monkeypatch.setattr(catalogue, "SCENES_FOLDER", course.folder / "scenes")
    monkeypatch.setattr(catalogue, "PACKAGE", "")
    states = open_course(str(course.folder / "course.toml")).states
    assert {state.asset.name for state in states if state.stale} == stale
    assert {reason for state in states for reason in state.reasons} == ({f"font changed: {font}"} if stale else set())


def test_gc_leaves_what_is_being_written_or_needed_by_a_chapter_and_tells_what_it_could_not_remove(course, monkeypatch):
    import os
    import shutil

    from pipeline import catalogue
    from pipeline.course.garbage import collect
    from pipeline.course.open import open_course
    from transformer_core.errors import CheckFailed

    monkeypatch.setattr(catalogue, "SCENES_FOLDER", course.folder / "scenes")
    monkeypatch.setattr(catalogue, "PACKAGE", "")
    opened = open_course(str(course.folder / "course.toml"))
    young, old = (course.folder / ".course" / "runs" / f".{name}.draft" for name in ("young", "old"))
    for path in (young, old):
        path.write_text("half")
    os.utime(old, (0, 0))
    assert collect(opened) == (1, 4)
    assert (young.exists(), old.exists()) == (True, False)
    # A picture that a chapter published is kept as long as there is that chapter.
    [first, *_] = course.folder.glob(".course/pictures/*")
    [manifest] = first.rename(first.with_name("0000")).glob("*/manifest.json")
    note = course.folder / ".course" / "published" / "pages" / "one.md" / "x.en.svg.json"
    note.parent.mkdir(parents=True)
    note.write_text(json.dumps({"picture": "0000", "numbers": json.loads(manifest.read_text())["numbers_key"]}))
    chapter = course.folder / "pages" / "one.md"
    chapter.parent.mkdir()
    chapter.write_text("")
    assert collect(opened) == (0, 0)
    chapter.unlink()
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)
    with pytest.raises(CheckFailed, match=r"\d+ of \d+ files could not be removed, such as .*; mend its permissions"):
        collect(opened)
