"""How long it takes to look at a course, and how a build gains from more jobs.

python -m bench.plan [--json] [--write] [--jobs]

The planner's rows are whole commands, from a new process, on courses of more and more assets that are all built.
`--jobs` also builds a course of beats, one by one and side by side, on this machine and on a cluster of as many
workers. Nothing else may run on the machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from rich.console import Console

from bench.machine import machine, words
from bench.measure import CLI, ROOT, measure
from bench.page import table, write_section

COUNTS = (10, 40, 100, 1_000)
TIMES = 5
FILES = (
    ".png",
    ".en.vtt",
    ".zh.vtt",
    ".chapters.vtt",
    ".en.transcript.md",
    ".zh.transcript.md",
    ".numbers.json",
    ".mp4",
)
BLOCK = '[[asset]]\nname = "a{number}"\nscene = "{scene}"\n'
SCENES = ("qkv", "embedding", "positional", "multihead")
BEATS = """
[course]
quality = "draft"
lang = ["en", "zh"]
theme = ["dark", "light"]

[[asset]]
scene = "qkv"
beat = ["query", "softmax"]
"""


@dataclass(frozen=True)
class Looked:
    """A course of so many assets: the least of several times that two commands took, in seconds."""

    assets: int
    status: float
    build: float


@dataclass(frozen=True)
class Built:
    """A build of so many pictures: how, with how many jobs at once, and how long it took by the clock."""

    how: str
    jobs: int
    pictures: int
    seconds: float


def looked(count: int) -> Looked:
    """Time `status` and a `build` that has nothing to do."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        built_course(folder, count)
        status = min(measure((*CLI, "status", "--check"), folder=folder).seconds for _ in range(TIMES))
        build = min(measure((*CLI, "build"), folder=folder).seconds for _ in range(TIMES))
    return Looked(count, status, build)


def built_course(folder: Path, count: int) -> None:
    """A course of so many assets that looks built: its lock is right, and small files stand for what was published."""
    from pipeline.course.lock import Made, change_lock, lock_path
    from pipeline.course.open import open_course
    from pipeline.course.published import note

    course = folder / "course.toml"
    course.write_text("".join(BLOCK.format(number=n, scene=SCENES[n % len(SCENES)]) for n in range(count)))
    opened = open_course(str(course))
    opened.store.make()
    opened.course.output.mkdir()
    lock = {}
    for state in opened.states:
        files = tuple(f"{state.asset.stem}{ending}" for ending in FILES)
        for file in files:
            (opened.course.output / file).write_text(file)
        made = Made(
            files=files,
            shown="",
            digest="",
            picture=state.inputs.picture,
            numbers=state.inputs.numbers,
            fonts=state.inputs.fonts,
        )
        lock[state.asset.name] = made
        note(opened.store, state.asset.name, made, opened.course.output)
    change_lock(lock_path(course), lock)


def built(jobs: int, *, cluster: bool) -> Built:
    """Time a first build."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        (folder / "course.toml").write_text(BEATS)
        order = (*CLI, "build", "--json", "--quiet", "-j", str(jobs))
        if cluster:
            with running_cluster(folder, jobs) as address:
                made = measure((*order, "--cluster", address), folder=folder)
        else:
            made = measure(order, folder=folder)
    return Built("cluster" if cluster else "processes", jobs, len(json.loads(made.output)), made.seconds)


@contextmanager
def running_cluster(folder: Path, workers: int) -> Iterator[str]:
    """A scheduler and workers on this machine."""
    about = folder / "scheduler.json"
    python = (sys.executable, "-W", "ignore", "-m")
    schedule = (*python, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    settings = {"env": {**os.environ, "PYTHONPATH": str(ROOT)}, "stderr": subprocess.DEVNULL}
    processes = [subprocess.Popen((*schedule, "--scheduler-file", str(about)), **settings)]
    try:
        while not about.exists() or not about.read_text():
            time.sleep(0.05)
        address = json.loads(about.read_text())["address"]
        work = (*python, "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        for _ in range(workers):
            processes.append(subprocess.Popen((*work, "--local-directory", str(folder)), **settings))
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()


def report(rows: list[Looked], builds: list[Built]) -> str:
    """The tables, as they stand on the page."""
    looks = [(f"{row.assets}", f"{row.status:.2f}", f"{row.build:.2f}") for row in rows]
    parts = [table(("assets, all current", "status, s", "build, s"), looks)]
    if builds:
        one = builds[0].seconds
        cells = [
            (row.how, f"{row.jobs}", f"{row.pictures}", f"{row.seconds:.1f}", f"{one / row.seconds:.2f}")
            for row in builds
        ]
        parts.append(table(("jobs as", "at once", "pictures", "seconds", "speed-up"), cells))
    return "\n\n".join([*parts, words()])


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Everything measured, as JSON.")
@click.option("--write", is_flag=True, help="Also write the tables into docs/performance.md.")
@click.option("--jobs", is_flag=True, help="Also builds, with one job at a time and with more.")
def main(as_json: bool, write: bool, jobs: bool) -> None:
    """Measures the planner on courses of more and more assets, and builds with more and more jobs."""
    console = Console(stderr=True)
    rows = []
    for count in COUNTS:
        console.print(f"{count} assets")
        rows.append(looked(count))
    builds: list[Built] = []
    if jobs:
        cores = len(os.sched_getaffinity(0))
        for number in (each for each in (1, 2, 4, 8, 16) if each <= cores):
            console.print(f"{number} jobs")
            builds += [built(number, cluster=cluster) for cluster in (False, True)]
    if write:
        write_section("bench.plan", report(rows, builds))
    if as_json:
        parts = {"planner": [asdict(row) for row in rows], "builds": [asdict(row) for row in builds]}
        click.echo(json.dumps({"machine": machine()} | parts))
    else:
        click.echo(report(rows, builds))


if __name__ == "__main__":
    sys.exit(main())
