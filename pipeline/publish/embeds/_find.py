"""Which published video or figure a word means, and the same in the other of light and dark."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.publish.embeds._asset import Embeddable, Shown, asset_of, videos_of
from pipeline.publish.embeds._picture import ShownPicture, figure_of, files_of, is_figure, poster_of
from pipeline.publish.ledger import ENDING, ledger_path, read_ledger
from transformer_core.errors import InputError

if TYPE_CHECKING:
    from pipeline.catalogue import SceneEntry

PREFERRED = ("high", "2k", "4k", "medium", "low", "draft")
"""The quality that is embedded where a scene was rendered in several."""
PAIRS = {"dark": "light", "light": "dark"}


def find(word: str, *, language: str, media: Path, inline: bool = False) -> Embeddable:
    """The video or figure that `word` names: a file of it, its stem, a scene or a scene's beat, drawn to `media`.

    The poster of a video is a picture of its own. Raises InputError where there is none, or where a file that belongs
    to it is missing.
    """
    ledger = ledger_path(word)
    if not ledger.exists():
        scene, colon, beat = word.partition(":")
        ledger = _of_beat(scene, beat, language, media) if colon else _of_scene(word, language, media)
    data = read_ledger(ledger)
    if "deck" in data["render"]:
        raise InputError(word, "a deck is shown by itself, not on a page", "name a video or a figure")
    if is_figure(data):
        twin = _twin(data, ledger)
        return ShownPicture(asset=figure_of(data, ledger), twin=figure_of(read_ledger(twin), twin) if twin else None)
    if word.lower().endswith(".png"):
        return ShownPicture(asset=poster_of(data, Path(word), ledger))
    twin = _twin(data, ledger)
    shown = asset_of(data, ledger)
    return Shown(asset=shown, twin=asset_of(read_ledger(twin), twin) if twin else None, inline=inline)


def _of_beat(scene: str, beat: str, language: str, media: Path) -> Path:
    """The ledger of the beat's standard figure in that language."""
    entry = _one_scene(scene)
    named = f"{entry.name}:{entry.require_beat(beat)}"
    folder, stem = media / entry.name, f"{entry.name}.{entry.require_beat(beat)}.{language}"
    ledger = folder / f"{stem}{ENDING}"
    if ledger.exists():
        return ledger
    others = sorted(path.name.removesuffix(ENDING) for path in folder.glob(f"*.{stem.partition('.')[2]}*{ENDING}"))
    if others:
        raise InputError(f"figure {named!r}", "it was drawn with other options only", f"name {folder / others[0]}")
    more = "" if language == "en" else f" --lang {language}"
    raise InputError(f"figure {named!r}", "it is not drawn yet", f"run: python cli.py figure {named}{more}")


def _one_scene(word: str) -> SceneEntry:
    from pipeline.catalogue import find_scenes

    scenes = find_scenes((word,))
    if len(scenes) != 1:
        raise InputError(f"asset {word!r}", f"it is {len(scenes)} scenes, a page shows one", "name one scene")
    return scenes[0]


def _of_scene(word: str, language: str, media: Path) -> Path:
    """The ledger of the scene's standard video in that language, in the best quality for a page."""
    if "/" in word or Path(word).suffix:
        raise InputError(str(ledger_path(word)), "there is no such file", "name a video, a figure or a scene")
    entry = _one_scene(word)
    folder = media / entry.name
    for quality in PREFERRED:
        ledger = folder / f"{entry.name}.{language}.{quality}{ENDING}"
        if ledger.exists():
            return ledger
    ledgers = (path for path in folder.glob(f"*.{language}.*{ENDING}") if videos_of(path))
    others = sorted(path.name.removesuffix(ENDING) for path in ledgers)
    if others:
        raise InputError(f"asset {word!r}", "it was rendered with other options only", f"name {folder / others[0]}")
    more = "" if language == "en" else f" --lang {language}"
    raise InputError(f"asset {word!r}", "it is not rendered yet", f"run: python cli.py render {entry.name}{more}")


def _twin(data: dict[str, Any], ledger: Path) -> Path | None:
    """The ledger of the same numbers, drawn the same way but for the theme, published in the same folder."""
    other = PAIRS.get(data["render"].get("theme", ""))
    if other is None:
        return None
    ending = "." + ".".join(ledger.name.rsplit(".", 4)[1:])
    for path in _candidates(ledger, ending):
        candidate = _glance(path)
        if candidate.get("render", {}).get("theme") == other and _alike(data) == _alike(candidate):
            return path
    return None


def _glance(path: Path) -> dict[str, Any]:
    """A ledger whose form is not checked, which takes most of the time; empty where it is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _candidates(ledger: Path, ending: str) -> Iterable[Path]:
    """Ledgers of the same language and quality whose video or figure is there."""
    for path in sorted(ledger.parent.glob(f"*{ENDING}")):
        if path != ledger and path.name.endswith(ending) and (videos_of(path) or files_of(path)):
            yield path


def _alike(data: dict[str, Any]) -> object:
    """What two videos or two figures that differ in their theme alone have in common."""
    look, beats = data["render"], [beat.get("name") for beat in data.get("beats", ())]
    apart = ("theme", "frames", "ground", "beat") if look.get("frames") == 0 else ("theme", "frames", "ground")
    render = {name: value for name, value in look.items() if name not in apart}
    return data.get("scene"), data.get("digest"), look.get("frames") == 0, beats, render
