"""From specs to published files: what the commands `render`, `sheet` and `numbers` do."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.catalogue import SceneEntry
from pipeline.publish import formats
from pipeline.publish.destination import destination
from pipeline.publish.files import metadata, video_files
from pipeline.publish.films import check_forms, chosen_forms, ending_of
from pipeline.publish.ledger import ledger
from pipeline.render.job import STILLS
from pipeline.render.jobs import Drawn, Made, Order, make
from pipeline.render.progress import display
from pipeline.render.request import Request
from pipeline.render.spec import RenderSpec
from transformer_core.errors import InputError


def render(
    pairs: Sequence[tuple[SceneEntry, RenderSpec]],
    *,
    forms: Sequence[str] = (),
    output: str | None,
    media: Path,
    parallel: int,
    quiet: bool,
    command: str,
) -> list[Made]:
    """Render and publish films in each of the forms. `output` is a folder, or a stem for a single one.

    `forms` empty: what the ending of `output` says, else mp4, or webm where the ground is left out. Raises InputError.
    """
    orders = []
    for entry, spec in pairs:
        films = chosen_forms(forms, output=output, transparent=spec.transparent)
        check_forms(films, entry, spec)
        folder, stem = destination(
            output, default=media / entry.name, ending=ending_of(films, output), several=len(pairs) > 1
        )
        poster = spec.beat or spec.poster or entry.poster
        orders.append(
            Order(
                spec=spec,
                entry=entry,
                folder=folder,
                films=films,
                audit=True,
                stills=(poster,),
                metadata=partial(metadata, command=command),
                target=partial(_film_name, stem=stem, form=films[0]),
                publish=partial(_publish_films, stem=stem, films=films, poster=poster, command=command),
            )
        )
    return make(orders, display(_beats(pairs), quiet=quiet), parallel=parallel)


def draw_sheet(entry: SceneEntry, spec: RenderSpec, *, output: str | None, media: Path, quiet: bool) -> Path:
    """Draw all beats on one PNG and return its path. Raises InputError."""
    folder, stem = destination(output, default=media / entry.name, ending=".png")
    name = f"{stem}.png" if stem else None
    order = Order(
        spec=spec,
        entry=entry,
        folder=folder,
        audit=False,
        stills=entry.beats,
        metadata=lambda _: {},
        target=lambda request: name or sheet_name(request),
        publish=partial(_publish_sheet, name=name),
    )
    [made] = make([order], display(_beats([(entry, spec)]), quiet=quiet))
    return made.files[0]


def list_numbers(entry: SceneEntry, spec: RenderSpec, *, quiet: bool, command: str) -> dict[str, Any]:
    """The ledger of a scene that is run without being drawn."""
    order = Order(
        spec=spec,
        entry=entry,
        # A name that stays the same, so that the next run finds what a killed one left.
        folder=_temporary_folder() / f"manim-attention-{os.getuid()}",
        audit=True,
        stills=(),
        metadata=lambda _: {},
        target=lambda _: "",
        publish=lambda _: {},
    )
    [made] = make([order], display(_beats([(entry, spec)]), quiet=quiet))
    return ledger(made.record, made.request, asset=made.request.stem, frames=0, command=command)


def _temporary_folder() -> Path:
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError:
        raise InputError("TMPDIR", "no temporary folder can be written to", "set TMPDIR to one that can") from None


def _film_name(request: Request, *, stem: str | None, form: str) -> str:
    return f"{stem or request.stem}{formats.load_film(form).ENDING}"


def _publish_films(
    drawn: Drawn, *, stem: str | None, films: Sequence[str], poster: str, command: str
) -> dict[str, Path]:
    return video_files(drawn, stem=stem or drawn.request.stem, films=films, poster=poster, command=command)


def _publish_sheet(drawn: Drawn, *, name: str | None) -> dict[str, Path]:
    from pipeline.publish.sheet import sheet

    beats = [beat["name"] for beat in drawn.record["beats"]]
    pictures = [(f"{number}  {beat}", drawn.folder / STILLS / f"{beat}.png") for number, beat in enumerate(beats, 1)]
    path = drawn.folder / "sheet.png"
    sheet(pictures).save(path)
    return {name or sheet_name(drawn.request): path}


def sheet_name(request: Request) -> str:
    """`qkv.en.sheet.png`: the video's stem with its quality left out."""
    return f"{request.stem.rsplit('.', 1)[0]}.sheet.png"


def _beats(pairs: Iterable[tuple[SceneEntry, RenderSpec]]) -> dict[str, tuple[str, ...]]:
    return {f"{entry.name}.{spec.language}": entry.beats for entry, spec in pairs}
