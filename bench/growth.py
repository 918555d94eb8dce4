"""How time grows: with frames, with numbers on screen, with cores.

python -m bench.growth [--json] [--write]

Each row is a 1080p60 video of `bench/crowd.py`, from a new process to a finished file. Nothing else may run on the
machine.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from rich.console import Console

from bench.machine import machine, words
from bench.measure import CLI, measure
from bench.page import table, write_section

CROWD = Path(__file__).with_name("crowd.py")
USUAL_NUMBERS, USUAL_SECONDS = 200, 4
LENGTHS = (2, 8, 32)
CROWDS = (10, 100, 1_000, 10_000)


@dataclass(frozen=True)
class Grown:
    """One video: what it shows, how long it is, on how many cores which engine made it, and how long that took."""

    numbers: int
    frames: int
    cores: int
    engine: str
    seconds: float
    processor_seconds: float
    memory: int


def grown(
    *, numbers: int = USUAL_NUMBERS, seconds: int = USUAL_SECONDS, cores: int | None = None, engine: str = "fast"
) -> Grown:
    """Render one crowd."""
    given = {"CROWD": json.dumps({"numbers": numbers, "seconds": seconds})}
    words_of = (
        "render-file",
        str(CROWD),
        "--quality",
        "high",
        "--engine",
        engine,
        "-o",
        "crowd.mp4",
        "--json",
        "--quiet",
    )
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        made = measure((*CLI, *words_of), folder=Path(folder), environment=given, cores=cores)
    frames = json.loads(made.output)["frames"]
    return Grown(
        numbers, frames, cores or len(os.sched_getaffinity(0)), engine, made.seconds, made.processor, made.memory
    )


def steps() -> list[int]:
    """1, 2, 4 … cores, as far as there are."""
    there = len(os.sched_getaffinity(0))
    return [cores for cores in (1, 2, 4, 8, 16, 32, 64) if cores <= there]


def report(frames: list[Grown], numbers: list[Grown], cores: list[Grown]) -> str:
    """The three tables, as they stand on the page."""
    head = ("engine", "numbers", "frames", "cores", "seconds", "processor s", "peak MB")
    parts = []
    for title, rows in (("With frames", frames), ("With numbers on screen", numbers), ("With cores", cores)):
        cells = [
            (
                row.engine,
                f"{row.numbers}",
                f"{row.frames}",
                f"{row.cores}",
                f"{row.seconds:.1f}",
                f"{row.processor_seconds:.1f}",
                f"{row.memory / 1e6:.0f}",
            )
            for row in rows
        ]
        parts.append(f"{title}:\n\n{table(head, cells)}")
    return "\n\n".join([*parts, words()])


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Everything measured, as JSON.")
@click.option("--write", is_flag=True, help="Also write the tables into docs/performance.md.")
def main(as_json: bool, write: bool) -> None:
    """Measures videos of more and more frames, of more and more numbers, on more and more cores."""
    console = Console(stderr=True)
    console.print("frames")
    frames = [grown(seconds=seconds) for seconds in LENGTHS]
    console.print("numbers")
    numbers = [grown(numbers=count, engine=engine) for engine in ("fast", "stock") for count in CROWDS]
    console.print("cores")
    cores = [grown(cores=count) for count in steps()]
    if write:
        write_section("bench.growth", report(frames, numbers, cores))
    if as_json:
        parts = {"frames": frames, "numbers": numbers, "cores": cores}
        click.echo(
            json.dumps({"machine": machine()} | {name: [asdict(row) for row in rows] for name, rows in parts.items()})
        )
    else:
        click.echo(report(frames, numbers, cores))


if __name__ == "__main__":
    sys.exit(main())
