"""What a form of film costs beyond mp4, in processor seconds for each million pixels of film.

python -m bench.forms [--quality Q] [--beat NAME] [--json] SCENE

One beat is rendered in each form, each in a new process; what mp4 takes is taken off. These are the ratios of
pipeline/course/lengths.py, from which `build --dry-run` tells the time of what was never drawn.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from bench.machine import words
from bench.measure import CLI, measure
from bench.page import table
from pipeline.course.lengths import CLEAR_SECONDS, FILM_SECONDS
from pipeline.render.spec import RenderSpec

USUAL = "mp4"


@dataclass(frozen=True)
class Cost:
    """Processor seconds of a beat in one form, and how many million pixels its film has."""

    form: str
    clear: bool
    seconds: float
    pixels: float


def costs(scene: str, beat: str, quality: str) -> Iterator[Cost]:
    """Render the beat in each form."""
    spec = RenderSpec(scene=scene, beat=beat, quality=quality)
    forms = [*((form, False) for form in FILM_SECONDS), *((form, True) for form in CLEAR_SECONDS)]
    for form, clear in forms:
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            words = ("render", scene, "--beat", beat, "--quality", quality, "--format", form, "--quiet")
            done = measure((*CLI, *words, *(["--transparent"] if clear else []), "-o", "film"), folder=Path(name))
            ledger = json.loads(Path(name, "film.numbers.json").read_text(encoding="utf-8"))
            million = ledger["duration"] * spec.rate * spec.size[0] * spec.size[1] / 1e6
            yield Cost(form, clear, done.processor, million)


def report(rows: list[Cost]) -> str:
    """The table, with what each form takes beyond mp4."""
    usual = next(row.seconds for row in rows if (row.form, row.clear) == (USUAL, False))
    cells = [
        (
            f"{row.form}, transparent" if row.clear else row.form,
            f"{row.seconds:.1f}",
            f"{row.pixels:.0f}",
            f"{(row.seconds - usual) / row.pixels:.3f}",
        )
        for row in rows
    ]
    return table(("form", "processor s", "million pixels", "more than mp4, s a million"), cells)


@click.command()
@click.argument("scene", default="qkv")
@click.option("--quality", default="draft", show_default=True)
@click.option("--beat", default="softmax", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Everything measured, as JSON.")
def main(scene: str, quality: str, beat: str, as_json: bool) -> None:
    """Measures what each form of film costs."""
    rows = list(costs(scene, beat, quality))
    if as_json:
        click.echo(json.dumps([asdict(row) for row in rows]))
    else:
        click.echo(f"{scene}:{beat} {quality}\n\n{report(rows)}\n\n{words()}")


if __name__ == "__main__":
    sys.exit(main())
