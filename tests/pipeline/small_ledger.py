"""A ledger of a few rows, as plain data, for tests of what is written from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TOKENS = ("a", "fluffy", "blue", "creature", "roamed")
CONFIG = {"layer_count": 1, "head_count": 1, "d_model": 4, "d_head": 2, "vocabulary_size": 9}
PATTERN = "blocks.0.attn.pattern"


def cell(name: str, **index: int) -> dict[str, Any]:
    """A place, as rows and expressions have it."""
    return {"name": name, "index": index}


def made(operation: str, formula: str, *parents: Mapping[str, Any]) -> dict[str, Any]:
    """How a derived number is made."""
    return {"name": f"derived.{operation}", "formula": formula, "parents": list(parents)}


def number(text: str, place: Mapping[str, Any], *, beat: str = "one", **more: Any) -> dict[str, Any]:
    """A number on screen; its value is what its text says."""
    value = float(text.replace("−∞", "-inf").replace("−", "-").lstrip("≈>"))
    kind = "masked" if text == "−∞" else "rounded"
    usual = {"beat": beat, "time_in": 0.0, "time_out": 1.0, "text": text, "kind": kind, "hex": value.hex()}
    return usual | dict(place) | more


def derived(text: str, expression: Mapping[str, Any], *, index: Mapping[str, int] | None = None, **more: Any) -> Any:
    """A derived number on screen."""
    place = {"name": expression["name"], "index": index or {}, "formula": expression["formula"]}
    return number(text, place, **more) | {"expression": expression}


def drawn(value: float, place: Mapping[str, Any], *, channel: str = "area", beat: str = "one") -> dict[str, Any]:
    """A value without digits."""
    return {"beat": beat, "channel": channel, "scale": "s", "hex": value.hex(), "drawn": value} | dict(place)


def small_ledger(
    *numbers: Mapping[str, Any],
    encodings: tuple[Mapping[str, Any], ...] = (),
    quoted: tuple[Mapping[str, Any], ...] = (),
    tokens: tuple[str, ...] = TOKENS,
    config: Mapping[str, Any] | None = None,
    words: Mapping[int, str] | None = None,
    claims: tuple[Mapping[str, Any], ...] = (),
    order: tuple[int, ...] | None = None,
    query: int | None = 4,
    beats: tuple[str, ...] = ("one",),
) -> dict[str, Any]:
    """The ledger."""
    line = {"start": 0.0, "end": 1.0}
    said = {"en": [{"text": "One.", **line}, {"text": "Two.", **line}], "zh": [{"text": "一。", **line}] * 2}
    texts = {"titles": {"en": "Scores", "zh": "分数"}, "alt": {"en": "A grid.", "zh": "一个网格。"}, "captions": said}
    return {
        "asset": "x",
        "scene": "Small",
        "titles": {"en": "Small", "zh": "小"},
        "digest": "00ff",
        "model": {"name": "glass", "reference": "glass"},
        "trace": {
            "prompt": " ".join(tokens),
            "tokens": tokens,
            "order": order,
            "config": CONFIG | dict(config or {}),
        },
        "render": {"language": "en", "query": query},
        "labels": {"vocabulary": {str(key): word for key, word in (words or {}).items()}, "claims": list(claims)},
        "beats": [{"name": beat, "start": 61.5, "end": 70.0} | texts for beat in beats],
        "numbers": list(numbers),
        "encodings": list(encodings),
        "quoted": list(quoted),
    }
