"""One scene with two models, as one video: `render SCENE --compare MODEL`."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.catalogue import SceneEntry
from pipeline.publish.captions import captions, chapters, languages
from pipeline.publish.destination import destination
from pipeline.publish.ledger import ENDING, ledger, write_ledger
from pipeline.publish.side_by_side import Moment, Side, Written, write_side_by_side
from pipeline.publish.texts import sealed
from pipeline.publish.transcript import transcripts
from pipeline.render.encoder import Chapter, finish_video
from pipeline.render.job import RAW_VIDEO, VIDEO
from pipeline.render.jobs import Drawn, Made, Order, make
from pipeline.render.progress import display
from pipeline.render.request import Request, resolve
from pipeline.render.spec import RenderSpec
from pipeline.render.workspace import Workspace, check_free, check_writable
from transformer_core.errors import InputError

LETTERS = ("a", "b")


def render_compared(
    entry: SceneEntry, spec: RenderSpec, other: str, *, output: str | None, media: Path, quiet: bool, command: str
) -> list[Path]:
    """Render the scene with both models, join the videos and publish; returns the files, the video last.

    Each side has its own ledger, `.a.numbers.json` and `.b.numbers.json`. Raises InputError and CheckFailed.
    """
    folder, stem = destination(output, default=media / entry.name)
    check_writable(folder)
    specs = [spec, replace(spec, model=other)]
    # Before either is drawn, which takes a while.
    asked, compared = (resolve(each, entry) for each in specs)
    _check_same(asked, compared)
    stem = stem or _stem(asked, compared)
    check_free(folder, f"{stem}.mp4")
    with Workspace(folder) as workspace:
        orders = [_order(entry, each, workspace.folder / letter) for each, letter in zip(specs, LETTERS, strict=True)]
        one, two = [
            make([order], display({f"{entry.name}.{spec.language}": entry.beats}, quiet=quiet))[0] for order in orders
        ]
        names = _names(one.request, two.request)
        sides = tuple(Side(name, made.files[0], made.record) for name, made in zip(names, (one, two), strict=True))
        raw = workspace.folder / RAW_VIDEO
        written = write_side_by_side(
            (sides[0], sides[1]), raw, size=spec.size, rate=spec.rate, theme=spec.theme, language=spec.language
        )
        files = _files(workspace.folder, stem, (one, two), names, written, command=command)
        return workspace.publish(files)


def _order(entry: SceneEntry, spec: RenderSpec, folder: Path) -> Order:
    return Order(
        spec=spec,
        entry=entry,
        folder=folder,
        films=("mp4",),
        audit=True,
        stills=(),
        metadata=lambda _: {},
        target=lambda _: VIDEO,
        publish=_video_alone,
    )


def _video_alone(drawn: Drawn) -> Mapping[str, Path]:
    return {VIDEO: drawn.folder / VIDEO}


def _check_same(one: Request, two: Request) -> None:
    tokens = [request.trace.spec.tokens for request in (one, two)]
    if tokens[0] != tokens[1]:
        why = f"{' '.join(tokens[0])!r} is not {' '.join(tokens[1])!r}"
        raise InputError("--compare", f"the two models read other tokens: {why}", "give a --prompt that both know")
    if one.trace.digest == two.trace.digest:
        raise InputError(f"--compare {two.model_reference}", "it is the same model", "name another model")


def _names(one: Request, two: Request) -> tuple[str, str]:
    names = one.trace.spec.model_name, two.trace.spec.model_name
    return names if names[0] != names[1] else (one.model_reference, two.model_reference)


def _stem(one: Request, two: Request) -> str:
    """`qkv-vs-other-3f9a1c.en.high`."""
    name, language, quality = one.stem.rsplit(".", 2)
    return f"{name}-vs-{two.trace.spec.model_name}-{two.trace.spec.weights_hash[:6]}.{language}.{quality}"


def _files(
    folder: Path, stem: str, made: tuple[Made, Made], names: tuple[str, str], written: Written, *, command: str
) -> dict[str, Path]:
    one, two = made
    entry, spec = one.request.entry, one.request.asked
    record = joined_record(one.record, two.record, names, written.moments)
    files: dict[str, Path] = {f"{stem}.png": folder / "poster.png"}
    poster = spec.beat or spec.poster or entry.poster
    written.stills[poster].save(files[f"{stem}.png"])
    ledgers = {
        letter: ledger(each.record, each.request, asset=f"{stem}.{letter}", frames=each.frames, command=command)
        for each, letter in zip(made, LETTERS, strict=True)
    }
    texts = {}
    if spec.captions != "none":
        texts |= {f"{stem}.{each}.vtt": captions(record, each) for each in languages(record)}
    texts[f"{stem}.chapters.vtt"] = chapters(record, spec.language)
    sides = [
        transcripts(_named(data, name), ledger=data["asset"] + ENDING)
        for data, name in zip(ledgers.values(), names, strict=True)
    ]
    texts |= {stem + ending: "\n".join(side[ending] for side in sides) for ending in sides[0]}
    for name, text in texts.items():
        files[name] = folder / name
        files[name].write_text(text, encoding="utf-8")
    for letter, data in ledgers.items():
        path = files[f"{stem}.{letter}{ENDING}"] = folder / f"{letter}{ENDING}"
        write_ledger(path, sealed(data, texts))
    finish_video(
        [folder / RAW_VIDEO],
        folder / VIDEO,
        chapters=[Chapter(each["titles"][spec.language], each["start"], each["end"]) for each in record["beats"]],
        metadata={
            "title": f"{entry.titles[spec.language]} — {names[0]} | {names[1]}",
            "comment": command,
            "description": f"numbers sha256:{one.request.trace.digest} sha256:{two.request.trace.digest}",
        },
    )
    shutil.rmtree(folder / "manim", ignore_errors=True)
    return files | {f"{stem}.mp4": folder / VIDEO}


def _named(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A side's ledger with the model's name in the title."""
    return {**data, "titles": {language: f"{title}: {name}" for language, title in data["titles"].items()}}


def joined_record(
    one: Mapping[str, Any], two: Mapping[str, Any], names: tuple[str, str], moments: Sequence[Moment]
) -> dict[str, Any]:
    """Beats and captions on the common timeline; a line that the two sides say in other words names both."""
    beats = []
    for first, second, moment in zip(one["beats"], two["beats"], moments, strict=True):
        spoken = {}
        for language, lines in first["captions"].items():
            others = second["captions"].get(language, ())
            spoken[language] = [
                {
                    "text": _both(line["text"], others[number]["text"] if number < len(others) else "", names),
                    "start": moment.start + line["start"] - first["start"],
                    "end": moment.end if line is lines[-1] else moment.start + line["end"] - first["start"],
                }
                for number, line in enumerate(lines)
            ]
        beats.append({**first, "start": moment.start, "end": moment.end, "captions": spoken})
    return {**one, "beats": beats}


def _both(one: str, two: str, names: tuple[str, str]) -> str:
    return one if one == two or not two else f"{names[0]}: {one} {names[1]}: {two}"
