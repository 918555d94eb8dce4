"""Figures: a beat's picture as a file of its own, with the ledger of the numbers that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.catalogue import SceneEntry
from pipeline.publish import formats
from pipeline.publish.described import described
from pipeline.publish.destination import destination
from pipeline.publish.formats._figure import Figure
from pipeline.publish.ledger import ENDING, ledger, write_ledger
from pipeline.render.drawing import Drawing
from pipeline.render.job import DRAWINGS, STILLS
from pipeline.render.jobs import Drawn, Made, Order, make
from pipeline.render.progress import display
from pipeline.render.request import Request
from pipeline.render.spec import RenderSpec

STANDARD_QUALITY = "high"


@dataclass(frozen=True)
class Wanted:
    """The forms that figures are to have and, where the person gave one, their name without an ending."""

    forms: tuple[str, ...]
    stem: str | None
    command: str

    @property
    def pixels(self) -> bool:
        """Whether a form is made of pixels, so that the quality counts."""
        return any(formats.load(form).RASTER for form in self.forms)

    def name(self, request: Request, beat: str) -> str:
        """The name of a beat's figure, without an ending."""
        return self.stem or figure_stem(request, beat)


def figures(
    pairs: Sequence[tuple[SceneEntry, RenderSpec]],
    *,
    forms: Sequence[str],
    output: str | None,
    media: Path,
    quiet: bool,
    command: str,
) -> list[Made]:
    """Draw and publish the figures of the spec's beat, or of every beat, in each of the forms.

    `forms` empty: what the ending of `output` says, else SVG. Raises InputError, and CheckFailed for a picture
    that its audit does not pass.
    """
    chosen = tuple(dict.fromkeys(forms)) or (_form_of(output),)
    several = len(pairs) > 1 or any(spec.beat is None for _, spec in pairs)
    orders = []
    for entry, asked in pairs:
        folder, stem = destination(
            output, default=media / entry.name, ending=_ending(output, chosen), several=several, what="figures"
        )
        wanted = Wanted(chosen, stem, command)
        # Outlines do not depend on it, so neither shall the ledger beside them.
        spec = asked if wanted.pixels else replace(asked, quality=STANDARD_QUALITY)
        orders.append(_order(entry, spec, folder, wanted))
    beats = {f"{entry.name}.{spec.language}": entry.beats for entry, spec in pairs}
    return make(orders, display(beats, quiet=quiet))


def _order(entry: SceneEntry, spec: RenderSpec, folder: Path, wanted: Wanted) -> Order:
    beats = (spec.beat,) if spec.beat else entry.beats
    return Order(
        spec=spec,
        entry=entry,
        folder=folder,
        audit=True,
        stills=beats if wanted.pixels else (),
        drawings=beats,
        metadata=lambda _: {},
        target=lambda request: f"{wanted.name(request, beats[0])}.{wanted.forms[0]}",
        publish=partial(figure_files, wanted=wanted),
    )


def figure_stem(request: Request, beat: str) -> str:
    """`qkv.softmax.en`, or `qkv-light-3f9a1c.softmax.en` for another look; `….en.4k` for pixels of another size."""
    quality = request.spec.quality
    name, language, _ = replace(request.spec, beat=None).stem().rsplit(".", 2)
    return f"{name}.{beat}.{language}" + ("" if quality == STANDARD_QUALITY else f".{quality}")


def figures_of(made: Made) -> list[Path]:
    """The published pictures among the files, without their ledgers."""
    return [path for path in made.files if not path.name.endswith(ENDING)]


def figure_files(drawn: Drawn, *, wanted: Wanted) -> dict[str, Path]:
    """The ledger of each beat and then, so that who sees a picture finds its ledger, its figures."""
    files: dict[str, Path] = {}
    for beat in drawn.record["beats"]:
        stem = wanted.name(drawn.request, beat["name"])
        path = files[stem + ENDING] = drawn.folder / (stem + ENDING)
        record = record_of_beat(drawn.record, beat["name"])
        data = ledger(record, drawn.request, asset=stem, frames=0, command=wanted.command)
        write_ledger(path, data)
        alt = described(data, data["beats"][0], drawn.request.asked.language)
        figure = _figure(drawn, beat, wanted.command, alt=alt)
        for form in wanted.forms:
            path = files[f"{stem}.{form}"] = drawn.folder / f"{stem}.{form}"
            path.write_bytes(formats.load(form).write(figure))
    return files


def record_of_beat(record: Mapping[str, Any], beat: str) -> dict[str, Any]:
    """A scene's record as if it had only this beat."""

    def of_beat(rows: Iterable[Mapping[str, Any]], key: str) -> list[Mapping[str, Any]]:
        return [row for row in rows if row[key] == beat]

    return {
        **record,
        "beats": of_beat(record["beats"], "name"),
        "numbers": of_beat(record["numbers"], "beat"),
        "encodings": of_beat(record["encodings"], "beat"),
    }


def _figure(drawn: Drawn, beat: Mapping[str, Any], command: str, *, alt: str) -> Figure:
    language = drawn.request.asked.language
    return Figure(
        drawing=Drawing.load(drawn.folder / DRAWINGS / f"{beat['name']}.npz"),
        pixels=drawn.folder / STILLS / f"{beat['name']}.png",
        title=f"{drawn.request.entry.titles[language]} — {beat['titles'][language]}",
        alt=alt,
        language=language,
        digest=drawn.request.trace.digest,
        command=command,
    )


def _form_of(output: str | None) -> str:
    ending = Path(output or "").suffix.lower().removeprefix(".")
    return ending if ending in formats.names() else "svg"


def _ending(output: str | None, forms: tuple[str, ...]) -> str:
    """The ending that `output` may have: that of any of the forms."""
    named = _form_of(output)
    return f".{named if named in forms else forms[0]}"
