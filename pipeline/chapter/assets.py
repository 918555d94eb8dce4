"""From directives to the assets of a course: what a chapter shows is built, kept and judged as a course's is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeline.catalogue import SceneEntry, catalogue, find_scenes
from pipeline.chapter.directive import Directive
from pipeline.chapter.source import EXAMPLES, Chapter
from pipeline.course.asset import Asset, Picture
from pipeline.course.course import FIGURE_QUALITY, STANDARD, Course
from pipeline.course.store import FOLDER, Store
from pipeline.publish import formats
from pipeline.render.spec import RenderSpec
from pipeline.render.workspace import Advice
from transformer_core.errors import InputError

FIELDS = {"lang": "language", "fps": "frames_per_second"}
KINDS: Mapping[str, tuple[Callable[[str], Any], str]] = {
    "layer": (int, "a whole number"),
    "head": (int, "a whole number"),
    "fps": (int, "a whole number"),
    "decimals": (int, "a whole number"),
    "pace": (float, "a number"),
}
FIGURE_FORMS = ("svg", "png")
"""What a page can show; the first is the usual one."""
MEDIA = "media"


@dataclass(frozen=True)
class ChapterCourse(Course):
    """The assets of a chapter. `path` is its page, beside which the lock lies; `base` the chapter's own folder."""

    base: Path = Path()

    @property
    def folder(self) -> Path:
        """The folder that models are found from."""
        return self.base

    @property
    def advice(self) -> Advice:
        """What to type where a name in the media folder cannot be had."""
        return Advice(*["name another folder with --media"] * 2)


BOTH = "both"
"""The word for both themes: light, which paper has as well, and dark for readers whose system is dark."""


def course_of(chapter: Chapter, *, page: Path, media: Path) -> tuple[ChapterCourse, dict[int, tuple[Asset, ...]]]:
    """The course that a chapter amounts to, and each directive's assets by the directive's place in the text.

    A directive has one asset, or a light and a dark one. Raises InputError, with file and line, for a directive that
    asks for what there is not.
    """
    scenes = catalogue()
    assets: dict[str, Asset] = {}
    placed: dict[int, tuple[Asset, ...]] = {}
    for directive in chapter.directives:
        if directive.kind not in ("video", "figure"):
            continue
        own = tuple(asset_of(chapter, each, scenes) for each in _by_theme(directive))
        for asset in own:
            if assets.setdefault(asset.name, asset).picture != asset.picture:
                where, why = f"{chapter.where(directive)}: {asset.name}", "two that differ would have one file"
                raise InputError(where, why, "give both the same poster and captions")
        placed[directive.start] = tuple(assets[asset.name] for asset in own)
    return ChapterCourse(page, media, tuple(assets.values()), chapter.folder), placed


def store_of(chapter: Chapter) -> Store:
    """The store of the course that the chapter lies in, else one in its own folder."""
    folder = chapter.folder.absolute()
    above = next((each for each in (folder, *folder.parents) if (each / STANDARD).is_file()), folder)
    return Store(above / FOLDER, os.path.relpath(chapter.path.absolute(), above))


def _by_theme(directive: Directive) -> tuple[Directive, ...]:
    """The directive, once for each theme that it asks for."""
    if directive.options.get("theme") != BOTH:
        return (directive,)
    return tuple(replace(directive, options={**directive.options, "theme": each}) for each in ("light", "dark"))


def asset_of(chapter: Chapter, directive: Directive, scenes: tuple[SceneEntry, ...]) -> Asset:
    """The asset of one directive. Raises InputError with file and line."""
    place = chapter.where(directive)
    subject, *more = directive.words
    if more:
        raise InputError(f"{place}: {more[0][:40]!r}", f"{directive.kind} takes one", EXAMPLES[directive.kind])
    name, colon, beat = subject.partition(":")
    with placed(place):
        entry = one_scene(name, scenes)
        chosen = entry.require_beat(beat) if colon else None
        spec = spec_of(directive, entry, beat=chosen)
        if directive.kind == "video":
            stem = spec.stem()
            return Asset(f"{stem}.mp4", stem, "mp4", Picture(entry, spec, "video"), 0)
        if chosen is None:
            raise InputError(f"figure {subject!r}", "it names no beat", f"write {entry.name}:{entry.poster}")
        form = directive.options.get("format", FIGURE_FORMS[0])
        if form not in FIGURE_FORMS:
            raise InputError(f"format {form!r}", "a page shows no such figure", "give svg or png")
        if not formats.is_raster(form):
            spec = replace(spec, quality=FIGURE_QUALITY)
        base, language, quality = replace(spec, beat=None).stem().rsplit(".", 2)
        sized = "" if quality == FIGURE_QUALITY else f".{quality}"
        stem = f"{base}.{chosen}.{language}{sized}"
        return Asset(f"{stem}.{form}", stem, form, Picture(entry, spec, "figure"), 0)


def one_scene(name: str, scenes: tuple[SceneEntry, ...]) -> SceneEntry:
    """The scene of that name. Raises InputError."""
    found = find_scenes([name], among=scenes)
    if len(found) != 1:
        raise InputError(f"scene {name!r}", f"it is {len(found)} scenes", "name one scene")
    return found[0]


def spec_of(directive: Directive, entry: SceneEntry, *, beat: str | None) -> RenderSpec:
    """The spec that the options come to. Raises InputError."""
    names = {field for field in RenderSpec.__dataclass_fields__ if field not in ("scene", "beat", "engine")}
    given: dict[str, Any] = {}
    for key, value in directive.options.items():
        if FIELDS.get(key, key) in names:
            given[FIELDS.get(key, key)] = typed(key, value)
    if given.get("model") == entry.default_model:
        del given["model"]
    if given.get("poster"):
        given["poster"] = entry.require_beat(given["poster"])
    return RenderSpec(scene=entry.name, beat=beat, **given)


def typed(key: str, value: str) -> Any:
    """The value of an option in its own type. Raises InputError."""
    if not value.strip():
        raise InputError(f"{key} = {value!r}", "it is empty", "give a value, or leave it out")
    if key not in KINDS:
        return value
    kind, words = KINDS[key]
    try:
        return kind(value)
    except ValueError:
        raise InputError(f"{key} = {value[:40]!r}", f"it is not {words}", f"give {words}") from None


@contextmanager
def placed(place: str) -> Iterator[None]:
    """A context in which what an InputError says begins with the place."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error.what}", error.why, error.instead) from None
