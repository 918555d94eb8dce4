"""From a picture in the store to the files of its assets in the output folder."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.course.asset import Asset
from pipeline.course.claims import Claims
from pipeline.course.command import command_of
from pipeline.course.inputs import Inputs
from pipeline.course.lock import Made
from pipeline.course.orders import FILMS, poster_of
from pipeline.course.store import Kept
from pipeline.publish import number_formats
from pipeline.publish.figures import Wanted, figure_files
from pipeline.publish.files import video_files
from pipeline.publish.films import film_files
from pipeline.publish.ledger import ledger
from pipeline.render.job import DRAWINGS, STILLS
from pipeline.render.jobs import Drawn
from pipeline.render.request import Request
from pipeline.render.workspace import Workspace


@dataclass(frozen=True)
class BeatFigures(Wanted):
    """Figures of one asset: named as the asset, with the beat where it has several."""

    single: bool = True

    def name(self, request: Request, beat: str) -> str:
        """`pattern.en`, or `pattern.softmax.en` for one of several beats."""
        assert self.stem is not None
        base, _, language = self.stem.rpartition(".")
        return self.stem if self.single else f"{base}.{beat}.{language}"


def publish(
    assets: Sequence[Asset], *, kept: Kept, request: Request, inputs: Inputs, claims: Claims
) -> tuple[dict[str, Made], list[str]]:
    """Put the files of these assets of one picture into the output folder, each by one rename.

    Also returns a line for each file that a person had changed. Raises InputError, with nothing of a stem put there,
    where somebody else's file has one of its names.
    """
    made: dict[str, Made] = {}
    told: list[str] = []
    stems: dict[str, list[Asset]] = {}
    for asset in assets:
        stems.setdefault(asset.stem, []).append(asset)
    for stem, group in stems.items():
        with Workspace(claims.output, claims.advice) as workspace:
            for part in (STILLS, DRAWINGS):
                if (kept.folder / part).is_dir():
                    shutil.copytree(kept.folder / part, workspace.folder / part)
            for asset in group:
                if asset.form in FILMS:
                    shutil.copyfile(kept.folder / FILMS[asset.form], workspace.folder / FILMS[asset.form])
            drawn = Drawn(request, workspace.folder, kept.record(), kept.manifest.frames)
            files = _files(group, stem, drawn)
            every = {name: path for each in files.values() for name, path in each.items()}
            told += claims.claim(group, every)
            workspace.publish(every)
        for asset in group:
            made[asset.name] = Made(
                files=tuple(sorted(files[asset.form])),
                shown=kept.manifest.shown,
                digest=kept.manifest.digest,
                picture=inputs.picture,
                numbers=inputs.numbers,
                fonts=kept.manifest.fonts,
            )
    return made, told


def _files(assets: Sequence[Asset], stem: str, drawn: Drawn) -> dict[str, Mapping[str, Path]]:
    """The files of each form, made in the work folder."""
    picture = assets[0].picture
    forms = tuple(asset.form for asset in assets)
    together = assets[0].forms or forms
    command = command_of(picture, (*together, *(form for form in forms if form not in together)))
    if picture.kind == "video":
        files = video_files(drawn, stem=stem, poster=poster_of(picture), command=command, films=forms)
        films = film_files(drawn.folder, stem=stem, forms=forms)
        return {
            form: {
                name: path for name, path in files.items() if name not in films or path == drawn.folder / FILMS[form]
            }
            for form in forms
        }
    if picture.kind == "numbers":
        tables = {}
        for form in forms:
            # A table is written to stdout, so each is a command of its own.
            command = command_of(picture, (form,))
            data = ledger(drawn.record, drawn.request, asset=stem, frames=0, command=command)
            path = drawn.folder / f"{stem}.{form}"
            path.write_bytes(number_formats.write(data, form=form))
            tables[form] = {path.name: path}
        return tables
    wanted = BeatFigures(forms, stem, command, single=picture.spec.beat is not None)
    files = figure_files(drawn, wanted=wanted)
    ledgers = {name for name in files if not any(name.endswith(f".{form}") for form in forms)}
    return {
        form: {name: path for name, path in files.items() if name in ledgers or name.endswith(f".{form}")}
        for form in forms
    }
