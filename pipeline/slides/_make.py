"""From specs to published decks: what the command `slides` does."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from pipeline import slides
from pipeline.catalogue import SceneEntry
from pipeline.publish.destination import destination
from pipeline.publish.files import metadata
from pipeline.publish.ledger import ENDING, ledger, write_ledger
from pipeline.publish.texts import sealed
from pipeline.render.job import DRAWINGS, STILLS, VIDEO
from pipeline.render.jobs import Drawn, Made, Order, make
from pipeline.render.progress import display
from pipeline.render.spec import RenderSpec
from pipeline.render.workspace import Workspace, check_writable
from pipeline.slides._clips import Stretch, write_clips
from pipeline.slides._deck import deck_of
from transformer_core.errors import InputError

STANDARD_FORM, STANDARD_QUALITY = "html", "high"
SEVERAL = "slides"
"""The folder, below media, of decks with more than one scene."""
CLIPS = "clips"


@dataclass(frozen=True)
class Wanted:
    """What a deck is to be: its forms, whether its notes are to be read in the file, the command that makes it."""

    forms: tuple[str, ...]
    notes: bool
    command: str

    @property
    def clips(self) -> bool:
        """Whether a form has films."""
        return any(slides.load(form).CLIPS for form in self.forms)

    @property
    def outlines(self) -> bool:
        """Whether a form has outlines."""
        return any(slides.load(form).OUTLINES for form in self.forms)


@dataclass(frozen=True)
class Published:
    """A published deck: its files, one of each form in the order asked for, and the scenes in it."""

    files: tuple[Path, ...]
    made: tuple[Made, ...]

    @property
    def slide_count(self) -> int:
        """Its slides: a title for each scene, and its beats."""
        return sum(1 + len(each.record["beats"]) for each in self.made)


def make_slides(
    pairs: Sequence[tuple[SceneEntry, RenderSpec]],
    *,
    forms: Sequence[str],
    notes: bool,
    output: str | None,
    media: Path,
    quiet: bool,
    command: str,
) -> list[Published]:
    """Draw the scenes and publish one deck of all of them in each language.

    `forms` empty: what the ending of `output` says, else html. Raises InputError, and CheckFailed for a scene that
    its audit does not pass.
    """
    wanted = Wanted(tuple(dict.fromkeys(forms)) or (_form_of(output),), notes, command)
    if notes and not wanted.outlines:
        raise InputError("--notes", "html and pptx have them anyway", "leave it out, or add --format pdf")
    by_language: dict[str, list[tuple[SceneEntry, RenderSpec]]] = {}
    for entry, spec in pairs:
        # Outlines do not depend on it, so neither shall the ledger beside them.
        asked = spec if wanted.clips else replace(spec, quality=STANDARD_QUALITY, frames_per_second=None)
        by_language.setdefault(spec.language, []).append((entry, asked))
    done = []
    for scenes in by_language.values():
        name = scenes[0][0].name if len(scenes) == 1 else SEVERAL
        folder, stem = destination(
            output,
            default=media / name,
            ending=_ending(output, wanted.forms),
            several=len(by_language) > 1,
            what="decks",
        )
        done.append(_deck(scenes, wanted, folder=folder, stem=stem, quiet=quiet))
    return done


def _deck(
    scenes: Sequence[tuple[SceneEntry, RenderSpec]], wanted: Wanted, *, folder: Path, stem: str | None, quiet: bool
) -> Published:
    check_writable(folder)
    beats = {f"{entry.name}.{spec.language}": entry.beats for entry, spec in scenes}
    with Workspace(folder) as workspace:
        orders = [_order(entry, spec, workspace.folder / entry.name, wanted) for entry, spec in scenes]
        made = tuple(make(orders, display(beats, quiet=quiet)))
        files = deck_files(made, workspace.folder, stem=stem or deck_stem(made), wanted=wanted)
        paths = workspace.publish(files)
    return Published(tuple(reversed(paths[-len(wanted.forms) :])), made)


def _order(entry: SceneEntry, spec: RenderSpec, folder: Path, wanted: Wanted) -> Order:
    beats = (spec.beat,) if spec.beat else entry.beats
    return Order(
        spec=spec,
        entry=entry,
        folder=folder,
        audit=True,
        films=("mp4",) if wanted.clips else (),
        stills=beats if wanted.clips else (),
        drawings=beats if wanted.outlines else (),
        metadata=partial(metadata, command=wanted.command),
        target=lambda _: "",
        publish=partial(_scene_files, command=wanted.command),
    )


def _scene_files(drawn: Drawn, *, command: str) -> Mapping[str, Path]:
    """What the deck is made of, still in its own work folder: pictures, outlines, clips."""
    film = drawn.folder / VIDEO
    if film.exists():
        asked, language = drawn.request.asked, drawn.request.asked.language
        stretches = [
            Stretch(beat["name"], beat["titles"][language], beat["start"], beat["end"])
            for beat in drawn.record["beats"]
        ]
        told = metadata(drawn.request, command=command)
        write_clips(film, stretches, drawn.folder / CLIPS, frames_per_second=asked.rate, metadata=told)
    parts = {name: drawn.folder / name for name in (STILLS, DRAWINGS, CLIPS)}
    return {name: path for name, path in parts.items() if path.exists()}


def deck_stem(made: Sequence[Made]) -> str:
    """`qkv.en.high.slides`; `embedding-qkv-light-3f9a1c.en.high.slides` of two scenes with the same options."""
    stems = [each.request.stem.rsplit(".", 2) for each in made]
    scenes = [each.request.entry.name for each in made]
    looks = list(dict.fromkeys(name.removeprefix(scene) for (name, *_), scene in zip(stems, scenes, strict=True)))
    look = looks[0] if len(looks) == 1 else f"-{hashlib.sha256(' '.join(looks).encode()).hexdigest()[:6]}"
    _, language, quality = stems[0]
    return f"{'-'.join(scenes)}{look}.{language}.{quality}.slides"


def deck_files(made: Sequence[Made], folder: Path, *, stem: str, wanted: Wanted) -> dict[str, Path]:
    """The ledger of each scene and then, so that who sees a deck finds its numbers, the deck in each of its forms."""
    assets = [stem if len(made) == 1 else f"{stem}.{each.request.entry.name}" for each in made]
    ledgers = [
        ledger(each.record, each.request, asset=asset, frames=each.frames, command=wanted.command)
        for each, asset in zip(made, assets, strict=True)
    ]
    for data in ledgers:
        data["render"] |= {"deck": stem}
    asked = made[0].request.asked
    deck = deck_of(
        ((data, folder / each.request.entry.name) for data, each in zip(ledgers, made, strict=True)),
        language=asked.language,
        theme=asked.theme,
        command=wanted.command,
        notes=wanted.notes,
    )
    decks = {form: folder / f"deck.{form}" for form in reversed(wanted.forms)}
    texts = {}
    for form, path in decks.items():
        written = slides.load(form).write(deck)
        path.write_bytes(written)
        if form == "html":
            texts[f"{stem}.{form}"] = written.decode()
    files = {}
    for asset, data in zip(assets, ledgers, strict=True):
        files[asset + ENDING] = folder / (asset + ENDING)
        write_ledger(files[asset + ENDING], sealed(data, texts))
    return files | {f"{stem}.{form}": path for form, path in decks.items()}


def _form_of(output: str | None) -> str:
    ending = Path(output or "").suffix.lower().removeprefix(".")
    return ending if ending in slides.names() else STANDARD_FORM


def _ending(output: str | None, forms: tuple[str, ...]) -> str:
    """The ending that `output` may have: that of any of the forms."""
    named = _form_of(output)
    return f".{named if named in forms else forms[0]}"
