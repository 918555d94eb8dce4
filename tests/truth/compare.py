"""Two engines on one scene, frame by frame: each picture of the fast one against Manim's own."""

from __future__ import annotations

import functools
import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeline.render.engines import stage
from pipeline.render.runtime import SEED, manim_settings
from pipeline.render.writer import BeatWriter

DRAFT, DRAFT_RATE = (854, 480), 15


@dataclass
class Recorder:
    """Stands where the encoder would, and keeps the pictures packed; a picture shown longer is kept once.

    `canvas` is the picture as it stands, with the parts that came since it was last given whole.
    """

    packed: list[bytes] = field(default_factory=list)
    beats: list[str] = field(default_factory=list)
    canvas: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 3), np.uint8))
    beat: str = ""

    takes_parts = True

    def put(self, picture: Any) -> None:
        if picture.pixels is not None:
            self._paste(picture.pixels[..., :3], picture.at)
        if picture.repeat:
            self.packed += [zlib.compress(self.canvas.tobytes(), 1)] * picture.repeat
            self.beats += [self.beat] * picture.repeat

    def _paste(self, colours: np.ndarray, at: tuple[int, int] | None) -> None:
        if at is None:
            self.canvas = np.array(colours)
            return
        column, row = at
        if not self.canvas.size:
            self.canvas = np.zeros((row + colours.shape[0], column + colours.shape[1], 3), np.uint8)
        self.canvas[row : row + colours.shape[0], column : column + colours.shape[1]] = colours

    @property
    def frame_count(self) -> int:
        return len(self.packed)

    def frame(self, number: int) -> np.ndarray:
        return np.frombuffer(zlib.decompress(self.packed[number]), np.uint8).reshape(self.canvas.shape)

    def close(self) -> None:
        return None

    abandon = close


@dataclass(frozen=True)
class Compared:
    """The recordings of both engines, and the frames in which they differ."""

    fast: Recorder
    stock: Recorder
    seconds: tuple[float, float]
    engines: tuple[str, str]

    @functools.cached_property
    def different(self) -> tuple[int, ...]:
        pairs = zip(self.fast.packed, self.stock.packed, strict=False)
        return tuple(number for number, (one, other) in enumerate(pairs) if one != other)

    @property
    def words(self) -> str:
        """What differs, in a line; empty where nothing does."""
        if self.fast.frame_count != self.stock.frame_count or self.seconds[0] != self.seconds[1]:
            return (
                f"{self.fast.frame_count} frames in {self.seconds[0]} s against {self.stock.frame_count} in"
                f" {self.seconds[1]} s"
            )
        if not self.different:
            return ""
        number = self.different[0]
        apart = np.abs(self.fast.frame(number).astype(int) - self.stock.frame(number)).max(axis=2)
        row, column = np.unravel_index(apart.argmax(), apart.shape)
        where = f"in frame {number} ({self.stock.beats[number]})"
        what = f"{(apart > 0).sum()} pixels by up to {apart.max()}, at column {column}, row {row}"
        return f"{len(self.different)} of {self.stock.frame_count} frames differ; {where}: {what}"

    @property
    def drawn(self) -> int:
        """How many different pictures the reference has."""
        return len(set(self.stock.packed))


def record(
    make: Callable[..., Any], scene_class: type, *, engine: str, size: tuple[int, int] = DRAFT, rate: int = DRAFT_RATE
) -> tuple[Recorder, float, str]:
    """The frames that an engine draws of a scene, the scene's length in seconds, and the engine that drew them.

    Whatever Manim writes goes into the current folder.
    """
    recorder = Recorder()

    def report(beat: str, _frames: int) -> None:
        recorder.beat = beat

    random.seed(SEED)
    np.random.seed(SEED)
    with manim_settings(size=size, frames_per_second=rate):
        writer = functools.partial(BeatWriter, stream=recorder, report=report)
        staged = stage(make, scene_class, engine=engine, writer=writer)
        staged.scene.render()
        return recorder, staged.scene.time, staged.engine


def compare(make: Callable[..., Any], scene_class: type, **size_and_rate: Any) -> Compared:
    """Draw a scene with both engines. `make` is called with the renderer and returns the scene."""
    stock, stock_seconds, _ = record(make, scene_class, engine="stock", **size_and_rate)
    fast, fast_seconds, engine = record(make, scene_class, engine="fast", **size_and_rate)
    return Compared(fast, stock, (fast_seconds, stock_seconds), (engine, "stock"))
