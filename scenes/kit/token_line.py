"""A sentence on one line: each token's box as wide as its word, all words of one size, spread over the width."""

from __future__ import annotations

from collections.abc import Sequence

from scenes.kit import frame, glyphs
from scenes.kit.frame import Box

PAD = 0.12
"""What a box adds to its text at least, in units."""

GAP, WIDEST_GAP, FEW = 0.05, 0.4, 3.2
"""The room between two boxes, at least and at most; few boxes stand ``FEW`` by their number apart at most."""

STEPS = 40


def token_line(
    texts: Sequence[str], *, left: float, top: float, width: float, height: float, size: float
) -> tuple[list[Box], float]:
    """The boxes of a sentence's tokens between ``left`` and ``left + width``, and the size of their words.

    The words are as large as fit, up to ``size``, down to context size; then the widest boxes give way.
    """
    sizes = [size + (frame.CONTEXT_SIZE - size) * step / STEPS for step in range(STEPS + 1)]
    room = width - GAP * (len(texts) - 1)
    fitted = next((each for each in sizes if sum(_widths(texts, each, height)) <= room), frame.CONTEXT_SIZE)
    widths = _narrowed(_widths(texts, fitted, height), room)
    spare = room - sum(widths)
    grown = min(spare / len(texts), fitted * 2)
    widths = [each + grown * 0.6 for each in widths]
    gap = min(max(WIDEST_GAP, FEW / len(texts)), GAP + (room - sum(widths)) / max(1, len(texts) - 1))
    pen = left + (width - sum(widths) - gap * (len(texts) - 1)) / 2
    boxes = []
    for each in widths:
        boxes.append(Box(pen, top, each, height))
        pen += each + gap
    return boxes, fitted


def _widths(texts: Sequence[str], size: float, height: float) -> list[float]:
    return [max(glyphs.width(text, size) + PAD, height * 1.1) for text in texts]


def _narrowed(widths: list[float], room: float) -> list[float]:
    """The same, the widest cut down to one width that makes them fit."""
    limit = max(widths)
    while sum(min(each, limit) for each in widths) > room + 1e-9:
        limit *= 0.98
    return [min(each, limit) for each in widths]
