"""What a picture shows: digits as they are written, sizes and shapes at the resolution of its pixels, words, times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.course.digest import digest

FRAME_WIDTH = 16.0
STEPS = 4
"""Steps in a pixel, and in a level of opacity: finer ones cannot be seen."""
EXACT = ("shade",)
"""Channels whose drawn size is a count."""


def shown(record: Mapping[str, Any], looks: Mapping[str, str], *, width: int) -> str:
    """The digest of what a scene's record says is on screen, `width` pixels wide; `looks`: its picture by beat.

    Whether a text is exact is no part of it: where that can be seen, by an equals sign, it is in the picture.
    """
    scale = width / FRAME_WIDTH * STEPS
    return digest(
        {
            "numbers": [
                [
                    row["beat"],
                    round(row["time_in"], 3),
                    round(row["time_out"], 3),
                    row["text"],
                    row["name"],
                    row["index"],
                    [round(edge * scale) for edge in row["box"]],
                ]
                for row in record["numbers"]
            ],
            "encodings": [
                [row["beat"], row["channel"], row["scale"], row["name"], row["index"], drawn(row, scale=scale)]
                for row in record["encodings"]
            ],
            "beats": [
                {key: beat[key] for key in ("name", "titles", "alt")}
                | {"captions": {language: list(map(_line, lines)) for language, lines in beat["captions"].items()}}
                | {"start": round(beat["start"], 3), "end": round(beat["end"], 3)}
                for beat in record["beats"]
            ],
            "looks": dict(looks),
            "duration": round(record["duration"], 3),
        }
    )


def _line(line: Mapping[str, Any]) -> list[object]:
    return [line["text"], round(line["start"], 3), round(line["end"], 3)]


def from_zero(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record of one beat as its video has it: the video begins with the beat, whatever was skipped before."""
    [beat] = record["beats"]
    zero = beat["start"]

    def shifted(row: Mapping[str, Any], *keys: str) -> dict[str, Any]:
        return {**row, **{key: max(0.0, round(row[key] - zero, 6)) for key in keys}}

    spoken = {
        language: [shifted(line, "start", "end") for line in lines] for language, lines in beat["captions"].items()
    }
    return {
        **record,
        "beats": [{**shifted(beat, "start", "end"), "captions": spoken}],
        "numbers": [shifted(row, "time_in", "time_out") for row in record["numbers"]],
        "duration": round(beat["end"] - zero, 6),
    }


def drawn(row: Mapping[str, Any], *, scale: float) -> int:
    """The drawn size of an encoding in steps; `scale` is steps a unit."""
    if row["channel"] in EXACT:
        return round(row["drawn"])
    return round(row["drawn"] * (255 * STEPS if row["channel"] == "opacity" else scale))
