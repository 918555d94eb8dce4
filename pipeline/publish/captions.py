"""Captions and chapters as WebVTT: one caption track for each language, on one timeline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def captions(record: Mapping[str, Any], language: str) -> str:
    """The caption track of one language. `record`: a scene's record as plain data."""
    lines = [line for beat in record["beats"] for line in beat["captions"].get(language, ())]
    return _track("captions", language, ((line["start"], line["end"], line["text"]) for line in lines))


def chapters(record: Mapping[str, Any], language: str) -> str:
    """One chapter for each beat, titled in one language."""
    beats = record["beats"]
    return _track("chapters", language, ((beat["start"], beat["end"], beat["titles"][language]) for beat in beats))


def languages(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The languages that every beat has captions in."""
    spoken = [set(beat["captions"]) for beat in record["beats"]]
    return tuple(sorted(set.intersection(*spoken))) if spoken else ()


def clock(seconds: float) -> str:
    """Seconds as WebVTT writes them: 00:01:02.345."""
    thousandths = max(0, round(seconds * 1000))
    minutes, rest = divmod(thousandths, 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{rest // 1000:02d}.{rest % 1000:03d}"


def _track(kind: str, language: str, cues: Iterable[tuple[float, float, str]]) -> str:
    parts = [f"WEBVTT\nKind: {kind}\nLanguage: {language}\n"]
    for start, end, text in cues:
        # A cue without length is an error in WebVTT, and an empty one says nothing.
        if text.strip() and round(end * 1000) > round(start * 1000):
            parts.append(f"{clock(start)} --> {clock(end)}\n{_escape(text)}\n")
    return "\n".join(parts)


def _escape(text: str) -> str:
    """No blank line ends the cue early, no sign is taken for markup."""
    plain = " ".join(text.split())
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
