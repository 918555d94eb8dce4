"""A course on several machines: shards whose stores are merged by copying, and a cluster that loses parts of itself."""

import json
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.course.cluster import Cluster
from tests.course.conftest import CREATURE, SmallCourse
from tests.pipeline.test_crashes import wait_for


def unbuilt(course: SmallCourse, folder: Path) -> SmallCourse:
    """A clone of a course on another machine: nothing was built there."""
    shutil.copytree(course.folder, folder, ignore=shutil.ignore_patterns(".course", "out", "course.lock"))
    return SmallCourse(folder, folder / "model")


def test_three_shards_merged_are_an_unsharded_build(built_course, tmp_path):
    shards = [unbuilt(built_course, tmp_path / f"machine-{number}") for number in (1, 2, 3)]
    built = [set(shard.how("--shard", f"{number}/3")) for number, shard in enumerate(shards, 1)]
    assert all(built)
    assert sum(map(len, built)) == len(set().union(*built)) == 4
    merged = unbuilt(built_course, tmp_path / "merged")
    for shard in shards:
        shutil.copytree(shard.folder / ".course", merged.folder / ".course", dirs_exist_ok=True)
    assert set(merged.how().values()) == {"kept"}
    assert merged.outputs() == built_course.outputs()
    assert (merged.folder / "course.lock").read_bytes() == (built_course.folder / "course.lock").read_bytes()


@pytest.mark.parametrize("shard", ["0/3", "4/3", "1", "a/b", "1/0", "-1/3", "1/3/5"])
def test_a_shard_that_is_none(shard, course):
    done = course.run("build", f"--shard={shard}")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"{shard!r} is no part; type 1/3 for the first of three." in done.stderr


@pytest.fixture
def cluster(tmp_path):
    folder = tmp_path / "cluster"
    folder.mkdir()
    running = Cluster(folder, workers=3)
    yield running
    running.end()


def start(course: SmallCourse, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        course.command("build", *words),
        cwd=course.folder,
        env=course.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_cluster_that_loses_a_worker_and_then_its_scheduler(built_course, cluster, tmp_path):
    course = unbuilt(built_course, tmp_path / "clone")
    build = start(course, "--cluster", cluster.address, "--json", "--quiet", "-j", "3")
    victim = wait_for(cluster.busy, "a worker to draw")[0]
    victim.send_signal(signal.SIGKILL)
    out, told = build.communicate(timeout=240)
    assert build.returncode == 0, told
    assert {row["how"] for row in json.loads(out)} == {"drawn"}
    # Encoded and drawn by other processes, from a trace that travelled.
    assert course.outputs() == built_course.outputs()

    course.edit("scenes/tiny.toml", "Learned.", "Known.")
    before = course.outputs()
    build = start(course, "--cluster", cluster.address, "-j", "2")
    wait_for(cluster.busy, "a worker to draw")
    cluster.scheduler.kill()
    _, told = build.communicate(timeout=240)
    assert build.returncode == 1
    assert "what was finished is kept, build again" in told.splitlines()[-1]
    assert told.splitlines()[-1].startswith("error: ")
    after = course.outputs()
    assert all(after[name] == data for name, data in before.items() if name.endswith((".mp4", ".svg", ".csv")))
    assert set(course.how().values()) <= {"drawn", "kept"}
    assert {row["condition"] for row in course.status("--check").values()} == {"current"}


def test_a_machine_with_another_checkout_refuses(built_course):
    from pipeline.catalogue import SceneEntry
    from pipeline.course.asset import Picture
    from pipeline.course.remote import Parcel, draw_here
    from pipeline.render.spec import RenderSpec

    entry = SceneEntry(
        "tiny", "TinyLecture", "tiny", built_course.folder / "scenes", ("weight",), {}, "", "x", "weight"
    )
    picture = Picture(entry, RenderSpec(scene="tiny"), "video")
    answer = draw_here(Parcel({"job.json": b"{}"}, picture, {"scene": "other"}, {"NotoSans-Regular.ttf": "other"}))
    assert answer.result.failure == (
        "another machine: its checkout or programs are not the same (scene, NotoSans-Regular.ttf)"
    )


SHARES = [
    # One worker alone with eight cores; four of one thread, or one of four; a machine that joined later; no worker.
    ({"tcp://10.0.0.1:1": 1, "tcp://10.0.0.2:1": 4}, "tcp://10.0.0.1:1", 8),
    ({f"tcp://10.0.0.1:{port}": 1 for port in range(4)}, "tcp://10.0.0.1:3", 2),
    ({"tls://[::1]:7": 4}, "tls://[::1]:7", 2),
    ({"tcp://10.0.0.1:1": 16}, "tcp://10.0.0.1:1", 1),
    ({"tcp://10.0.0.1:1": 1}, "tcp://10.0.0.3:1", 1),
    ({"tcp://10.0.0.1:1": 1}, None, 1),
]


@pytest.mark.parametrize(("threads", "address", "processes"), SHARES)
def test_a_job_draws_with_its_share_of_the_machines_cores(threads, address, processes, tmp_path, monkeypatch):
    from pipeline.catalogue import SceneEntry
    from pipeline.course import remote
    from pipeline.course.asset import Picture
    from pipeline.render.job import Result
    from pipeline.render.runtime import ROOT
    from pipeline.render.spec import RenderSpec

    drawn = []

    class Process:
        log = ""

        def draw(self, folder, _):
            drawn.append(json.loads((folder / "job.json").read_text()))
            return Result(frames=1)

        def end(self):
            pass

    monkeypatch.setattr(remote, "RenderProcess", Process)
    monkeypatch.setattr(remote, "_address", lambda: address)
    monkeypatch.setattr(remote, "cores", lambda: 8)
    entry = SceneEntry("qkv", "QKVAttention", "scenes.qkv", ROOT, ("query",), {}, "", "glass", "query")
    (tmp_path / "job.json").write_text('{"search": "there", "processes": 1}')
    (tmp_path / "trace.safetensors").write_bytes(b"")
    parcel = remote.pack(tmp_path, Picture(entry, RenderSpec(scene="qkv"), "video"), {}, {}, threads=threads)
    assert remote.draw_here(parcel).result.frames == 1
    assert drawn == [{"search": str(ROOT), "processes": processes}]


def test_what_comes_back_damaged_is_not_written(tmp_path):
    from pipeline.course.remote import Answer, unpack
    from pipeline.render.job import Result

    digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"  # of b"hello"
    folder = tmp_path / "job"
    folder.mkdir()
    assert unpack(Answer(Result(), "", {"record.json": b"hello"}, {"record.json": digest}), folder) == ""
    assert "damaged" in unpack(Answer(Result(), "", {"uses.json": b"hullo"}, {"uses.json": digest}), folder)
    assert "no file of a job" in unpack(Answer(Result(), "", {"../x": b"hello"}, {"../x": digest}), folder)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["record.json"]


@pytest.mark.parametrize(
    ("address", "told"),
    [("here", "it is no address; type one such as tcp://"), ("tcp://127.0.0.1:9", "no scheduler answers there")],
)
def test_a_cluster_that_is_not_there(address, told, course):
    assert CREATURE in course.status()
    course.edit("scenes/tiny.toml", "Learned.", "Known.")
    done = course.run("build", "--cluster", address)
    assert done.returncode == 2
    assert told in done.stderr.splitlines()[-1]
