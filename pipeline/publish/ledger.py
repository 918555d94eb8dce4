"""The ledger: every number that a video shows, where, when, its exact bits and what it was computed from.

Its form is published in `numbers.schema.json`.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.publish.schema import fault
from transformer_core.errors import InputError

if TYPE_CHECKING:
    from pipeline.render.request import Request
    from pipeline.render.spec import RenderSpec
    from transformer_core.trace import TraceSpec

FORMAT = "manim-attention.numbers.1"
SCHEMA = Path(__file__).with_name("numbers.schema.json")
ENDING = ".numbers.json"
PICTURES = (".mp4", ".webm", ".mov", ".gif", ".webp", ".frames", ".svg", ".pdf", ".png", ".html", ".pptx")
CHAPTERS = ".chapters.vtt"
TRANSCRIPTS = (".en.transcript.md", ".zh.transcript.md")
TRACKS = (".en.vtt", ".zh.vtt", ".en.srt", ".zh.srt")
ROWS = ("beats", "numbers", "encodings", "quoted")
PACKAGES = ("manim-attention", "manim", "av", "numpy")


def ledger(record: Mapping[str, Any], request: Request, *, asset: str, frames: int, command: str) -> dict[str, Any]:
    """The ledger as JSON-able data. `frames` is 0 where only pictures were made."""
    data = {
        "format": FORMAT,
        "asset": asset,
        "scene": record["scene"],
        "titles": dict(request.entry.titles),
        "class": request.entry.class_name,
        "digest": request.trace.digest,
        "command": command,
        "model": {"reference": request.model_reference, "name": request.trace.spec.model_name},
        "trace": trace_data(request.trace.spec),
        "render": render_data(request, frames),
        "versions": versions(),
        "labels": labels(record, request.trace.spec),
        "duration": record["duration"],
        "beats": [_beat(beat) for beat in record["beats"]],
        "numbers": list(record["numbers"]),
        "encodings": list(record["encodings"]),
        "quoted": [
            {"beat": beat["name"], "text": each["text"], "kind": each["kind"], **each["cell"]}
            for beat in record["beats"]
            for each in beat["quoted"]
        ],
    }
    return data | {"rows_digest": rows_digest(data)}


def trace_data(spec: TraceSpec) -> dict[str, Any]:
    """What the numbers were computed from: enough to compute them again with the models at hand."""
    left_out = ("vocabulary", "card", "companions")
    data = json.loads(spec.to_json())
    named = {"companions": list(spec.companions)} if spec.companions else {}
    return {key: value for key, value in data.items() if key not in left_out} | named


def labels(record: Mapping[str, Any], spec: TraceSpec) -> dict[str, Any]:
    """What places in the rows stand for: words of the vocabulary by id, and the claims of the model's card in order."""
    rows = [*record["numbers"], *record["encodings"]]
    indices = [row["index"] for row in rows] + [
        each["cell"]["index"] for beat in record["beats"] for each in beat["quoted"]
    ]
    expressions = [row.get("expression") for row in rows]
    expressions += [each["cell"].get("expression") for beat in record["beats"] for each in beat["quoted"]]
    while expressions:
        made = expressions.pop()
        if made:
            # What is written short stands for many words, which no text names one by one.
            indices += [made.get("index", {})] if "count" not in made else []
            expressions += made.get("parents", ())
    words = sorted({index["vocab"] for index in indices if "vocab" in index})
    claims = [
        {"id": claim.get("id", "")} | ({"head": claim["head"] + 1} if "head" in claim else {})
        for claim in spec.card.get("claims", ())
    ]
    return {"vocabulary": {str(word): spec.vocabulary[word] for word in words}, "claims": claims}


def render_data(request: Request, frames: int) -> dict[str, Any]:
    """How the numbers were drawn. Layer, head and query count from 1 here, as on screen."""
    spec: RenderSpec = request.asked
    width, height = spec.size
    query = request.brief["query"]
    looks = {
        key: value
        for key, value in asdict(spec).items()
        if key in ("quality", "pace", "layer", "language", "theme", "layout", "captions", "beat")
    }
    from scenes.kit.theme import THEMES

    ground = {"ground": THEMES[spec.theme].ground} if spec.transparent else {}
    return (
        looks
        | ground
        | {
            "head": request.brief["head"] + 1,
            "query": None if query is None else query + 1,
            "width": width,
            "height": height,
            "frames_per_second": spec.rate,
            "frames": frames,
        }
    )


def versions() -> dict[str, str]:
    """The programs that drew the picture."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def write_ledger(path: Path, data: Mapping[str, Any]) -> None:
    """Write a ledger: one number a line, so that two of them can be compared line by line."""
    lines = []
    for key, value in data.items():
        if key in ROWS:
            rows = ",\n".join(f"  {_compact(row)}" for row in value)
            lines.append(f"{_compact(key)}: [\n{rows}\n ]" if rows else f"{_compact(key)}: []")
        else:
            lines.append(f"{_compact(key)}: {_compact(value)}")
    path.write_text("{\n " + ",\n ".join(lines) + "\n}\n", encoding="utf-8")


def read_ledger(path: Path) -> dict[str, Any]:
    """Raises InputError for a file that is missing or no ledger."""
    again = "render it again"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})", "give a published file") from None
    except (ValueError, RecursionError):
        raise InputError(str(path), "not JSON", again) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(str(path), f"not a ledger of the form {FORMAT}", again)
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    found = fault(data, schema, schema["$defs"])
    if found:
        raise InputError(str(path), found, again)
    return data


def rows_digest(data: Mapping[str, Any]) -> str:
    """The SHA-256 of a ledger's rows, by which one that was changed, added or removed is noticed.

    The digests of the texts are part of it where there are such.
    """
    texts = [data["texts"]] if data.get("texts") else []
    return hashlib.sha256(_compact([*(data[key] for key in ROWS), *texts]).encode()).hexdigest()


def ledger_path(asset: str) -> Path:
    """The ledger of a published file: itself, or the one beside a video, figure, poster, track or bare stem."""
    path = Path(asset)
    if path.name.endswith(ENDING):
        return path
    for ending in (*PICTURES, *TRANSCRIPTS, CHAPTERS, *TRACKS):
        if path.name.endswith(ending):
            return path.with_name(path.name.removesuffix(ending) + ENDING)
    return path.with_name(path.name + ENDING)


def ledgers_of(asset: str) -> list[Path]:
    """The ledgers of a published file: its own, those of a deck's scenes, those of a comparison's two sides."""
    path = ledger_path(asset)
    stem = path.name.removesuffix(ENDING)
    if not path.parent.is_dir():
        return [path]
    beside = (each for each in sorted(path.parent.iterdir()) if each.name.startswith(f"{stem}."))
    scenes = [each for each in beside if each != path and each.name.endswith(ENDING) and _is_of(each, stem)]
    return [path, *scenes] if path.exists() or not scenes else scenes


def _is_of(path: Path, stem: str) -> bool:
    """Whether the ledger is that of a scene in the deck of that name, or of a side of the comparison."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        deck = data["render"].get("deck")
        part = _side(data) if deck is None else data["asset"].removeprefix(deck)
        return path.name == f"{stem}{part}{ENDING}"
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def video_stem(path: Path, data: Mapping[str, Any]) -> str:
    """The stem of the video that a ledger's numbers are in: the ledger's own, or that of a comparison with two."""
    return path.name.removesuffix(ENDING).removesuffix(_side(data))


def _side(data: Mapping[str, Any]) -> str:
    """What tells a side of a comparison from the whole, whose name the texts have: `.a` or `.b`; else nothing."""
    chapters = next((name for name in data.get("texts", {}) if name.endswith(CHAPTERS)), data["asset"])
    return data["asset"].removeprefix(chapters.removesuffix(CHAPTERS))


def _beat(beat: Mapping[str, Any]) -> dict[str, Any]:
    return {key: beat[key] for key in ("name", "start", "end", "titles", "alt", "captions")}


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
