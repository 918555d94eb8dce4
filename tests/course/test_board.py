"""What a build shows of itself, and what it knows of the time that is left."""

import io
import json

import pytest
from rich.console import Console

from pipeline.catalogue import find_scenes
from pipeline.course.board import Lines, LiveTable, QuietBoard, board
from pipeline.course.estimates import Estimates, Run, clock, jobs_at_once, note_run, read_estimates
from pipeline.course.lengths import beat_seconds, drawing_seconds
from pipeline.course.open import open_course
from pipeline.course.plan import plan, shard
from pipeline.course.store import Store
from pipeline.render.spec import RenderSpec

COURSE = """
[course]
quality = "draft"
lang = ["en", "zh"]

[[asset]]
name = "n"
scene = "qkv"
beat = ["query", "softmax"]
format = ["mp4", "svg", "pdf", "csv"]
"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    path = tmp_path_factory.mktemp("board") / "course.toml"
    path.write_text(COURSE)
    return open_course(str(path))


@pytest.fixture(scope="module")
def tasks(opened):
    return plan(opened.states)


def run(
    seconds: float,
    *,
    beat: str = "query",
    kind: str = "video",
    scene: str = "qkv",
    by_length: float = 0.0,
    films: tuple[str, ...] = ("mp4",),
) -> Run:
    return Run(scene, kind, "draft", beat, seconds, by_length, films)


def task_run(task) -> Run:
    picture = task.picture
    return Run(picture.entry.name, picture.kind, picture.spec.quality, picture.spec.beat, 30.0, films=task.films)


def test_a_task_is_a_picture(tasks):
    labels = [task.label for task in tasks]
    assert labels[:3] == ["n-query.en.draft.mp4", "n-query.en.svg and 1 more", "n-query.en.csv"]
    assert len(tasks) == 12


def test_the_table_tells_asset_stage_progress_and_time_left(tasks):
    runs = [task_run(task) for task in tasks]
    table = LiveTable(tasks, Estimates(runs), parallel=2)
    table.stage(tasks[0], "draw", "softmax", 40)
    table.stage(tasks[1], "publish", "", 0)
    text = shown(table)
    lines = text.splitlines()
    assert lines[0].split() == ["asset", "stage", "progress", "time", "left"]
    assert lines[1].split()[:2] == ["n-query.en.draft.mp4", "drawing"]
    assert "beat 7/11 softmax" in lines[1]
    assert lines[1].split()[-2:] == ["30", "s"]
    assert "publishing" in lines[2]
    assert "0 of 12 done, about 180 s left" in text
    table.ended(tasks[0], "drawn")
    text = shown(table)
    assert "n-query.en.draft.mp4" not in text
    assert "1 of 12 done, about 180 s left" in text


def shown(table: LiveTable) -> str:
    console = Console(file=io.StringIO(), width=120)
    console.print(table._table())
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_lines_where_there_is_no_terminal(tasks, capsys):
    told = board(tasks, Estimates([]), parallel=2, quiet=False)
    assert isinstance(told, Lines)
    with told:
        for frames in (1, 2):
            told.stage(tasks[0], "draw", "query", frames)
        told.ended(tasks[0], "drawn")
    assert capsys.readouterr().err.splitlines() == [
        "n-query.en.draft.mp4: drawing",
        "[1/12] n-query.en.draft.mp4: drawn",
    ]
    assert isinstance(board(tasks, Estimates([]), parallel=2, quiet=True), QuietBoard)


def test_estimates_take_past_runs_of_the_same_else_the_length_by_the_pace_of_others(tasks):
    asked = tasks[0]
    by_length = Estimates([]).seconds(asked)
    assert 3.0 < by_length < 15.0
    # Another kind of work tells nothing; another scene tells how fast this machine is.
    others = [run(90.0, kind="numbers", by_length=9.0), run(20.0, scene="embedding", by_length=10.0)]
    assert Estimates(others).seconds(asked) == pytest.approx(2.0 * by_length)
    assert Estimates([*others, run(5.0), run(6.0), run(100.0)]).seconds(asked) == 6.0
    # Two at a time, each as soon as there is room.
    same = [run(10.0), run(10.0, beat="softmax")]
    assert Estimates(same).total([tasks[0], tasks[3], tasks[6]], parallel=2) == 20.0


FORMS = """
[[asset]]
name = "{name}"
scene = "qkv"
beat = "softmax"
quality = "draft"
transparent = {clear}
format = {forms}
"""


@pytest.fixture
def task_of(tmp_path):
    """The one task of a beat in these forms."""

    def made(*forms: str, clear: bool = False):
        path = tmp_path / "course.toml"
        path.write_text(FORMS.format(name="n", clear=str(clear).lower(), forms=json.dumps(forms)))
        [task] = plan(open_course(str(path)).states)
        return task

    return made


MORE = {
    "draft": {"webm": 4.7, "mov": 1.8, "gif": 2.4, "webp": 3.3},
    "medium": {"webm": 13.9, "mov": 6.2, "gif": 8.9, "webp": 11.5},
    "high": {"webm": 49.6},
    "draft transparent": {"webm": 3.1, "mov": 2.8, "webp": 7.0},
    "medium transparent": {"webm": 14.1, "mov": 13.5, "webp": 18.7},
}
"""As bench.forms measured it: processor seconds of qkv softmax, a film of 29.3 s, beyond those of mp4."""


@pytest.mark.parametrize("asked", MORE)
def test_a_form_that_takes_long_takes_long_where_nothing_is_known(asked):
    quality, *clear = asked.split()
    [entry] = find_scenes(["qkv"])
    spec = RenderSpec(scene="qkv", beat="softmax", quality=quality, transparent=bool(clear))
    usual = drawing_seconds(entry, spec, film=True)
    thought = beat_seconds(entry)["softmax"]
    for form, more in MORE[asked].items():
        told = drawing_seconds(entry, spec, film=True, forms=[form]) - usual
        assert told * 29.3 / thought == pytest.approx(more, rel=0.15)
    every = drawing_seconds(entry, spec, film=True, forms=["mp4", *MORE[asked]] if not clear else [*MORE[asked]])
    assert (every - usual) * 29.3 / thought == pytest.approx(sum(MORE[asked].values()), rel=0.1)
    assert drawing_seconds(entry, spec, film=True, forms=["another"]) > usual + 1.0


def test_a_task_takes_as_long_as_its_forms(task_of):
    known = Estimates([])
    assert known.seconds(task_of("mp4")) + 2.0 < known.seconds(task_of("webm"))
    assert known.seconds(task_of("webm")) + 1.0 < known.seconds(task_of("mp4", "webm", "gif"))


def test_past_runs_count_by_form(task_of):
    runs = [run(6.0, beat="softmax"), run(60.0, beat="softmax", films=("webm",))]
    runs.append(run(40.0, beat="softmax", films=("webm", "transparent")))
    known = Estimates(runs)
    assert known.seconds(task_of("mp4")) == 6.0
    assert known.seconds(task_of("webm")) == 60.0
    assert known.seconds(task_of("webm", clear=True)) == 40.0
    both = Estimates([run(10.0, beat="softmax", films=("mp4", "webm"))])
    assert both.seconds(task_of("webm", "mp4")) == 10.0


def test_a_run_is_remembered_with_its_forms(task_of, tmp_path):
    task = task_of("mp4", "webm")
    store = Store(tmp_path / ".course")
    store.make()
    note_run(store, task, 12.5)
    (store.folder / "runs" / "0-without.json").write_text('{"scene": "qkv", "kind": "video"}')
    (store.folder / "runs" / "1-old.json").write_text(
        '{"scene": "qkv", "kind": "video", "quality": "draft", "beat": "softmax", "seconds": 1.0}'
    )
    known = read_estimates(store)
    assert known.seconds(task) == 12.5
    assert {each.films for each in known.runs} == {("mp4", "webm"), ()}


LENGTHS = {"embedding": 86.3, "multihead": 114.9, "positional": 104.3, "qkv": 127.0}
"""Seconds of film, as docs/performance.md has them; how long its texts let a scene be thought to be."""
SECONDS = {
    ("embedding", "draft"): 8.3,
    ("multihead", "draft"): 10.9,
    ("positional", "draft"): 11.8,
    ("qkv", "draft"): 12.1,
    ("embedding", "high"): 20.0,
    ("multihead", "high"): 30.9,
    ("positional", "high"): 28.6,
    ("qkv", "high"): 30.5,
}


@pytest.mark.parametrize(("scene", "quality"), SECONDS)
def test_the_length_of_a_scene_tells_about_how_long_it_takes(scene, quality):
    [entry] = find_scenes([scene])
    assert sum(beat_seconds(entry).values()) == pytest.approx(LENGTHS[scene], rel=0.2)
    told = drawing_seconds(entry, RenderSpec(scene=scene, quality=quality), film=True)
    assert told == pytest.approx(SECONDS[scene, quality], rel=0.3)
    assert drawing_seconds(entry, RenderSpec(scene=scene, quality=quality), film=False) < told


def test_clock():
    assert [clock(seconds) for seconds in (0.2, 89, 120, 7200)] == [
        "about 1 s",
        "about 89 s",
        "about 2 min",
        "about 2.0 h",
    ]


def test_jobs_fit_into_memory(tasks, monkeypatch):
    from pipeline.course import estimates

    monkeypatch.setattr(estimates.os, "sched_getaffinity", lambda _: set(range(64)))
    monkeypatch.setattr(estimates, "free_memory", lambda: 0)
    assert jobs_at_once(tasks) == 12
    monkeypatch.setattr(estimates, "free_memory", lambda: 4_000_000_000)
    assert 2 <= jobs_at_once(tasks) <= 5
    monkeypatch.setattr(estimates, "free_memory", lambda: 1)
    assert jobs_at_once(tasks) == 1


def test_shards_are_a_partition_whatever_was_built(opened):
    parts = [shard(opened.states, number=number, count=5) for number in range(1, 6)]
    names = [state.asset.name for part in parts for state in part]
    assert sorted(names) == sorted(state.asset.name for state in opened.states)
    # Forms of one picture stay together.
    assert sum(len(plan(part)) for part in parts) == 12
