"""How far the renders are, on stderr: bars on a terminal, plain lines elsewhere, nothing for --quiet."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol, Self, TextIO


class Display(Protocol):
    """Shows the state of several renders by name."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def update(self, name: str, beat: str, frames: int) -> None:
        """The render has drawn this many frames, the last of them of this beat; several beats may be drawn at once."""
        ...

    def done(self, name: str, frames: int) -> None:
        """The render is finished."""
        ...

    def note(self, text: str) -> None:
        """A line that the person should read."""
        ...


def display(beats: Mapping[str, Sequence[str]], *, quiet: bool = False) -> Display:
    """The display that fits: `beats` are each render's beats in order, none where they are not known before."""
    if quiet:
        return Quiet()
    return Bars(beats) if sys.stderr.isatty() else Lines(beats, sys.stderr)


class Quiet:
    """Shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def update(self, name: str, beat: str, frames: int) -> None:
        """Nothing."""

    def done(self, name: str, frames: int) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Nothing."""


class Lines(Quiet):
    """One line for each beat when it is first heard of."""

    def __init__(self, beats: Mapping[str, Sequence[str]], stream: TextIO) -> None:
        self.beats, self.stream = beats, stream
        self.shown: set[tuple[str, str]] = set()

    def update(self, name: str, beat: str, frames: int) -> None:
        """A line when the beat is a new one."""
        order = self.beats[name]
        if not beat or (name, beat) in self.shown or (order and beat not in order):
            return
        self.shown.add((name, beat))
        place = f"beat {order.index(beat) + 1}/{len(order)}" if order else "section"
        self._write(f"{name}: {place} {beat}, {frames} frames so far")

    def done(self, name: str, frames: int) -> None:
        """The last line."""
        self._write(f"{name}: done" + (f", {frames} frames" if frames else ""))

    def note(self, text: str) -> None:
        """The line."""
        self._write(text)

    def _write(self, text: str) -> None:
        # Whoever read them may have gone: that is no reason to lose what is drawn.
        with contextlib.suppress(OSError):
            self.stream.write(f"{text}\n")
            self.stream.flush()


class Bars:
    """A bar for each render, with beats, frames and the time that is left."""

    def __init__(self, beats: Mapping[str, Sequence[str]]) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self.beats, self.started = beats, time.monotonic()
        self.furthest = dict.fromkeys(beats, 0)
        self.lock = threading.Lock()
        self.bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[beat]}"),
            TextColumn("{task.fields[frames]} frames"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=Console(stderr=True),
        )
        self.tasks = {
            name: self.bars.add_task(name, total=len(order) or None, beat="getting ready", frames=0, left="")
            for name, order in beats.items()
        }

    def __enter__(self) -> Self:
        self.bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bars.stop()

    def update(self, name: str, beat: str, frames: int) -> None:
        """Move the bar; time left is estimated from the beats that are done."""
        order = self.beats[name]
        if not order:
            with self.lock:
                self._set(name, beat=beat, frames=frames)
        if beat not in order:
            return
        finished = self.furthest[name] = max(self.furthest[name], order.index(beat))
        elapsed = time.monotonic() - self.started
        left = f"about {elapsed * (len(order) - finished) / finished:.0f} s left" if finished else ""
        words = f"beat {finished + 1}/{len(order)} {order[finished]}"
        with self.lock:
            self._set(name, completed=finished, beat=words, frames=frames, left=left)

    def done(self, name: str, frames: int) -> None:
        """Fill the bar."""
        with self.lock:
            order = len(self.beats[name]) or 1
            self._set(name, total=order, completed=order, beat="done", frames=frames, left="")

    def note(self, text: str) -> None:
        """The line, above the bars."""
        self.bars.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def _set(self, name: str, **fields: Any) -> None:
        self.bars.update(self.tasks[name], **fields)
