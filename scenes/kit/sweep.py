"""Line after line of a matrix makes its entry of a result: a mark goes down the lines, the entries come to light."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Mobject, Scene, linear

from scenes.kit import motion
from scenes.kit.entries import pieces
from scenes.kit.frame import Box, at
from scenes.kit.matrix import NumberMatrix

LINE, LONGEST = 0.24, 1.0
"""Seconds in which one line of the matrix makes one entry, and for all of them at most."""


def shell(result: NumberMatrix) -> list[Mobject]:
    """A result's plate, brackets and letter, without its entries."""
    return [part for part in result.submobjects if part not in (result.shades, result.digits)]


def sweep(
    scene: Scene,
    result: NumberMatrix,
    marks: Sequence[tuple[Mobject, Box]],
    *,
    start: int = 0,
    there: Sequence[Mobject] = (),
) -> None:
    """Play the entries of ``result`` from ``start`` on; its shell is on stage, and ``there`` what stands for the rest.

    Every mark goes from where it is to the middle of its box.
    """
    entries = pieces(result)[start:]
    if entries:
        moves = [mark.animate(rate_func=linear).move_to(at(*box.centre)) for mark, box in marks]
        seconds = min(LINE * len(entries), LONGEST)
        scene.play(*moves, motion.appear(*entries, lag=1.0), run_time=seconds)
    scene.remove(*there, *entries, *shell(result))
    scene.add(result)
