"""What a course asks for: pictures, and the files that are made of each."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Literal

from pipeline.catalogue import SceneEntry
from pipeline.publish import formats, number_formats
from pipeline.render.spec import RenderSpec

Kind = Literal["video", "figure", "numbers"]
STANDARD, STANDARD_TRANSPARENT = "mp4", "webm"
VIDEO_FORMS = (STANDARD, *(form for form in formats.renewable_names() if form != STANDARD))
"""A film in single pictures is none of them: `png` is a figure."""


def forms() -> tuple[str, ...]:
    """Every form that an asset can have."""
    return (*VIDEO_FORMS, *formats.names(), *number_formats.names())


def kind_of(form: str) -> Kind:
    """What is drawn for a form."""
    if form in VIDEO_FORMS:
        return "video"
    return "figure" if form in formats.names() else "numbers"


@dataclass(frozen=True)
class Picture:
    """One thing to draw: assets of several forms share it."""

    entry: SceneEntry
    spec: RenderSpec
    kind: Kind

    @property
    def label(self) -> str:
        """A short name for people: scene, beat, language, theme."""
        parts = (self.entry.name, self.spec.beat, self.spec.language, self.spec.theme)
        return f"{self.kind} {' '.join(part for part in parts if part)}"

    @property
    def look(self) -> dict[str, object]:
        """What is asked of the drawing, apart from the numbers in it."""
        apart = ("model", "prompt", "query", "layer", "head", "device")
        spec = asdict(replace(self.spec, quality="high") if self.kind == "numbers" else self.spec)
        size = {"size": self.spec.size, "rate": self.spec.rate}
        return {"kind": self.kind, **size, **{key: value for key, value in spec.items() if key not in apart}}

    @property
    def question(self) -> dict[str, object]:
        """What is asked of the model."""
        spec = self.spec
        return {
            "scene": self.entry.name,
            "language": spec.language,
            "prompt": spec.prompt,
            "query": spec.query,
            "layer": spec.layer,
            "head": spec.head,
            "device": spec.device,
        }


@dataclass(frozen=True)
class Asset:
    """One published file of a picture, with what lies beside it.

    `name` is unique in a course; `block` counts the course's `[[asset]]` from 0. `forms`: those of its kind that its
    block asks for, which are drawn together.
    """

    name: str
    stem: str
    form: str
    picture: Picture
    block: int
    block_name: str = ""
    forms: tuple[str, ...] = ()
