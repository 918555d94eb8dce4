"""Layout: texts lie inside the frame, uncovered, apart from one another, big enough and with contrast enough.

What is lit must meet all of it; dimmed context may be small, faint or near the edge.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.publish.checks.view import Edges, Part, Run, View
from scenes.kit import frame
from scenes.kit.colour import contrast, hex_of

CONTRAST = 4.5
"""Of lit text, WCAG 2.2 AA."""

SMALLEST = frame.HEIGHT / 45 * 0.97
"""The em of lit text, less what rounding a size to fit may take."""

CONTRAST_TOLERANCE = 0.05
"""What rounding a colour to 8 bits may take."""

EDGE_TOLERANCE = 0.05
TOUCHING = 0.015
"""Boxes that share no more than this are neighbours."""


def texts_are_in_the_frame(view: View) -> Iterator[str]:
    """All text lies in the frame, lit text inside the safe margins of 1/20."""
    whole = (0.0, 0.0, frame.WIDTH, frame.HEIGHT)
    safe = (
        frame.MARGIN_X - EDGE_TOLERANCE,
        frame.MARGIN_Y - EDGE_TOLERANCE,
        frame.WIDTH - frame.MARGIN_X + EDGE_TOLERANCE,
        frame.HEIGHT - frame.MARGIN_Y + EDGE_TOLERANCE,
    )
    runs = _drawn(view)
    outside = [run for run in runs if not _within(run.box, whole)]
    near = [run for run in runs if run.lit and _within(run.box, whole) and not _within(run.box, safe)]
    yield from _one_each(view, [(run, f"is outside the frame, {_spoken(run.box)}") for run in outside])
    yield from _one_each(view, [(run, f"is outside the safe margins, {_spoken(run.box)}") for run in near])


def numbers_are_not_covered(view: View) -> Iterator[str]:
    """No opaque surface was drawn over a text after it."""
    names = {part.order: part for part in view.parts}
    covered = [(run, view.paint.covering(run.box, run.part.order)) for run in _drawn(view)]
    yield from _one_each(
        view,
        [
            (run, f"is covered by {_name(names[order])}, {_spoken(run.box)}")
            for run, order in covered
            if order is not None
        ],
    )


def _name(part: Part) -> str:
    return f"a {type(part.owner or part.mobject).__name__}"


def texts_do_not_overlap(view: View) -> Iterator[str]:
    """No two texts lie on one another; of two mobjects the first pair is told, and how many more."""
    runs = _drawn(view)
    if len(runs) < 2:
        return
    boxes = np.array([run.box for run in runs])
    wide = np.minimum(boxes[:, None, 2], boxes[None, :, 2]) - np.maximum(boxes[:, None, 0], boxes[None, :, 0])
    tall = np.minimum(boxes[:, None, 3], boxes[None, :, 3]) - np.maximum(boxes[:, None, 1], boxes[None, :, 1])
    pairs: dict[tuple[int, int], list[tuple[Run, Run]]] = {}
    for first, second in np.argwhere(np.triu((wide > TOUCHING) & (tall > TOUCHING), 1)):
        one, other = runs[first], runs[second]
        pairs.setdefault((id(one.mobject), id(other.mobject)), []).append((one, other))
    for found in pairs.values():
        one, other = found[0]
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        yield f"{view.where(one)} overlaps {view.where(other)}{more}, {_spoken(one.box)}"


def texts_are_big_enough(view: View) -> Iterator[str]:
    """Lit text is at least 1/45 of the frame's height, measured on its glyphs."""
    small = [(run, run.read.em * view.zoom) for run in _drawn(view) if run.lit]
    yield from _one_each(
        view,
        [
            (run, f"is set at 1/{frame.HEIGHT / em:.0f} of the height, smaller than 1/45")
            for run, em in small
            if 0 < em < SMALLEST
        ],
    )


def texts_have_contrast(view: View) -> Iterator[str]:
    """Lit text has a contrast of at least 4.5 with what lies behind it, at its middle and both ends."""
    faint = [(run, _contrast(view, run)) for run in _drawn(view) if run.lit]
    yield from _one_each(
        view,
        [
            (run, f"has a contrast of {ratio:.1f}, less than {CONTRAST}")
            for run, ratio in faint
            if ratio < CONTRAST - CONTRAST_TOLERANCE
        ],
    )


def _contrast(view: View, run: Run) -> float:
    left, top, right, bottom = run.box
    xs, y = np.linspace(left, right, 5)[1:-1], (top + bottom) / 2
    grounds = view.paint.behind(np.stack([xs, np.full(3, y)], axis=1), run.part.order)
    share, ink = run.part.filled, run.part.ink
    return min(contrast(hex_of(ground * (1 - share) + ink * share), hex_of(ground)) for ground in grounds)


def caption_band_is_free(view: View) -> Iterator[str]:
    """Nothing but a burnt caption lies in the band that is kept for captions."""
    band = (frame.CAPTION.left, frame.CAPTION.top, frame.CAPTION.right, frame.CAPTION.bottom)
    told: set[int] = set()
    for part in view.parts:
        if part.owner is not None and part.owner is getattr(view.scene, "burnt", None):
            continue
        named = part.owner if part.owner is not None else part.mobject
        if id(named) in told or not _meet(part.box, band):
            continue
        told.add(id(named))
        text = getattr(named, "text", getattr(named, "source", ""))
        what = f"{type(named).__name__} {text!r}" if text else type(named).__name__
        yield f"{what} is in the caption band, {_spoken(part.box)}"


def _one_each(view: View, faults: list[tuple[Run, str]]) -> Iterator[str]:
    """For each mobject its first fault, and how many more there are."""
    by_mobject: dict[int, list[tuple[Run, str]]] = {}
    for run, fault in faults:
        by_mobject.setdefault(id(run.mobject), []).append((run, fault))
    for found in by_mobject.values():
        run, fault = found[0]
        more = f" (and {len(found) - 1} more of it)" if len(found) > 1 else ""
        yield f"{view.where(run)} {fault}{more}"


def _drawn(view: View) -> list[Run]:
    return [run for run in view.runs if run.read.text]


def _within(box: Edges, bounds: Edges) -> bool:
    return (
        box[0] >= bounds[0] - 1e-6
        and box[1] >= bounds[1] - 1e-6
        and box[2] <= bounds[2] + 1e-6
        and box[3] <= bounds[3] + 1e-6
    )


def _meet(first: Edges, second: Edges) -> bool:
    wide = min(first[2], second[2]) - max(first[0], second[0])
    tall = min(first[3], second[3]) - max(first[1], second[1])
    return wide > TOUCHING and tall > TOUCHING


def _spoken(box: Edges) -> str:
    return f"x {box[0]:.2f} to {box[2]:.2f}, y {box[1]:.2f} to {box[3]:.2f}"
