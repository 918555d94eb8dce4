"""A matrix times a vector as one would write it by hand: nested DecimalNumbers, animations of single entries.

It knows nothing of this project: `manim render -qh bench/by_hand.py ByHand` and `cli.py render-file bench/by_hand.py`
draw the same file.
"""

import numpy as np
from manim import (
    BLUE,
    DOWN,
    LEFT,
    RIGHT,
    UP,
    YELLOW,
    DecimalNumber,
    FadeIn,
    FadeOut,
    Indicate,
    LaggedStart,
    Scene,
    SurroundingRectangle,
    Text,
    TransformFromCopy,
    VGroup,
)

ROWS, COLUMNS = 4, 8


def number(value: float) -> DecimalNumber:
    """One number of the picture."""
    return DecimalNumber(value, num_decimal_places=2, mob_class=Text, font_size=24)  # type: ignore[arg-type]


class ByHand(Scene):
    """Weights, a vector, and their product row by row."""

    def construct(self) -> None:
        """Play it."""
        values = np.random.default_rng(0).normal(size=(ROWS, COLUMNS))
        given = np.random.default_rng(1).normal(size=COLUMNS)
        weights = VGroup(*(VGroup(*map(number, row)) for row in values))
        for row in weights:
            row.arrange(RIGHT, buff=0.25)
        weights.arrange(DOWN, buff=0.4).set_color(BLUE).scale_to_fit_width(8).to_edge(LEFT)
        vector = VGroup(*map(number, given)).arrange(DOWN, buff=0.2).scale_to_fit_height(6).shift(RIGHT * 3)
        self.play(LaggedStart(*(FadeIn(row, shift=UP * 0.2) for row in weights), lag_ratio=0.2), run_time=2)
        self.play(FadeIn(vector))
        self.wait(1)
        results = VGroup(*map(number, values @ given)).arrange(DOWN, buff=0.4).shift(RIGHT * 5.5)
        for row, result in zip(weights, results, strict=True):
            frame = SurroundingRectangle(row, color=YELLOW)
            self.play(FadeIn(frame), Indicate(vector, scale_factor=1.05), run_time=0.6)
            self.play(TransformFromCopy(row, result), run_time=0.6)
            self.wait(0.4)
            self.play(FadeOut(frame), run_time=0.2)
        self.wait(1)
