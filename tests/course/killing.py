"""kill -9 at random moments.

A round starts a build of an unbuilt course, kills the build or one of its render processes, and looks at what is
published: each file must be, byte for byte, the one that an undisturbed build publishes. Then a build must complete.
In a cluster it is the build, the scheduler or one of the workers that is killed.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.course.conftest import SmallCourse

if TYPE_CHECKING:
    from tests.course.cluster import Cluster

ENDS_AT_MOST = 900
JOBS, BEGINNING = 2, 3.0
WORK = ".rendering-"


class Wrong(AssertionError):
    """What is published is not right."""


def kill_rounds(reference: SmallCourse, folder: Path, *, rounds: int, seed: int) -> Iterator[str]:
    """What each round came to, in one line, as soon as it is over. Raises Wrong at the first that is not right."""
    chance = random.Random(seed)
    right = reference.outputs()
    longest = duration(reference)
    for number in range(rounds):
        course = _unbuilt(reference, folder / f"round-{number}")
        victim = chance.choice(["build", "worker"])
        wait = chance.uniform(0.0, longest)
        killed = _build_and_kill(course, victim, wait, chance)
        there = _check_published(course, right)
        _complete(course, right, number)
        yield f"round {number}: {killed} after {wait:.1f} s, {there} of {len(right)} files were there, all right"
        shutil.rmtree(course.folder)


def cluster_rounds(reference: SmallCourse, cluster: Cluster, folder: Path, *, rounds: int, seed: int) -> Iterator[str]:
    """As `kill_rounds`, with what draws in a cluster, which is mended after each round."""
    chance = random.Random(seed)
    right = reference.outputs()
    longest, there, ended = 0.0, 0, ""
    for number in range(-1, rounds):
        course = _unbuilt(reference, folder / f"round-{number}")
        # At first nobody is killed, to see how long it takes.
        if number >= 0:
            victim, wait = chance.choice(["build", "scheduler", "worker"]), chance.uniform(0.0, longest)
            code = _build_in_cluster(course, cluster, victim, wait, chance)
            there = _check_published(course, right)
            cluster.mend()
            ended = f"round {number}: {victim} killed after {wait:.1f} s, the build ended with {code}"
        begin = time.monotonic()
        _complete(course, right, number, "--cluster", cluster.address)
        seconds = time.monotonic() - begin
        longest = longest if there else seconds
        if ended:
            yield f"{ended}, {there} of {len(right)} files were there, all right; then {seconds:.1f} s"
        shutil.rmtree(course.folder)


def _build_in_cluster(course: SmallCourse, cluster: Cluster, victim: str, wait: float, chance: random.Random) -> int:
    """The build's exit code. Raises Wrong where a lost worker is one too many for it."""
    build = subprocess.Popen(
        course.command("build", "--quiet", "--keep-going", "--cluster", cluster.address),
        cwd=course.folder,
        env=course.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        time.sleep(wait)
        busy = cluster.busy()
        killed = {"build": build, "scheduler": cluster.scheduler, "worker": chance.choice(busy or cluster.workers)}
        killed[victim].kill()
        if victim != "build":
            killed[victim].wait()
        _, told = build.communicate(timeout=ENDS_AT_MOST)
    finally:
        build.kill()
        build.wait()
    if victim == "worker" and build.returncode:
        raise Wrong(f"a lost worker ended the build: {told}")
    return build.returncode


def _complete(course: SmallCourse, right: dict[str, bytes], number: int, *words: str) -> None:
    """Build to the end. Raises Wrong where that does not come to what an undisturbed build publishes."""
    done = _run(course, "build", "--quiet", *words)
    if done.returncode:
        raise Wrong(f"round {number}: the next build failed: {done.stderr}")
    if course.outputs() != right:
        raise Wrong(f"round {number}: the next build published something else")
    left = [name for name in course.files() if WORK in name]
    if left or _run(course, "status", "--check").returncode:
        raise Wrong(f"round {number}: not complete, or left behind: {left}")


def duration(course: SmallCourse) -> float:
    """About how long the build of a course took, in seconds."""
    runs = [json.loads(path.read_text())["seconds"] for path in course.folder.glob(".course/runs/*.json")]
    return BEGINNING + sum(runs) / JOBS


def _unbuilt(reference: SmallCourse, folder: Path) -> SmallCourse:
    leave_out = shutil.ignore_patterns(".course", "out", "course.lock")
    shutil.copytree(reference.folder, folder, ignore=leave_out)
    return SmallCourse(folder, folder / "model")


def _run(course: SmallCourse, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        course.command(*words),
        cwd=course.folder,
        env=course.environment(),
        capture_output=True,
        text=True,
        timeout=ENDS_AT_MOST,
    )


def _build_and_kill(course: SmallCourse, victim: str, wait: float, chance: random.Random) -> str:
    build = subprocess.Popen(
        course.command("build", "--quiet", "--keep-going", "-j", str(JOBS)),
        cwd=course.folder,
        env=course.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        build.wait(timeout=wait)
        return "nobody was killed"
    except subprocess.TimeoutExpired:
        workers = children(build.pid)
        if victim == "worker" and workers:
            os.kill(chance.choice(workers), signal.SIGKILL)
            build.wait(timeout=ENDS_AT_MOST)
            return "a worker was killed"
        build.kill()
        return "the build was killed"
    finally:
        build.kill()
        build.wait()


def children(pid: int) -> list[int]:
    """The processes that a process has started, by any of its threads."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, task.read_text().split())
        except OSError:
            continue
    return found


def _check_published(course: SmallCourse, right: dict[str, bytes]) -> int:
    published = course.folder / "out"
    files = [path for path in published.glob("*") if not path.name.startswith(WORK)]
    for path in files:
        if path.read_bytes() != right.get(path.name):
            raise Wrong(f"{path.name} is not what an undisturbed build publishes")
    for video in published.glob("*.mp4"):
        missing = [name for name in right if name.startswith(video.stem) and not (published / name).exists()]
        if missing:
            raise Wrong(f"{video.name} is there without {missing}")
    return len(files)
