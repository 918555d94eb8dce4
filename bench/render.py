"""How fast the scenes render: against their own length, against encoding alone, against stock Manim.

python -m bench.render [--seconds N] [--json] [--write] [SCENE...]

Stock Manim draws each scene's class (`manim render -qh`, all its own defaults, an empty media folder). With
`--seconds` it draws the first N seconds only, and `render-file` the same for comparison, which is quicker to measure
and counts the start of both more. Nothing else may run on the machine. Ratios are of seconds by the clock.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import click
from rich.console import Console

from bench.clip import write_clip
from bench.encoding import encoding_alone
from bench.machine import machine, words
from bench.measure import CLI, MANIM, Measured, measure
from bench.page import table, write_section
from pipeline.catalogue import SceneEntry, find_scenes

BY_HAND = Path(__file__).with_name("by_hand.py")


@dataclass(frozen=True)
class Whole:
    """A scene at high quality, all of it: `render` as a person runs it, and what it is measured against."""

    scene: str
    video_seconds: float
    frames: int
    seconds: float
    processor_seconds: float
    encoding_seconds: float
    encoding_processor_seconds: float
    draft_seconds: float
    sheet_seconds: float
    memory: int
    size: int

    @property
    def of_length(self) -> float:
        """Seconds to render one second of video."""
        return self.seconds / self.video_seconds

    @property
    def of_encoding(self) -> float:
        """Seconds to render, for each second that encoding alone takes."""
        return self.seconds / self.encoding_seconds


@dataclass(frozen=True)
class Against:
    """The same class drawn by stock Manim and by the fast engine, both from a new process to finished files."""

    scene: str
    video_seconds: float
    stock_seconds: float
    stock_processor_seconds: float
    seconds: float
    processor_seconds: float

    @property
    def times_as_fast(self) -> float:
        """Stock Manim's seconds for each of ours."""
        return self.stock_seconds / self.seconds


def measure_whole(entry: SceneEntry, folder: Path) -> Whole:
    """Render a scene, its draft and its sheet; encode the frames of the video alone."""
    made = measure(
        (*CLI, "render", entry.name, "--quality", "high", "-o", "whole/", "--json", "--quiet"), folder=folder
    )
    [told] = json.loads(made.output)
    video = folder / told["video"]
    encoding_seconds, encoding_processor = encoding_alone(video)
    draft = measure((*CLI, "render", entry.name, "--quality", "draft", "-o", "draft/", "--quiet"), folder=folder)
    sheet = measure((*CLI, "sheet", entry.name, "-o", "sheet.png", "--quiet"), folder=folder)
    return Whole(
        scene=entry.name,
        video_seconds=told["seconds"],
        frames=told["frames"],
        seconds=made.seconds,
        processor_seconds=made.processor,
        encoding_seconds=encoding_seconds,
        encoding_processor_seconds=encoding_processor,
        draft_seconds=draft.seconds,
        sheet_seconds=sheet.seconds,
        memory=made.memory,
        size=video.stat().st_size,
    )


def measure_against(name: str, file: Path, class_name: str, folder: Path, *, whole: Whole | None = None) -> Against:
    """Draw a class of a file with `manim render -qh`, and with `render-file` unless it was drawn as a `whole` scene."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    stock = measure(
        (*MANIM, "render", "-qh", "--media_dir", str(folder / "stock"), str(file), class_name),
        folder=folder,
        # A manim.cfg of the person who measures would be no default.
        environment={"HOME": str(home), "XDG_CONFIG_HOME": str(home)},
    )
    if whole is not None:
        return Against(
            scene=name,
            video_seconds=whole.video_seconds,
            stock_seconds=stock.seconds,
            stock_processor_seconds=stock.processor,
            seconds=whole.seconds,
            processor_seconds=whole.processor_seconds,
        )
    ours = measure(
        (*CLI, "render-file", str(file), class_name, "--quality", "high", "-o", "ours.mp4", "--json", "--quiet"),
        folder=folder,
    )
    return _against(name, stock, ours)


def _against(name: str, stock: Measured, ours: Measured) -> Against:
    told = json.loads(ours.output)
    return Against(
        scene=name,
        video_seconds=told["seconds"],
        stock_seconds=stock.seconds,
        stock_processor_seconds=stock.processor,
        seconds=ours.seconds,
        processor_seconds=ours.processor,
    )


def stock_file(entry: SceneEntry, folder: Path, *, seconds: float) -> tuple[Path, str]:
    """The file and class that stock Manim is given: the scene's own, or one that ends early."""
    if seconds:
        return write_clip(entry, folder, seconds=seconds), "Clip"
    return entry.search.joinpath(*entry.module.split(".")).with_suffix(".py"), entry.class_name


def report(wholes: list[Whole], against: list[Against]) -> str:
    """Both tables, as they stand on the page."""
    first = table(
        (
            "scene",
            "video s",
            "render s",
            "of length",
            "encoding alone s",
            "of encoding",
            "draft s",
            "sheet s",
            "peak MB",
            "mp4 MB",
        ),
        [
            (
                each.scene,
                f"{each.video_seconds:.1f}",
                f"{each.seconds:.1f}",
                f"{each.of_length:.2f}",
                f"{each.encoding_seconds:.1f}",
                f"{each.of_encoding:.2f}",
                f"{each.draft_seconds:.1f}",
                f"{each.sheet_seconds:.1f}",
                f"{each.memory / 1e6:.0f}",
                f"{each.size / 1e6:.1f}",
            )
            for each in wholes
        ],
    )
    second = table(
        (
            "class",
            "video s",
            "stock Manim s",
            "ours s",
            "times as fast",
            "processor s, stock",
            "processor s, ours",
        ),
        [
            (
                each.scene,
                f"{each.video_seconds:.1f}",
                f"{each.stock_seconds:.1f}",
                f"{each.seconds:.1f}",
                f"{each.times_as_fast:.1f}",
                f"{each.stock_processor_seconds:.1f}",
                f"{each.processor_seconds:.1f}",
            )
            for each in against
        ],
    )
    return f"{first}\n\n{second}\n\n{words()}"


@click.command()
@click.argument("scenes", nargs=-1, metavar="[SCENE]...")
@click.option("--seconds", default=0.0, help="How much of each scene stock Manim draws.  [default: all]")
@click.option("--json", "as_json", is_flag=True, help="Everything measured, as JSON.")
@click.option("--write", is_flag=True, help="Also write the tables into docs/performance.md.")
def main(scenes: tuple[str, ...], seconds: float, as_json: bool, write: bool) -> None:
    """Measures every scene, or those named, and the one written by hand."""
    console = Console(stderr=True)
    wholes, against = [], []
    for entry in find_scenes(scenes or ("all",)):
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            folder = Path(name)
            console.print(f"{entry.name}: rendering, encoding, draft, sheet", highlight=False)
            wholes.append(measure_whole(entry, folder))
            shutil.rmtree(folder / "whole")
            console.print(f"{entry.name}: stock Manim", highlight=False)
            file, class_name = stock_file(entry, folder, seconds=seconds)
            whole = None if seconds else wholes[-1]
            against.append(measure_against(entry.name, file, class_name, folder, whole=whole))
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        console.print("by hand: stock Manim", highlight=False)
        against.append(measure_against("by hand", BY_HAND, "ByHand", Path(name)))
    if write:
        write_section("bench.render", report(wholes, against))
    if as_json:
        rows = {"machine": machine(), "scenes": [asdict(each) for each in wholes]}
        click.echo(json.dumps(rows | {"against": [asdict(each) for each in against]}, indent=2))
    else:
        click.echo(report(wholes, against))


if __name__ == "__main__":
    sys.exit(main())
