"""`course.toml`, read and checked: the assets that a lecturer wants."""

from __future__ import annotations

import difflib
import fnmatch
import itertools
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeline.catalogue import SceneEntry, catalogue, find_scenes
from pipeline.course.asset import STANDARD as STANDARD_FORM
from pipeline.course.asset import STANDARD_TRANSPARENT, VIDEO_FORMS, Asset, Picture, forms, kind_of
from pipeline.course.names import check_distinct, folded
from pipeline.course.store import FOLDER, USUAL
from pipeline.course.toml_file import TomlFile, read_toml
from pipeline.publish import formats
from pipeline.render.spec import RenderSpec
from pipeline.render.workspace import Advice
from transformer_core.errors import InputError

STANDARD, SUFFIX = Path(USUAL), ".toml"
MOST_ASSETS = 10_000
LONGEST_NAME = 120
"""Bytes: endings, and the draft of a file of the store, come on top, and 255 is all that a file's name may have."""
FIGURE_QUALITY = "high"
LOOK = {
    "lang": str,
    "theme": str,
    "layout": str,
    "format": str,
    "quality": str,
    "captions": str,
    "pace": float,
    "fps": int,
}
COURSE = {"output": str, **LOOK}
MODEL = {"name": str, "device": str}
ASSET = {"scene": str, "name": str, "prompt": str, "query": str, "model": str, "layer": int, "head": int}
ASSET |= {"beat": str, "poster": str, "device": str, "transparent": bool, **LOOK}
SEVERAL = ("scene", "lang", "theme", "layout", "beat", "layer", "head", "format")
"""The keys that take a list: an asset is made for each value."""
FIELDS = {"lang": "language", "fps": "frames_per_second"}
KINDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
_NAME = re.compile(r"\w[\w-]*(\.\w[\w-]*)*")


@dataclass(frozen=True)
class Course:
    """The assets of a course file in its order, and the folder they are published in."""

    path: Path
    output: Path
    assets: tuple[Asset, ...]

    @property
    def folder(self) -> Path:
        """The folder that the course file lies in."""
        return self.path.parent

    @property
    def advice(self) -> Advice:
        """What to change where a name in the output folder cannot be had."""
        return Advice(
            folder=f'name another output = "…" in {self.path.name}',
            file=f'give the asset a name = "…" in {self.path.name}',
        )

    def chosen(self, names: Sequence[str]) -> tuple[Asset, ...]:
        """The assets of these names: a file's, a block's, a scene's, or a pattern with `*`. All for none.

        Raises InputError, with the nearest name, for one that is no asset's.
        """
        if not names:
            return self.assets
        names = [unicodedata.normalize("NFC", name) for name in names]
        for name in names:
            if not any(matches(asset, name) for asset in self.assets):
                known = sorted({each for asset in self.assets for each in names_of(asset)})
                near = difflib.get_close_matches(name, known, n=1, cutoff=0.3)
                instead = f"did you mean {near[0]!r}?" if near else "name one of those that status lists"
                raise InputError(f"asset {name!r}", f"{self.path.name} has none of this name", instead)
        return tuple(asset for asset in self.assets if any(matches(asset, name) for name in names))


def names_of(asset: Asset) -> tuple[str, ...]:
    """What an asset can be called."""
    return tuple(filter(None, (asset.name, asset.stem, asset.block_name, asset.picture.entry.name)))


def matches(asset: Asset, name: str) -> bool:
    """Whether a person means this asset, among others, by that name."""
    return any(fnmatch.fnmatchcase(each, name) for each in names_of(asset))


def read_course(path: Path) -> Course:
    """Raises InputError, naming line and asset, for a file that asks for what there is not."""
    # Unlike a path's own methods, these take one that cannot be looked at for one that is not there.
    if os.path.isdir(path):
        path = path / STANDARD
    if not os.path.exists(path):
        raise InputError(str(path), "there is no such file", "write a course.toml, see docs/guide/course.md")
    if path.suffix != SUFFIX:
        # course.toml and course.txt would have one lock.
        raise InputError(str(path), f"a course file ends in {SUFFIX}", f"name it {path.stem}{SUFFIX}")
    file = read_toml(path)
    _known(file, "", file.data, {"course": dict, "model": dict, "asset": list})
    course = _table(file, "course", file.data.get("course", {}), COURSE)
    model = _table(file, "model", file.data.get("model", {}), MODEL)
    blocks = file.data.get("asset", [])
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise InputError(file.place("asset"), "asset is no list of tables", "begin each asset with [[asset]]")
    if not blocks:
        raise InputError(file.path.name, "it asks for nothing", "add a block that begins with [[asset]]")
    standards = {**course, **{"model": model.get("name"), "device": model.get("device")}}
    standards = {key: value for key, value in standards.items() if key != "output" and value is not None}
    scenes = catalogue()
    assets: list[Asset] = []
    for number, block in enumerate(blocks):
        checked = _table(file, "asset", block, ASSET, number=number)
        for asset in _expanded(file, number, standards, checked, scenes):
            assets.append(asset)
            if len(assets) > MOST_ASSETS:
                where = file.place("asset", number=number)
                raise InputError(where, f"more than {MOST_ASSETS} assets", "shorten a list")
    check_distinct(file, assets)
    return Course(path, path.parent / _output(file, course), tuple(assets))


def _table(file: TomlFile, name: str, data: Any, keys: Mapping[str, type], *, number: int = 0) -> dict[str, Any]:
    """The values of a table, of their kinds; lists only where several are allowed."""
    if not isinstance(data, dict):
        raise InputError(file.place(name), f"{name} is no table", f"write [{name}]")
    _known(file, name, data, keys, number=number)
    for key, value in data.items():
        several = isinstance(value, list) and key in SEVERAL
        values = value if several else [value]
        fault = "" if values else "an empty list"
        for each in values:
            fault = fault or _fault(each, keys[key])
        if several and len(set(map(str, values))) != len(values):
            fault = fault or "it names one twice"
        if fault:
            what = f"{_where(file, name, number, key)}: {key} = {str(value)[:60]!r}"
            kind = KINDS[keys[key]]
            raise InputError(what, fault, f"give {kind}" + (f", or a list: {key} = […]" if key in SEVERAL else ""))
    return dict(data)


def _fault(value: Any, kind: type) -> str:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return ""
    if isinstance(value, bool) != (kind is bool) or not isinstance(value, kind):
        return f"it is not {KINDS[kind]}"
    if isinstance(value, str) and not value.strip():
        return "it is empty"
    if isinstance(value, str) and not value.isprintable():
        return "it has a control character"
    return "" if len(str(value)) <= 2000 else "it is too long"


def _known(file: TomlFile, name: str, data: Mapping[str, Any], keys: Iterable[str], *, number: int = 0) -> None:
    for key in data:
        if key not in keys:
            near = difflib.get_close_matches(key, list(keys), n=1, cutoff=0.5)
            instead = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(keys)}"
            where = file.place(name, number=number, key=key) if name else file.place(key)
            raise InputError(f"{where}: {key[:60]!r}", f"{name or 'a course'} has no such key", instead)


def _where(file: TomlFile, name: str, number: int, key: str = "") -> str:
    place = file.place(name, number=number, key=key)
    return f"{place}, asset {number + 1}" if name == "asset" else place


def _output(file: TomlFile, course: Mapping[str, Any]) -> Path:
    output = Path(course.get("output", "media"))
    what = f"{file.place('course', key='output')}: output = {str(output)[:60]!r}"
    if output.is_absolute() or ".." in output.parts:
        raise InputError(what, "it leads out of the course's folder", "name a folder below it")
    folder, place = (Path(os.path.realpath(each)) for each in (file.path.parent, file.path.parent / output))
    # Also where a link leads there, and the store of a course further up or down.
    inside = place.relative_to(folder).parts if place.is_relative_to(folder) else place.parts
    if FOLDER in {folded(part) for part in (*output.parts, *inside)}:
        raise InputError(what, "what was drawn is kept there", "name another folder")
    return output


def _expanded(
    file: TomlFile,
    number: int,
    standards: Mapping[str, Any],
    block: Mapping[str, Any],
    scenes: tuple[SceneEntry, ...],
) -> Iterator[Asset]:
    if "scene" not in block:
        raise InputError(_where(file, "asset", number), "it names no scene", 'add scene = "qkv"')
    name = unicodedata.normalize("NFC", block.get("name", ""))
    if name and (not _NAME.fullmatch(name) or len(name.encode()) > LONGEST_NAME):
        what = f"{_where(file, 'asset', number, 'name')}: name = {name[:60]!r}"
        raise InputError(what, "it is no file's name", "use letters, digits, - and _")
    asked = {**standards, **block}
    lists = {key: _listed(asked[key]) for key in SEVERAL if key in asked}
    lists.setdefault("format", [STANDARD_TRANSPARENT if asked.get("transparent") else STANDARD_FORM])
    try:
        lists["scene"] = [entry for scene in lists["scene"] for entry in find_scenes([scene], among=scenes)]
    except InputError as error:
        raise _placed(error, _where(file, "asset", number, "scene")) from None
    varying = [key for key in SEVERAL if len(lists.get(key, ())) > 1 and key not in ("lang", "format")]
    for form in lists["format"]:
        if form not in forms():
            what = f"{_where(file, 'asset', number, 'format')}: format {form!r}"
            raise InputError(what, "there is no such form", f"try {', '.join(forms())}")
    for values in itertools.product(*lists.values()):
        one = {**asked, **dict(zip(lists, values, strict=True))}
        try:
            yield _asset(number, one, several=lists["format"], varying=varying, name=name)
        except InputError as error:
            raise _placed(error, _where(file, "asset", number, _key_of(error, block))) from None


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _placed(error: InputError, where: str) -> InputError:
    return InputError(f"{where}: {error.what}", error.why, error.instead)


def _key_of(error: InputError, block: Mapping[str, Any]) -> str:
    """The key of a block that an error speaks about, as far as its words tell."""
    words = {"language": "lang"}.get(error.what.split(" ", 1)[0], error.what.split(" ", 1)[0])
    return words if words in block else ""


def _asset(number: int, one: Mapping[str, Any], *, several: Sequence[str], varying: Sequence[str], name: str) -> Asset:
    entry: SceneEntry = one["scene"]
    form = one["format"]
    kind = kind_of(form)
    spec = _spec(entry, one)
    if kind == "video" and not formats.is_whole(form) and spec.beat is None and len(entry.beats) > 1:
        why = f"{form} is loaded whole before it plays: it is for a beat, not for a scene"
        raise InputError(f"format {form!r}", why, f'name one: beat = "{entry.poster}"')
    if spec.transparent and not (kind == "video" and formats.has_alpha(form)):
        clear = [each for each in VIDEO_FORMS if formats.has_alpha(each) and formats.is_whole(each)]
        why = "it is no film that can leave out the ground"
        raise InputError(f"format {form!r}", why, f"give {' or '.join(clear)}")
    if kind == "figure" and not any(formats.is_raster(each) for each in several if kind_of(each) == "figure"):
        # Outlines do not depend on it, so neither shall what is drawn.
        spec = replace(spec, quality=FIGURE_QUALITY, frames_per_second=None)
    elif kind == "numbers":
        spec = replace(spec, quality=FIGURE_QUALITY, frames_per_second=None)
    usual = replace(spec, beat=None if kind != "video" else spec.beat, quality=FIGURE_QUALITY, frames_per_second=None)
    base = usual.stem().rsplit(".", 2)[0] if not name else "-".join([name, *(_word(one[key]) for key in varying)])
    if not name and kind != "video" and spec.beat:
        base = f"{base}.{spec.beat}"
    stem = f"{base}.{spec.language}" + (f".{spec.quality}" if kind == "video" else "")
    together = tuple(each for each in several if kind_of(each) == kind)
    return Asset(f"{stem}.{form}", stem, form, Picture(entry, spec, kind), number, name, together)


def _word(value: Any) -> str:
    return value.name if isinstance(value, SceneEntry) else str(value)


def _spec(entry: SceneEntry, one: Mapping[str, Any]) -> RenderSpec:
    given = {FIELDS.get(key, key): value for key, value in one.items() if key not in ("scene", "name", "format")}
    if given.get("model") == entry.default_model:
        del given["model"]
    if "pace" in given:
        given["pace"] = float(given["pace"])
    spec = RenderSpec(scene=entry.name, **given)
    beat = entry.require_beat(spec.beat) if spec.beat is not None else None
    poster = entry.require_beat(spec.poster) if spec.poster is not None else None
    if beat is not None and poster not in (None, beat):
        raise InputError(f"poster {poster!r}", f"only the beat {beat!r} is rendered", "leave one of the two out")
    return replace(spec, beat=beat, poster=poster)
