"""Compute the numbers of a published video or figure again, and compare each with what it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

from pipeline import slides
from pipeline.publish import formats
from pipeline.publish.ledger import ENDING, ledger_path, read_ledger, rows_digest, video_stem
from pipeline.publish.texts import Altered, altered_texts
from transformer_core.address import format_address
from transformer_core.capture import capture
from transformer_core.cell import Cell
from transformer_core.derive import evaluate
from transformer_core.display import show
from transformer_core.errors import CheckFailed, InputError
from transformer_core.sources import load_model
from transformer_core.trace import Trace

MOST_DECIMALS = 12
# Other CPUs and other versions of torch change the last bits, by parts in 1e15. What is drawn to a size is
# compared at a millionth of its value, a hundredth of a pixel in a 4k frame.
ENCODING_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Difference:
    """A number that is not what the video shows: its address, what is shown, what it is now."""

    address: str
    shown: str
    now: str

    def __str__(self) -> str:
        return f"{self.address}: shown {self.shown}, now {self.now}"


@dataclass(frozen=True)
class Verdict:
    """What a comparison came to. `count` numbers and encodings were compared."""

    asset: str
    count: int
    identical: bool
    largest: float
    differences: tuple[Difference, ...]

    @property
    def words(self) -> str:
        """The verdict in one line."""
        if self.differences:
            first, *others = self.differences
            more = f" (and {len(others)} more)" if others else ""
            return f"{self.asset}: does not match: {first}{more}"
        if self.identical:
            return f"{self.asset}: identical: all {self.count} numbers match"
        same = f"all {self.count} numbers match at every shown digit"
        return f"{self.asset}: {same}, largest difference {self.largest:.1g}"


def verify(asset: str, *, model: str | None = None) -> Verdict:
    """Compare one published asset with its model.

    `model` overrides the reference that the ledger names. Raises InputError when ledger or model are missing.
    """
    path = ledger_path(asset)
    ledger = read_ledger(path)
    trace = recompute(ledger, model=model)
    identical = trace.digest == ledger["digest"]
    differences = [*_marked(path, ledger), *(_as_difference(each) for each in altered_texts(path, ledger))]
    count, largest = 0, 0.0
    for entry in entries(ledger):
        count += 1
        difference, distance = compare(entry, trace, identical=identical)
        largest = max(largest, distance)
        differences += [difference] if difference else []
    if not differences and rows_digest(ledger) != ledger["rows_digest"]:
        told, now = ledger["rows_digest"][:16], rows_digest(ledger)[:16]
        differences.append(Difference("the ledger's rows", f"digest {told}…", f"{now}…: one was changed or removed"))
    name = path.name.removesuffix(ENDING)
    return Verdict(name, count, identical, largest, tuple(differences))


def recompute(ledger: Mapping[str, Any], *, model: str | None = None) -> Trace:
    """The trace of the ledger's prompt through its model, computed now."""
    told = ledger["trace"]
    loaded = load_model(ledger["model"]["reference"] if model is None else model)
    cut = (told["cut"][0], told["cut"][1]) if told["cut"] else None
    order = tuple(told["order"]) if told.get("order") else None
    return capture(
        loaded,
        told["prompt"],
        cut=cut,
        order=order,
        companions=told.get("companions", ()),
        device=told["device"],
        dtype=told["dtype"],
    )


def entries(ledger: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every number and encoding of a ledger."""
    for key in ("numbers", "quoted", "encodings"):
        yield from ledger[key]


def compare(entry: Mapping[str, Any], trace: Trace, *, identical: bool) -> tuple[Difference | None, float]:
    """The difference, if there is one, and how far the value has moved."""
    place = entry.get("address") or f"{entry['name']}{dict(entry['index'])}"
    try:
        cell = cell_of(entry, trace)
        kept = float.fromhex(entry["hex"])
    except (InputError, KeyError, ValueError, TypeError) as error:
        return Difference(place, entry.get("text", entry["hex"]), f"not to be found ({error})"), 0.0
    distance = abs(cell.value - kept) if isfinite(kept) and isfinite(cell.value) else 0.0
    shown = entry.get("text", f"{kept:.6g}")
    now = _text_now(entry, cell, kept)
    if isfinite(kept) != isfinite(cell.value) or (identical and cell.value.hex() != kept.hex()):
        return Difference(place, f"{shown} ({kept!r})", f"{cell.value!r}"), distance
    if "text" in entry and now != shown:
        return Difference(place, shown, now), distance
    if "text" not in entry and distance > ENCODING_TOLERANCE * abs(kept):
        return Difference(f"{place}, drawn as {entry['channel']}", shown, f"{cell.value:.6g}"), distance
    address = format_address(cell, trace.spec)
    if "address" in entry and address != entry["address"]:
        return Difference(place, f"as {place}", f"its address is {address}"), distance
    return None, distance


def cell_of(entry: Mapping[str, Any], trace: Trace) -> Cell:
    """The number of a ledger entry, from this trace. Raises InputError or KeyError for one it lacks."""
    if entry.get("expression"):
        return evaluate(entry["expression"], trace)
    if entry["name"].startswith("derived.") and not entry["index"]:
        return evaluate({"name": entry["name"], "formula": entry.get("formula", ""), "parents": ()}, trace)
    return trace.cell(entry["name"], **entry["index"])


def _text_now(entry: Mapping[str, Any], cell: Cell, kept: float) -> str:
    """The text of the value now, with as many decimals as the shown text was made with.

    The ledger does not say how many: it is whichever makes the shown text of the kept value. Where none
    does, the text was never that value's.
    """
    if "text" not in entry:
        return ""
    then = replace(cell, value=kept)
    candidates = [decimals for decimals in range(MOST_DECIMALS + 1) if _shows(then, decimals, entry)]
    if not candidates:
        return f"{cell.value:.6g}, not {entry['kind']}"
    texts = [show(cell, decimals=decimals).text for decimals in candidates]
    return entry["text"] if entry["text"] in texts else texts[-1]


def _shows(cell: Cell, decimals: int, entry: Mapping[str, Any]) -> bool:
    try:
        shown = show(cell, decimals=decimals)
    except CheckFailed:
        return False
    return (shown.text, shown.kind) == (entry["text"], entry["kind"])


def _marked(path: Path, ledger: Mapping[str, Any]) -> Iterator[Difference]:
    """The pictures beside the ledger carry the ledger's digest; another one belongs to another render."""
    if "deck" in ledger["render"]:
        yield from _decks_marked(path, ledger)
        return
    yield from _figures_marked(path, ledger)
    for form in formats.film_names():
        kind = formats.load_film(form)
        film = path.with_name(video_stem(path, ledger) + kind.ENDING)
        if not film.exists():
            continue
        try:
            mark = kind.mark(film)
        except (OSError, ValueError) as error:
            raise InputError(str(film), f"cannot be read ({type(error).__name__})", "render it again") from None
        if ledger["digest"] not in mark:
            yield Difference(film.name, f"digest {mark or 'none'}", f"the ledger's is {ledger['digest'][:16]}…")


def _decks_marked(path: Path, ledger: Mapping[str, Any]) -> Iterator[Difference]:
    """A deck of several scenes has a ledger for each, and the digests of all."""
    scene = ledger["asset"].removeprefix(ledger["render"]["deck"])
    stem = path.name.removesuffix(ENDING).removesuffix(scene)
    for form in slides.names():
        deck = path.with_name(f"{stem}.{form}")
        if deck.exists() and ledger["digest"] not in (mark := slides.load(form).mark(deck.read_bytes())):
            yield Difference(deck.name, f"digest {mark or 'none'}", f"the ledger's is {ledger['digest'][:16]}…")


def _figures_marked(path: Path, ledger: Mapping[str, Any]) -> Iterator[Difference]:
    for form in formats.names():
        picture = path.with_name(f"{path.name.removesuffix(ENDING)}.{form}")
        if not picture.exists():
            continue
        kind = formats.load(form)
        mark = kind.digest(picture.read_bytes())
        # A video's poster is a raster without a mark.
        if mark != ledger["digest"] and (mark or not kind.RASTER):
            shown = f"digest {mark[:16]}…" if mark else "no digest"
            yield Difference(picture.name, shown, f"the ledger's is {ledger['digest'][:16]}…")


def _as_difference(text: Altered) -> Difference:
    return Difference(text.where, text.shown, text.published)


def find_ledgers(folder: Path) -> list[str]:
    """Every ledger below a folder."""
    return sorted(str(path) for path in folder.rglob(f"*{ENDING}"))
