"""A small video in which bars move and rest, and what was drawn for each of its frames."""

from pathlib import Path

import numpy as np

from pipeline.render.encoder import Picture, VideoStream, finish_video

SIZE, RATE = (320, 180), 30
# (pictures that differ, frames for which the last of them stands)
COURSE = [(20, 1), (1, 300), (35, 90), (1, 1), (1, 2), (150, 1), (1, 33)]


def pictures() -> list[Picture]:
    """Bars and noise that move, and rest, and move; beats that begin in a motion and in a rest."""
    rng, made, at = np.random.default_rng(3), [], 0
    ground = np.full((SIZE[1], SIZE[0], 4), 255, np.uint8)
    ground[40:90, 30:120, :3] = rng.integers(0, 255, (50, 90, 1))
    for number, (moving, rest) in enumerate(COURSE):
        for step in range(moving):
            pixels = ground.copy()
            pixels[100:150, at * 7 % 250 : at * 7 % 250 + 60, :3] = (200, 30, at % 256)
            last = step == moving - 1
            made.append(Picture(pixels, rest if last else 1, key=step == 0 and number % 2 == 0))
            at += 1
    return made


def drawn() -> list[np.ndarray]:
    """The picture of every frame, [row, column, 4]."""
    return [picture.pixels for picture in pictures() for _ in range(picture.repeat)]


def write_video(folder: Path) -> Path:
    """The video as it would be published."""
    stream = VideoStream(folder / "raw.mp4", size=SIZE, frames_per_second=RATE)
    for picture in pictures():
        stream.put(picture)
    stream.close()
    finish_video([folder / "raw.mp4"], folder / "video.mp4", chapters=[], metadata={})
    return folder / "video.mp4"
