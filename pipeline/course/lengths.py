"""How long a picture's drawing takes where nothing like it was drawn yet: from the length of what is said in it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from pipeline.catalogue import SceneEntry
from pipeline.render.spec import RenderSpec

Forms = Mapping[str, tuple[float, float]]

BEAT_SECONDS = 3.0
"""What a beat lasts beside its captions."""
START_SECONDS = 3.0
RUN_SECONDS = 0.03
"""To run a second of a scene without drawing it."""
DRAW_SECONDS, PIXEL_SECONDS = 0.06, 0.0013
"""To draw a second of film, and more for each million pixels in it; measured on two cores, see docs/performance.md."""
FILM_SECONDS: Forms = {
    "mp4": (0.0, 0.0),
    "webm": (0.0063, 0.0106),
    "mov": (0.0017, 0.0059),
    "gif": (0.0018, 0.0090),
    "webp": (0.0032, 0.0107),
}
CLEAR_SECONDS: Forms = {"webm": (0.0, 0.0175), "mov": (0.0, 0.0175), "webp": (0.0116, 0.0105)}
"""To write a film in that form, for each frame and each million pixels: processor seconds beyond those of mp4, which is
encoded while it is drawn; of one that leaves out the ground, where webm is VP9 and not AV1.

From `python -m bench.forms` at draft and medium, webm also at high quality. By the clock they are as many where every
core has a job of its own, and fewer where a job has several.
"""


def drawing_seconds(entry: SceneEntry, spec: RenderSpec, *, film: bool, forms: Iterable[str] = ()) -> float:
    """About how long a picture takes to draw, and a film to write in these forms, in seconds."""
    lengths = beat_seconds(entry)
    whole = sum(lengths.values()) * spec.pace
    drawn = (lengths.get(spec.beat, 0.0) * spec.pace if spec.beat else whole) if film else 0.0
    width, height = spec.size
    million = width * height * spec.rate / 1e6
    each = DRAW_SECONDS + PIXEL_SECONDS * million
    costs = CLEAR_SECONDS if spec.transparent else FILM_SECONDS
    for form in forms:
        # A form that nobody measured costs what the dearest does.
        frame, pixels = costs.get(form, max(costs.values()))
        each += frame * spec.rate + pixels * million
    return START_SECONDS + drawn * each + (whole - drawn) * RUN_SECONDS


def beat_seconds(entry: SceneEntry) -> dict[str, float]:
    """About how long each beat of a scene lasts: the reading time of its captions, of conditional ones half."""
    spoken = _spoken(entry.search / f"{entry.module.replace('.', '/')}.toml")
    return {beat: BEAT_SECONDS + spoken.get(beat, 0.0) for beat in entry.beats}


@cache
def _spoken(path: Path) -> dict[str, float]:
    from scenes.kit.texts import reading_seconds

    try:
        beats = tomllib.loads(path.read_text(encoding="utf-8"))["beats"]
        return {
            name: sum(
                max(reading_seconds(line["en"]), reading_seconds(line["zh"])) * (0.5 if line.get("when") else 1.0)
                for line in beat.get("captions", ())
            )
            for name, beat in beats.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
