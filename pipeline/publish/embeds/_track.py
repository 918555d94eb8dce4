"""Caption files read back: the cues of a WebVTT file that `pipeline.publish.captions` wrote."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from pathlib import Path

TIMES = re.compile(r"(?:(\d+):)?(\d\d):(\d\d\.\d{3}) --> (?:(\d+):)?(\d\d):(\d\d\.\d{3})")


@dataclass(frozen=True)
class Cue:
    """One caption: when, in seconds, and its plain text."""

    start: float
    end: float
    text: str


def read_cues(path: Path) -> tuple[Cue, ...]:
    """The cues in their order; what is no cue is passed over."""
    cues = []
    for block in re.split(r"\n{2,}", path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")):
        lines = block.strip().splitlines()
        place = next((number for number, line in enumerate(lines) if TIMES.match(line)), None)
        if place is not None:
            found = TIMES.match(lines[place])
            assert found is not None
            text = re.sub(r"<[^>]*>", "", " ".join(lines[place + 1 :]))
            cues.append(Cue(_seconds(*found.groups()[:3]), _seconds(*found.groups()[3:]), html.unescape(text)))
    return tuple(cues)


def _seconds(hours: str | None, minutes: str, seconds: str) -> float:
    return int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
