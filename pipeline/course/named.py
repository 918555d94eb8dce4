"""The published video that a name of the course means."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pipeline.course.asset import VIDEO_FORMS, Asset
from pipeline.course.course import matches, read_course
from transformer_core.errors import InputError


def video_named(name: str, *, language: str, file: Path) -> Path | None:
    """The video of that name and language; of two themes the one that is not light.

    None where there is no course file, or no video of this name in it. Raises InputError where there are
    several, or where it is not built.
    """
    if not file.exists():
        return None
    course = read_course(file)
    found = [asset for asset in course.assets if asset.form in VIDEO_FORMS and matches(asset, name)]
    found.sort(key=lambda asset: VIDEO_FORMS.index(asset.form), reverse=True)
    # Of one film's forms the standard one, where it is there.
    films = {asset.stem: asset for asset in found if asset.picture.spec.language == language}
    spoken = list(films.values())
    if not spoken:
        return None
    chosen = spoken if len(spoken) == 1 else list(_not_light(spoken))
    if len(chosen) > 1:
        names = ", ".join(sorted(asset.stem for asset in chosen)[:4])
        raise InputError(f"asset {name!r}", f"{file.name} has several videos of this name", f"name one: {names}")
    path = course.output / f"{chosen[0].stem}.{chosen[0].form}"
    if not path.exists():
        raise InputError(f"asset {name!r}", "it is not built yet", f"run: python cli.py build --only {name}")
    return path


def _not_light(assets: Iterable[Asset]) -> Iterable[Asset]:
    return (asset for asset in assets if asset.picture.spec.theme != "light")
