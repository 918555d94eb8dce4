"""Which published video a word means, and the same video in the other of light and dark."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipeline.publish.embeds._asset import Asset, Shown, asset_of, videos_of
from pipeline.publish.ledger import ENDING, ledger_path, read_ledger
from transformer_core.errors import InputError

PREFERRED = ("high", "2k", "4k", "medium", "low", "draft")
"""The quality that is embedded where a scene was rendered in several."""
PAIRS = {"dark": "light", "light": "dark"}


def find(word: str, *, language: str, media: Path, inline: bool = False) -> Shown:
    """The video that `word` names: a file of it, its stem, or a scene that was rendered to `media`.

    Raises InputError where there is none, or where a file that belongs to it is missing.
    """
    ledger = ledger_path(word)
    if not ledger.exists():
        ledger = _of_scene(word, language, media)
    data = read_ledger(ledger)
    return Shown(asset=asset_of(data, ledger), twin=_twin(data, ledger), inline=inline)


def _of_scene(word: str, language: str, media: Path) -> Path:
    """The ledger of the scene's standard video in that language, in the best quality for a page."""
    from pipeline.catalogue import find_scenes

    if "/" in word or Path(word).suffix:
        raise InputError(str(ledger_path(word)), "there is no such file", "name a published video, or a scene")
    scenes = find_scenes((word,))
    if len(scenes) != 1:
        raise InputError(f"asset {word!r}", f"it is {len(scenes)} scenes, a page shows one", "name one scene")
    entry = scenes[0]
    folder = media / entry.name
    for quality in PREFERRED:
        ledger = folder / f"{entry.name}.{language}.{quality}{ENDING}"
        if ledger.exists():
            return ledger
    others = sorted(path.name.removesuffix(ENDING) for path in folder.glob(f"*.{language}.*{ENDING}"))
    if others:
        raise InputError(f"asset {word!r}", "it was rendered with other options only", f"name {folder / others[0]}")
    more = "" if language == "en" else f" --lang {language}"
    raise InputError(f"asset {word!r}", "it is not rendered yet", f"run: python cli.py render {entry.name}{more}")


def _twin(data: dict[str, Any], ledger: Path) -> Asset | None:
    """The same numbers, drawn the same way but for the theme, published in the same folder."""
    other = PAIRS.get(data["render"].get("theme", ""))
    if other is None:
        return None
    ending = "." + ".".join(ledger.name.rsplit(".", 4)[1:])
    for path in _candidates(ledger, ending):
        candidate = _glance(path)
        if candidate.get("render", {}).get("theme") == other and _alike(data) == _alike(candidate):
            return asset_of(read_ledger(path), path)
    return None


def _glance(path: Path) -> dict[str, Any]:
    """A ledger whose form is not checked, which takes most of the time; empty where it is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _candidates(ledger: Path, ending: str) -> Iterable[Path]:
    """Ledgers of the same language and quality whose video is there."""
    for path in sorted(ledger.parent.glob(f"*{ENDING}")):
        if path != ledger and path.name.endswith(ending) and videos_of(path):
            yield path


def _alike(data: dict[str, Any]) -> object:
    """What two videos that differ in their theme alone have in common."""
    render = {name: value for name, value in data["render"].items() if name not in ("theme", "frames")}
    return data.get("scene"), data.get("digest"), render
