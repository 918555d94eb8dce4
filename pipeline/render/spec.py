"""What a render is asked to be: sizes, rates, looks. Frozen, checked when made, the source of file names."""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass, fields

from transformer_core.errors import InputError

QUALITIES = {
    "draft": (480, 15),
    "low": (480, 30),
    "medium": (720, 30),
    "high": (1080, 60),
    "2k": (1440, 60),
    "4k": (2160, 60),
}
"""Shorter side in pixels and frames per second of each quality."""
LETTERS = {"l": "low", "m": "medium", "h": "high", "p": "2k", "k": "4k"}
CHOICES = {
    "language": ("en", "zh"),
    "theme": ("dark", "light", "print"),
    "layout": ("columns", "rows"),
    "captions": ("tracks", "burnt", "none"),
    "device": ("cpu", "cuda", "auto"),
    "engine": ("fast", "stock"),
}
ASPECT = (16, 9)
LARGEST_SIDE, FASTEST = 8192, 240
UNTOLD = {"the", "a", "an", "and", "of"}


def frame_size(shorter: int, aspect: tuple[int, int] = ASPECT) -> tuple[int, int]:
    """Width and height in pixels for a shorter side, both even as H.264 needs them.

    Raises InputError for a side that is odd, below 2 or beyond what H.264 level 6 takes.
    """
    wide, high = aspect
    longer = math.ceil(shorter * max(aspect) / min(aspect) / 2) * 2
    check_size(*((longer, shorter) if wide >= high else (shorter, longer)))
    return (longer, shorter) if wide >= high else (shorter, longer)


def check_size(width: int, height: int) -> None:
    """Raises InputError for a side that is zero, odd or too long."""
    for side in (width, height):
        if side < 2 or side % 2 or side > LARGEST_SIDE:
            why = "a video needs sides that are even" if side % 2 else f"a side is 2 to {LARGEST_SIDE} pixels"
            raise InputError(f"frame size {width}×{height}", why, f"choose a quality: {', '.join(QUALITIES)}")


@dataclass(frozen=True, kw_only=True)
class RenderSpec:
    """One picture or video of one scene, as the person asked for it.

    `layer` and `head` count from 1; `query` is a word, `word#n`, or a place counted from 1; `prompt`,
    `query`, `model`, `head`, `beat`, `poster` and `frames_per_second` are None where the default is meant. `pace`
    multiplies every duration. `transparent`: the theme's ground is left out. What parts the words of a prompt is one
    space.
    """

    scene: str
    quality: str = "high"
    frames_per_second: int | None = None
    pace: float = 1.0
    prompt: str | None = None
    query: str | None = None
    model: str | None = None
    layer: int = 1
    head: int | None = None
    device: str = "cpu"
    language: str = "en"
    theme: str = "dark"
    layout: str = "columns"
    captions: str = "tracks"
    beat: str | None = None
    poster: str | None = None
    engine: str = "fast"
    transparent: bool = False

    def __post_init__(self) -> None:
        if self.prompt is not None:
            object.__setattr__(self, "prompt", " ".join(self.prompt.split()))
        object.__setattr__(self, "quality", LETTERS.get(self.quality.lower(), self.quality.lower()))
        if self.quality not in QUALITIES:
            raise InputError(f"quality {self.quality!r}", "there is no such quality", f"try {', '.join(QUALITIES)}")
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise InputError(f"{name} {getattr(self, name)!r}", "unknown", f"try {', '.join(allowed)}")
        if not 1 <= self.rate <= FASTEST:
            raise InputError(f"{self.rate} frames per second", "out of range", f"give 1 to {FASTEST}")
        if not (math.isfinite(self.pace) and 0.1 <= self.pace <= 10):
            raise InputError(f"pace {self.pace}", "out of range", "give 0.1 (ten times as fast) to 10")
        for name, place in (("layer", self.layer), ("head", self.head)):
            if place is not None and place < 1:
                raise InputError(f"{name} {place}", f"a {name} counts from 1", f"try {name} 1")
        check_size(*self.size)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return frame_size(QUALITIES[self.quality][0])

    @property
    def rate(self) -> int:
        """Frames per second."""
        return QUALITIES[self.quality][1] if self.frames_per_second is None else self.frames_per_second

    def changes(self, standard: RenderSpec) -> dict[str, object]:
        """The options that make another picture than `standard` does, except language and quality."""
        apart = {"scene", "language", "quality", "frames_per_second", "poster", "device", "engine"}
        changed = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in apart and getattr(self, field.name) != getattr(standard, field.name)
        }
        if self.rate != QUALITIES[self.quality][1]:
            changed["frames_per_second"] = self.rate
        if self.device != standard.device and self.device != "auto":
            changed["device"] = self.device
        return changed

    def stem(self, standard: RenderSpec | None = None) -> str:
        """The file name without its ending.

        `qkv.en.high`, or `qkv-red-dragon-3f9a1c.zh.high` where the picture is not that of `standard`.
        """
        changed = self.changes(standard or RenderSpec(scene=self.scene))
        name = self.scene
        if changed:
            canonical = json.dumps(changed, sort_keys=True, ensure_ascii=False)
            digits = hashlib.sha256(canonical.encode()).hexdigest()[:6]
            name = "-".join(filter(None, [self.scene, slug(changed), digits]))
        return f"{name}.{self.language}.{self.quality}"


def slug(changed: dict[str, object]) -> str:
    """A few readable words for changed options: the prompt's own, else what was changed to what."""
    words: list[str] = []
    for name, value in changed.items():
        text = str(value).split("@")[0] if name == "model" else str(value)
        found = [word for word in re.findall(r"\w[\w.]*", text.lower()) if word not in UNTOLD]
        if name == "prompt":
            words += [word.strip(".")[:12] for word in found[:2]]
        elif name in ("theme", "layout", "captions", "beat", "query", "model", "device"):
            words += found[:2]
        elif name == "transparent":
            words.append(name)
        else:
            short = {"frames_per_second": "fps"}.get(name, name)
            words.append(f"{short}{value:g}" if isinstance(value, (int, float)) else short)
    return "-".join(filter(None, words[:5]))
