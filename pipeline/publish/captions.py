"""Captions as WebVTT and SubRip, chapters as WebVTT: one caption track for each language, on one timeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def captions(record: Mapping[str, Any], language: str) -> str:
    """The caption track of one language. `record`: a scene's record as plain data."""
    lines = [line for beat in record["beats"] for line in beat["captions"].get(language, ())]
    return _track("captions", language, ((line["start"], line["end"], line["text"]) for line in lines))


def subrip(record: Mapping[str, Any], language: str) -> str:
    """The caption track of one language as SubRip, for video sites and editors that read no WebVTT."""
    lines = [line for beat in record["beats"] for line in beat["captions"].get(language, ())]
    cues = _shown((line["start"], line["end"], line["text"]) for line in lines)
    parts = (
        f"{number}\n{clock(start)} --> {clock(end)}\n".replace(".", ",") + f"{_plain(text)}\n"
        for number, (start, end, text) in enumerate(cues, 1)
    )
    return "\n".join(parts)


def tracks(record: Mapping[str, Any]) -> dict[str, str]:
    """The caption files of a video, by what follows its stem: `.en.vtt`, `.en.srt`, `.zh.vtt`, …"""
    files: dict[str, str] = {}
    for each in languages(record):
        files |= {f".{each}.vtt": captions(record, each), f".{each}.srt": subrip(record, each)}
    return files


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
    parts += [f"{clock(start)} --> {clock(end)}\n{_escape(text)}\n" for start, end, text in _shown(cues)]
    return "\n".join(parts)


def _shown(cues: Iterable[tuple[float, float, str]]) -> Iterator[tuple[float, float, str]]:
    """Without those of no length, an error in WebVTT, and those that say nothing."""
    for start, end, text in cues:
        if text.strip() and round(end * 1000) > round(start * 1000):
            yield start, end, text


def _escape(text: str) -> str:
    """No blank line ends the cue early, no sign is taken for markup."""
    return _plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _plain(text: str) -> str:
    return " ".join(text.split())
