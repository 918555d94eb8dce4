"""Where the time of a render goes.

python -m bench.profile [--quality Q] [--beat NAME] [--engine fast|stock] [--write] SCENE

The scene is rendered in this process while a thread looks, two hundred times a second, at what every other
thread is doing. What is on its stack says which kind of work that is. Nothing of the renderer is changed for it.
"""

from __future__ import annotations

import functools
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import click

from bench.machine import words
from bench.page import table, write_section

SECONDS_BETWEEN_LOOKS = 0.005
FURTHEST = 200

WAITING, OTHER = "waiting", "construction and the rest"
# The innermost function of a stack that stands here says what is being done. (file's name, function; "" for any)
KINDS = {
    "waiting": {("queue.py", ""), ("threading.py", "")},
    "conversion": {("yuv.py", ""), ("encoder.py", "to_bt709")},
    "encoding": {("encoder.py", ""), ("h264_repeat.py", ""), ("h264.py", "")},
    "drawing": {
        ("camera.py", ""),
        ("moving_camera.py", ""),
        ("cairo_renderer.py", "update_frame"),
        ("cairo_renderer.py", "get_frame"),
        ("canvas.py", ""),
        ("renderer.py", "update_frame"),
        ("renderer.py", "get_frame"),
    },
    "finding what changed": {("damage.py", ""), ("painted.py", "")},
    "interpolation": {("scene.py", "update_to_time"), ("scene.py", "update_mobjects"), ("animation.py", "interpolate")},
    "audit and ledger": {("audit.py", ""), ("outlines.py", ""), ("ledger.py", "")},
    "starting animations": {("scene.py", "begin_animations"), ("scene.py", "compile_animation_data")},
}


@dataclass
class Sampler:
    """Counts, for each thread by name, the looks at which it was busy with each kind of work."""

    threads: dict[str, Counter[str]] = field(default_factory=dict)
    looks: int = 0
    _ended: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Look until `end` is called; to be run in a thread of its own."""
        own = threading.get_ident()
        while not self._ended.wait(SECONDS_BETWEEN_LOOKS):
            names = {thread.ident: thread.name for thread in threading.enumerate()}
            self.looks += 1
            for ident, frame in sys._current_frames().items():
                if ident != own and ident in names:
                    self.threads.setdefault(names[ident], Counter())[kind_of(frame)] += 1

    def end(self) -> None:
        """Stop looking."""
        self._ended.set()


def kind_of(frame: FrameType) -> str:
    """The kind of work of the innermost function on a stack that says one."""
    for file, function in _stack(frame):
        kind = _kind(file, function)
        if kind:
            return kind
    return OTHER


@functools.cache
def _kind(file: str, function: str) -> str:
    name = Path(file).name
    return next((kind for kind, places in KINDS.items() if {(name, function), (name, "")} & places), "")


def _stack(frame: FrameType | None) -> Iterator[tuple[str, str]]:
    for _ in range(FURTHEST):
        if frame is None:
            return
        yield frame.f_code.co_filename, frame.f_code.co_name
        frame = frame.f_back


def profile(scene: str, *, quality: str, beat: str | None, engine: str) -> tuple[Sampler, float, float, float]:
    """The looks, seconds by the clock and of processor time, and seconds of video, of one render."""
    from pipeline.catalogue import find_scenes
    from pipeline.render import runtime
    from pipeline.render.job import TRACE
    from pipeline.render.jobs import Order, job_for
    from pipeline.render.request import resolve
    from pipeline.render.spec import RenderSpec

    runtime.import_manim()
    from pipeline.render.worker import draw

    [entry] = find_scenes([scene])
    spec = RenderSpec(scene=entry.name, quality=quality, beat=beat, engine=engine)
    request = resolve(spec, entry)
    order = Order(
        spec=spec,
        entry=entry,
        folder=Path(),
        films=("mp4",),
        audit=True,
        stills=(spec.beat or entry.poster,),
        metadata=lambda _: {},
        target=lambda _: "",
        publish=lambda _: {},
    )
    sampler = Sampler()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        request.trace.save(Path(folder) / TRACE)
        runtime.enter(Path(folder))
        watch = threading.Thread(target=sampler.run, daemon=True)
        start, used = time.perf_counter(), time.process_time()
        watch.start()
        result = draw(job_for(order, request), lambda *_: None)
        sampler.end()
        watch.join()
        return sampler, time.perf_counter() - start, time.process_time() - used, result.frames / spec.rate


def report(sampler: Sampler, *, seconds: float, processor: float, video: float, what: str) -> str:
    """A table: seconds of each kind of work, in each thread."""
    threads = {name: counts for name, counts in sampler.threads.items() if set(counts) - {WAITING}}
    share = seconds / max(1, sampler.looks)
    rows = [
        (kind, *(f"{counts[kind] * share:.1f}" for counts in threads.values()))
        for kind in (OTHER, *reversed(KINDS))
        if any(counts[kind] for counts in threads.values())
    ]
    of = f"{video:.1f} s of video in {seconds:.1f} s, {processor:.1f} s of processor time, {sampler.looks} looks."
    return f"{what}: {of}\n\n{table(('seconds', *threads), rows)}\n\n{words()}"


@click.command()
@click.argument("scene")
@click.option("--quality", default="high", show_default=True)
@click.option("--beat", help="Only this beat.")
@click.option("--engine", type=click.Choice(["fast", "stock"]), default="fast", show_default=True)
@click.option("--write", is_flag=True, help="Also write the table into docs/performance.md.")
def main(scene: str, quality: str, beat: str | None, engine: str, write: bool) -> None:
    """Says where the time of rendering SCENE goes, once Manim is imported and the numbers are computed."""
    sampler, seconds, processor, video = profile(scene, quality=quality, beat=beat, engine=engine)
    what = " ".join(filter(None, [scene, beat, quality, engine]))
    told = report(sampler, seconds=seconds, processor=processor, video=video, what=what)
    if write:
        write_section("bench.profile", told)
    click.echo(told)


if __name__ == "__main__":
    sys.exit(main())
