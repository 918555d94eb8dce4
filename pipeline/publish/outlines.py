"""Reading drawn glyphs back: which characters the outlines of a mobject are, whatever its attributes say.

The shapes to compare with come from the font files by fontTools, by a way of their own: the scene kit shapes
its text with HarfBuzz and draws cubics, there the fonts' own quadratics are integrated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.publish.font_shapes import table
from pipeline.publish.shapes import NODES, features, raw_moments

ALWAYS = "0123456789−.≈><∞=+-,:;%()/|√Σ…·×÷±–—eE"
"""Characters that every outline is compared with, beside those that the texts on screen claim to have."""

TOLERANCE = 0.002
"""Largest difference in any feature. Right glyphs differ by less than 1e-6, two digits by 0.017 or more."""

SAME_PLACE = 1e-6


@dataclass(frozen=True)
class Contours:
    """Closed contours: ten raw moments each, box (left, bottom, right, top), and whose they are."""

    moments: np.ndarray
    boxes: np.ndarray
    owners: np.ndarray


@dataclass(frozen=True)
class Option:
    """A character that a shape can be, and the em and baseline that it then has."""

    character: str
    em: float
    baseline: float
    distance: float


@dataclass(frozen=True)
class ReadGlyph:
    """One drawn shape: what it can be (nothing for an unknown one), and its box in Manim's coordinates."""

    options: tuple[Option, ...]
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class ReadText:
    """A line of glyphs read from left to right; ``□`` is a shape that is no known character.

    ``straight``: whether all glyphs have one size and stand on one baseline.
    """

    text: str
    em: float
    straight: bool
    box: tuple[float, float, float, float]


def get_ready() -> None:
    """Read from the font files what is compared with every outline; it is kept in this process."""
    table(frozenset(ALWAYS))


def contours(outlines: Sequence[np.ndarray]) -> Contours:
    """The contours of several point arrays (4 × curves, 3); those without area are left out."""
    lengths = [len(each) // 4 for each in outlines]
    if not sum(lengths):
        return Contours(np.zeros((0, 10)), np.zeros((0, 4)), np.zeros(0, dtype=int))
    joined = np.concatenate([np.asarray(each[: 4 * n, :2]) for each, n in zip(outlines, lengths, strict=True)])
    curves = joined.reshape(-1, 4, 2)
    owners = np.repeat(np.arange(len(lengths)), lengths)
    starts = np.ones(len(curves), dtype=bool)
    gap = np.abs(curves[1:, 0] - curves[:-1, 3]).max(axis=1) > SAME_PLACE
    starts[1:] = gap | (owners[1:] != owners[:-1])
    first = np.flatnonzero(starts)
    last = np.append(first[1:], len(curves)) - 1
    moments = np.add.reduceat(raw_moments(*_cubics(curves)), first, axis=0)
    moments += raw_moments(*_lines(curves[last, 3], curves[first, 0]))
    ends = np.concatenate([curves[:, 0], curves[:, 3]], axis=1)
    low = np.minimum.reduceat(np.minimum(ends[:, :2], ends[:, 2:]), first, axis=0)
    high = np.maximum.reduceat(np.maximum(ends[:, :2], ends[:, 2:]), first, axis=0)
    kept = np.abs(moments[:, 0]) > 1e-10
    return Contours(moments[kept], np.concatenate([low, high], axis=1)[kept], owners[first][kept])


def read(outlines: Sequence[np.ndarray], characters: Iterable[str] = ()) -> list[list[ReadGlyph]]:
    """The glyphs of each point array, in the order in which they are drawn.

    A shape that is none of ``characters``, nor of those that are always tried, has no options.
    """
    found = contours(outlines)
    candidates = table(frozenset(ALWAYS) | frozenset(c for c in characters if not c.isspace()))
    matches = {count: _match(found, count, *part) for count, part in candidates.items()}
    counts = sorted(matches, reverse=True)
    glyphs: list[list[ReadGlyph]] = [[] for _ in outlines]
    place = 0
    while place < len(found.owners):
        for count in counts:
            options = matches[count].get(place)
            if options:
                break
        else:
            count, options = 1, ()
        boxes = found.boxes[place : place + count]
        box = (*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())
        glyphs[found.owners[place]].append(ReadGlyph(tuple(options), box))
        place += count
    return glyphs


def whole_shapes(outlines: Sequence[np.ndarray]) -> np.ndarray:
    """For each point array the features of all its contours together, and their number: (array, 12)."""
    found = contours(outlines)
    shapes = np.full((len(outlines), 12), np.inf)
    for owner in np.unique(found.owners):
        own = found.owners == owner
        boxes = found.boxes[own]
        box = np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])
        shape, *_ = features(found.moments[own].sum(axis=0)[None], box[None])
        shapes[owner] = np.append(shape[0], own.sum())
    return shapes


def read_line(glyphs: Sequence[ReadGlyph], expected: str = "") -> ReadText:
    """A line of text from its glyphs.

    Shapes that differ in size or height only (``.`` and ``·``) are told apart by the line's em and baseline,
    then by what is ``expected``.
    """
    if not glyphs:
        return ReadText("", 0.0, True, (0.0, 0.0, 0.0, 0.0))
    ordered = sorted(glyphs, key=lambda glyph: glyph.box[0] + glyph.box[2])
    wanted = "".join(expected.split()).ljust(len(ordered), "\0")
    anchor = _anchor(ordered, wanted)
    text, straight = "", True
    for glyph, character in zip(ordered, wanted, strict=False):
        best = min(glyph.options, key=lambda option: _unlikeliness(option, anchor, character), default=None)
        text += best.character if best else "□"
        straight = straight and (best is None or anchor is None or _off(best, anchor) < 0.03)
    boxes = np.array([glyph.box for glyph in ordered])
    box = (*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())
    return ReadText(text, anchor.em if anchor else 0.0, straight, box)


def _anchor(glyphs: Sequence[ReadGlyph], wanted: str) -> Option | None:
    """What fixes the line's size: the tallest glyph that can have one size only, or the tallest."""
    known = [(glyph, character) for glyph, character in zip(glyphs, wanted, strict=False) if glyph.options]
    if not known:
        return None

    def surety(pair: tuple[ReadGlyph, str]) -> tuple[bool, float]:
        box = pair[0].box
        return len({round(option.em, 4) for option in pair[0].options}) == 1, box[3] - box[1]

    surest, character = max(known, key=surety)
    return min(surest.options, key=lambda option: (option.character != character, option.distance))


def _off(option: Option, anchor: Option) -> float:
    return max(abs(option.em - anchor.em), abs(option.baseline - anchor.baseline)) / anchor.em


def _unlikeliness(option: Option, anchor: Option | None, character: str) -> tuple[float, bool, float]:
    off = round(_off(option, anchor), 2) if anchor else 0.0
    return (off if off > 0.03 else 0.0, option.character != character, option.distance)


def _match(
    found: Contours, count: int, labels: list[tuple[str, float, float]], known: np.ndarray
) -> dict[int, list[Option]]:
    """For each run of ``count`` contours of one owner, by the place of its first: what it can be."""
    total = len(found.owners) - count + 1
    if total <= 0:
        return {}
    same = np.flatnonzero(found.owners[:total] == found.owners[count - 1 :])
    sums = sum(found.moments[same + step] for step in range(count))
    boxes = np.stack([found.boxes[same + step] for step in range(count)])
    boxes = np.concatenate([boxes[..., :2].min(axis=0), boxes[..., 2:].max(axis=0)], axis=1)
    shapes, sizes, middles = features(np.asarray(sums), boxes)
    allowed = TOLERANCE * (1 + np.abs(known))
    rough = (np.abs(shapes[:, None, :3] - known[None, :, :3]) < allowed[None, :, :3]).all(axis=2)
    runs, candidates = np.nonzero(rough)
    distances = (np.abs(shapes[runs] - known[candidates]) / (1 + np.abs(known[candidates]))).max(axis=1)
    options: dict[int, list[Option]] = {}
    for run, candidate, distance in zip(runs.tolist(), candidates.tolist(), distances.tolist(), strict=True):
        if distance < TOLERANCE:
            character, size, height = labels[candidate]
            em = float(sizes[run]) / size
            baseline = float(middles[run, 1]) - height * em
            options.setdefault(int(same[run]), []).append(Option(character, em, baseline, distance))
    return options


def _cubics(curves: np.ndarray) -> tuple[np.ndarray, ...]:
    t = NODES[:, None]
    basis = np.concatenate([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3], axis=1)
    slope = np.concatenate([(1 - t) ** 2, 2 * t * (1 - t), t * t], axis=1) * 3
    steps = np.diff(curves, axis=1)
    return curves[..., 0] @ basis.T, curves[..., 1] @ basis.T, steps[..., 1] @ slope.T


def _lines(start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, ...]:
    points = start[:, None] + (end - start)[:, None] * NODES[None, :, None]
    step = np.broadcast_to((end - start)[:, None], points.shape)
    return points[..., 0], points[..., 1], step[..., 1]
