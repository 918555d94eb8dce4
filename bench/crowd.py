"""Many numbers on screen, a tenth of which moves half of the time: what `bench.growth` renders.

How many and for how long stands in the environment: CROWD='{"numbers": 100, "seconds": 4}'.
"""

from __future__ import annotations

import json
import math
import os

import numpy as np
from manim import UP, Scene, VMobject

from scenes.kit.glyphs import points_at

GROUPS = 10
WIDTH, HEIGHT = 15.0, 8.0
MOVE, REST = 0.5, 0.5


class Crowd(Scene):
    """`numbers` on a grid, in ten mobjects; one after the other moves and rests, for `seconds`."""

    def construct(self) -> None:
        """Play it."""
        given = json.loads(os.environ.get("CROWD", "{}"))
        numbers, seconds = given.get("numbers", 100), given.get("seconds", 4)
        self.camera.frame_width, self.camera.frame_height = 16, 9
        self.camera.reset()
        groups = crowd(numbers)
        self.add(*groups)
        for turn in range(round(seconds / (MOVE + REST))):
            self.play(groups[turn % len(groups)].animate.shift(UP * 0.1 * (-1) ** turn), run_time=MOVE)
            self.wait(REST)


def crowd(numbers: int) -> list[VMobject]:
    """So many two-decimal numbers of random values, as at most ten mobjects."""
    columns = math.ceil(math.sqrt(numbers * WIDTH / HEIGHT / 3))
    rows = math.ceil(numbers / columns)
    values = np.random.default_rng(0).normal(size=numbers)
    size = min(0.5, 0.6 * HEIGHT / rows)
    places = [
        points_at(f"{value:.2f}", size, WIDTH * (i % columns / columns - 0.5), HEIGHT * (i // columns / rows - 0.5))
        for i, value in enumerate(values)
    ]
    found = []
    for chunk in np.array_split(np.arange(numbers), min(GROUPS, numbers)):
        mobject = VMobject(stroke_width=0, fill_opacity=1)
        mobject.points = np.concatenate([places[i] for i in chunk])
        found.append(mobject)
    return found
