"""One beat's picture and what it says of itself, before it has a form."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipeline.render.drawing import Drawing

CREATOR = "manim-attention"


@dataclass(frozen=True)
class Figure:
    """A picture with its texts in one language.

    `drawing` holds its outlines, `pixels` is a PNG of it; a form takes the one that it is made of. `alt` tells
    what is to be seen, `digest` (64 hex digits) names the numbers, `command` makes it again.
    """

    drawing: Drawing
    pixels: Path
    title: str
    alt: str
    language: str
    digest: str
    command: str

    @property
    def numbers(self) -> str:
        """The digest as a file writes it."""
        return f"sha256:{self.digest}"
