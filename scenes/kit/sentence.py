"""A sentence at reading size: every token in full, in as many centred lines as it takes."""

from __future__ import annotations

from collections.abc import Sequence

from scenes.kit import frame, glyphs
from scenes.kit.frame import Box
from scenes.kit.text import TokenText
from scenes.kit.theme import Theme
from scenes.kit.tokens import TokenBox

PAD, GAP = 0.44, 0.12
"""What a token's box adds to its text, and the room between two boxes."""


def large_boxes(
    texts: Sequence[str], *, top: float, size: float = frame.TITLE_SIZE, height: float = 0.62, step: float = 1.25
) -> list[Box]:
    """The boxes of a sentence's tokens from y = ``top`` downwards, a line every ``step``, none of them cut."""
    lines: list[list[float]] = [[]]
    for text in texts:
        width = glyphs.width(text, size) + PAD
        if lines[-1] and sum(lines[-1]) + len(lines[-1]) * GAP + width > frame.WORK.width:
            lines.append([])
        lines[-1].append(width)
    boxes: list[Box] = []
    for number, widths in enumerate(lines):
        pen = (frame.WIDTH - sum(widths) - GAP * (len(widths) - 1)) / 2
        for width in widths:
            boxes.append(Box(pen, top + number * step, width, height))
            pen += width + GAP
    return boxes


def large_tokens(texts: Sequence[str], boxes: Sequence[Box], *, theme: Theme) -> list[TokenBox]:
    """The tokens of a sentence in their large boxes."""
    return [
        TokenBox(text, box=box, theme=theme, position=place, size=frame.TITLE_SIZE)
        for place, (text, box) in enumerate(zip(texts, boxes, strict=True))
    ]


def typed_sentence(text: str, *, y: float, theme: Theme) -> TokenText:
    """The prompt as it was typed, on one line."""
    size = frame.TITLE_SIZE * 1.25
    size *= min(1.0, frame.WORK.width / glyphs.width(text, size))
    return TokenText(text, size=size, color=theme.text).place(frame.WIDTH / 2, y)
