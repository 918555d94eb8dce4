"""However a build ends, what is published is right, and the next one goes on; two at once do each job once."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.course.cluster import Cluster
from tests.course.conftest import CREATURE, DRAGON, start_course
from tests.course.killing import children, cluster_rounds, kill_rounds
from tests.pipeline.test_crashes import hear_interrupts, is_gone, wait_for

ROUNDS = int(os.environ.get("KILL_ROUNDS", "2"))
CLUSTER_ROUNDS = int(os.environ.get("KILL_ROUNDS", "1"))
SEED = int(os.environ.get("KILL_SEED", "20"))


def start(course, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        course.command("build", *words),
        cwd=course.folder,
        env=course.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    )


def test_kill_9_at_random_moments(built_course, tmp_path):
    """`KILL_ROUNDS=30 pytest tests/course/test_crashes.py -k random -s` tells what each round came to."""
    told = []
    for line in kill_rounds(built_course, tmp_path, rounds=ROUNDS, seed=SEED):
        told.append(line)
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    assert len(told) == ROUNDS


ONE_BEAT = """
[course]
output = "out"
quality = "draft"

[model]
name = "model"

[[asset]]
scene = "tiny"
prompt = "a blue creature"
beat = "share"
"""


def test_kill_9_in_a_cluster(small_model, tmp_path):
    """`KILL_ROUNDS=30 pytest tests/course/test_crashes.py -k cluster -s` tells what each round came to."""
    reference = start_course(tmp_path / "reference", small_model, text=ONE_BEAT)
    assert set(reference.how().values()) == {"drawn"}
    (tmp_path / "cluster").mkdir()
    cluster = Cluster(tmp_path / "cluster", workers=2)
    told = []
    try:
        for line in cluster_rounds(reference, cluster, tmp_path, rounds=CLUSTER_ROUNDS, seed=SEED):
            told.append(line)
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    finally:
        cluster.end()
    assert len(told) == CLUSTER_ROUNDS


def test_ctrl_c_stops_cleanly_and_a_second_build_goes_on(empty_course):
    course = empty_course
    build = start(course, "-j", "1")
    wait_for(lambda: list(course.folder.glob(".course/pictures/*/*/manifest.json")), "a first picture")
    workers = wait_for(lambda: children(build.pid), "a second job")
    build.send_signal(signal.SIGINT)
    _, told = build.communicate(timeout=60)
    assert build.returncode == 130
    assert told.splitlines()[-1] == "error: stopped"
    assert all(is_gone(worker) for worker in workers)
    kept = {path.parent for path in course.folder.glob(".course/pictures/*/*/manifest.json")}
    assert len(kept) < 3
    assert not [name for name in course.files() if ".rendering-" in name]
    how = course.how()
    assert set(course.status("--check")) == {CREATURE, DRAGON, "dragon.en.png", "dragon.en.csv"}
    assert {row["condition"] for row in course.status().values()} == {"current"}
    # What was finished was not done again.
    assert len({path.parent for path in course.folder.glob(".course/pictures/*/*/manifest.json")}) == 3
    assert all(path.exists() for path in kept)
    assert CREATURE not in how or how[CREATURE] == "kept"


def test_two_builds_at_once_do_each_job_once(empty_course):
    course = empty_course
    builds = [start(course, "--json", "--quiet", "-j", "1") for _ in range(2)]
    told = [build.communicate(timeout=180) for build in builds]
    assert [build.returncode for build in builds] == [0, 0], told
    rows = [row for out, _ in told for row in json.loads(out)]
    drawn = [row["assets"][0] for row in rows if row["how"] == "drawn"]
    assert sorted(drawn) == sorted({CREATURE, DRAGON, "dragon.en.csv"})
    assert {row["condition"] for row in course.status("--check").values()} == {"current"}


FAULT = ("    def share(self):\n", "    def share(self):\n        1 / 0\n")


def test_a_job_that_fails_keeps_its_log_and_last_picture(course):
    from PIL import Image

    course.edit("scenes/tiny.py", *FAULT)
    done = course.run("build", "--keep-going", "-j", "1")
    assert done.returncode == 1
    assert "error: creature.en.draft.mp4: TinyLecture: ZeroDivisionError: division by zero (tiny.py line" in done.stderr
    assert "(and 2 more failed); its log and last picture are in .course/failed/creature.en.draft.mp4" in done.stderr
    failed = course.folder / ".course" / "failed" / CREATURE
    assert "ZeroDivisionError" in (failed / "log.txt").read_text()
    with Image.open(failed / "last.png") as last:
        # The beat before the fault: its swatch is on the picture.
        assert last.getpixel((212, 212)) == pytest.approx((0x58, 0xC4, 0xDD), abs=2)
    assert course.status()[CREATURE]["condition"] == "stale"
    course.edit("scenes/tiny.py", *reversed(FAULT))
    assert course.how() == {}


def test_the_first_failure_stops_a_build_that_is_not_to_go_on(course):
    course.edit("scenes/tiny.py", *FAULT)
    done = course.run("build", "-j", "1")
    assert done.returncode == 1
    assert "more failed" not in done.stderr


def test_inputs_that_change_while_they_are_drawn_publish_nothing(course):
    course.edit("scenes/tiny.toml", "Learned.", "Known.")
    before = course.outputs()
    build = start(course, "--only", CREATURE)
    wait_for(lambda: list((course.folder / ".course").rglob("*.stream.mp4")), "the drawing to begin")
    course.edit("scenes/tiny.toml", "Known.", "Seen.")
    _, told = build.communicate(timeout=60)
    assert build.returncode == 1
    assert "changed while it was made; build again" in told
    assert course.outputs() == before


def test_a_lock_whose_holder_was_killed_is_free(course):
    code = (
        "import sys, time; from pathlib import Path; from pipeline.course.store import KeyLock, Store\n"
        "store = Store(Path('.course')); lock = KeyLock(store, 'key'); print(lock.take(), flush=True); time.sleep(60)"
    )
    from pipeline.course.store import KeyLock, Store

    holder = subprocess.Popen(
        [sys.executable, "-c", code], cwd=course.folder, env=course.environment(), stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    with holder:
        assert holder.stdout.readline() == "True\n"
        lock = KeyLock(Store(course.folder / ".course"), "key")
        assert not lock.take()
        holder.kill()
    time.sleep(0.1)
    with lock:
        assert lock.take()
    assert not (course.folder / ".course" / "locks" / "key").exists()
