"""The published video or figure that a name of the course means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pipeline.course.asset import VIDEO_FORMS, Asset
from pipeline.course.course import Course, matches, read_course
from pipeline.publish import formats
from transformer_core.errors import InputError


def asset_named(name: str, *, language: str, file: Path) -> Path | None:
    """The video of that name and language, else the figure; of two themes the one that is not light.

    None where there is no course file, or nothing of this name in it. Raises InputError where there are
    several, or where it is not built.
    """
    if not file.exists():
        return None
    course = read_course(file)
    named = [asset for asset in course.assets if matches(asset, name)]
    for forms, what in ((VIDEO_FORMS, "videos"), (formats.names(), "figures")):
        found = [asset for asset in named if asset.form in forms and asset.picture.spec.language == language]
        path = _one_of(found, forms, what, name=name, course=course)
        if path is None:
            continue
        if not path.exists():
            raise InputError(f"asset {name!r}", "it is not built yet", f"run: python cli.py build --only {name}")
        return path
    return None


def _one_of(found: list[Asset], forms: Sequence[str], what: str, *, name: str, course: Course) -> Path | None:
    found.sort(key=lambda asset: forms.index(asset.form), reverse=True)
    # Of the forms of one picture the first, where it is there.
    pictures = list({asset.stem: asset for asset in found}.values())
    if not pictures:
        return None
    chosen = pictures if len(pictures) == 1 else list(_not_light(pictures))
    if len(chosen) > 1:
        names = ", ".join(sorted(asset.stem for asset in chosen)[:4])
        raise InputError(f"asset {name!r}", f"{course.path.name} has several {what} of this name", f"name one: {names}")
    return course.output / f"{chosen[0].stem}.{chosen[0].form}"


def _not_light(assets: Iterable[Asset]) -> Iterable[Asset]:
    return (asset for asset in assets if asset.picture.spec.theme != "light")
