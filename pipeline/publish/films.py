"""Films: which forms a render is to have, and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline.catalogue import SceneEntry
from pipeline.publish import formats
from pipeline.render.films import film_path
from pipeline.render.jobs import Made
from pipeline.render.spec import RenderSpec
from transformer_core.errors import InputError

STANDARD, STANDARD_TRANSPARENT = "mp4", "webm"


def chosen_forms(asked: Sequence[str], *, output: str | None, transparent: bool) -> tuple[str, ...]:
    """The forms asked for, each once; else what the ending of `output` says, else the standard one."""
    if asked:
        return tuple(dict.fromkeys(asked))
    suffix = Path(output or "").suffix.lower()
    for form in formats.film_names():
        if suffix == formats.load_film(form).ENDING:
            return (form,)
    return (STANDARD_TRANSPARENT if transparent else STANDARD,)


def check_forms(forms: Sequence[str], entry: SceneEntry, spec: RenderSpec) -> None:
    """Raises InputError for a form that cannot leave out the ground, or is not for a whole scene."""
    for form in forms:
        kind = formats.load_film(form)
        if spec.transparent and not kind.ALPHA:
            others = " or ".join(f"--format {each}" for each in formats.film_names() if formats.load_film(each).ALPHA)
            raise InputError(
                f"--transparent --format {form}",
                f"{form} has no alpha, so it cannot leave out the ground",
                f"give {others}",
            )
        if not kind.WHOLE and spec.beat is None and len(entry.beats) > 1:
            why = f"{form} is loaded whole before it plays: it is for a beat, not for a scene"
            raise InputError(f"--format {form}", why, f"name one: --beat {entry.poster}")


def film_files(folder: Path, *, stem: str, forms: Sequence[str]) -> dict[str, Path]:
    """The films in a job folder by their published names, the first of the forms last."""
    return {f"{stem}{formats.load_film(form).ENDING}": folder / film_path(form) for form in reversed(tuple(forms))}


def ending_of(forms: Sequence[str], output: str | None) -> str:
    """The ending that `output` may have: that of any of the forms."""
    endings = [formats.load_film(form).ENDING for form in forms]
    suffix = Path(output or "").suffix.lower()
    return suffix if suffix in endings else endings[0]


def films_of(made: Made) -> list[Path]:
    """The films among the published files, the first that was asked for first."""
    endings = tuple(formats.load_film(form).ENDING for form in formats.film_names())
    return [path for path in reversed(made.files) if path.name.endswith(endings)]
