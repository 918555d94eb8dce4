"""The ledger while a scene runs: which numbers and encodings are on screen, from when to when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from manim import Mobject

from scenes.kit import glyphs
from scenes.kit.carriers import Carried, carried_by
from scenes.kit.matrix import NumberMatrix
from scenes.kit.record import EncodingRecord, NumberRecord, ShownCell
from scenes.kit.text import BoundNumber, box_of
from transformer_core.address import format_address
from transformer_core.derive import expression
from transformer_core.trace import Trace

INVISIBLE = 0.05
"""Fill opacity below which nothing is to be seen."""


@dataclass
class _Sighting:
    mobject: Mobject
    start: float
    boxes: list[tuple[float, float, float, float]]


class Ledger:
    """Watches the scene after every play and writes one record per number, beat and stay."""

    def __init__(self, trace: Trace) -> None:
        """A ledger for numbers of one trace."""
        self.trace = trace
        self.numbers: list[NumberRecord] = []
        self.encodings: list[EncodingRecord] = []
        self._beat = ""
        self._seen: dict[int, _Sighting] = {}

    def begin(self, beat: str, time: float) -> None:
        """A beat begins: what is still on screen counts from here."""
        self._beat = beat
        for sighting in self._seen.values():
            sighting.start = time

    def observe(self, mobjects: Iterable[Mobject], start: float, end: float) -> None:
        """After a play from ``start`` to ``end``: note what is on screen and close what has gone."""
        present = {id(each): each for each in carriers(mobjects)}
        for key in [key for key in self._seen if key not in present]:
            self._close(self._seen.pop(key), end)
        for key, mobject in present.items():
            boxes = [box for _, box in shown_numbers(mobject)]
            if key in self._seen:
                self._seen[key].boxes = boxes
            else:
                self._seen[key] = _Sighting(mobject, start, boxes)

    def end(self, time: float) -> None:
        """A beat ends: everything that is on screen is written down for it."""
        for sighting in self._seen.values():
            self._close(sighting, time)

    def _close(self, sighting: _Sighting, end: float) -> None:
        for (shown, _), box in zip(shown_numbers(sighting.mobject), sighting.boxes, strict=True):
            cell = shown.cell
            self.numbers.append(
                NumberRecord(
                    beat=self._beat,
                    time_in=round(sighting.start, 6),
                    time_out=round(end, 6),
                    text=shown.text,
                    kind=shown.kind,
                    name=cell.name,
                    index=dict(cell.index),
                    hex=cell.value.hex(),
                    box=tuple(round(edge, 4) for edge in box),
                    address=format_address(cell, self.trace.spec),
                    formula=cell.formula,
                    expression=expression(cell) if cell.derived else None,
                )
            )
        for carried in carried_by(sighting.mobject):
            self.encodings.append(_encoding_record(self._beat, carried))


def _encoding_record(beat: str, carried: Carried) -> EncodingRecord:
    cell, scale = carried.encoding.cell, carried.encoding.scale
    return EncodingRecord(
        beat=beat,
        channel=scale.channel,
        scale=scale.name,
        name=cell.name,
        index=dict(cell.index),
        hex=cell.value.hex(),
        drawn=carried.encoding.drawn,
        expression=expression(cell) if cell.derived else None,
    )


def family(mobjects: Iterable[Mobject]) -> Iterator[Mobject]:
    """Every mobject on screen with all its parts, each once, in drawing order."""
    seen: set[int] = set()
    for top in mobjects:
        for each in top.get_family():
            if id(each) not in seen:
                seen.add(id(each))
                yield each


def carriers(mobjects: Iterable[Mobject]) -> Iterator[Mobject]:
    """Everything on screen that shows numbers or carries encodings."""
    for each in family(mobjects):
        if isinstance(each, (NumberMatrix, BoundNumber)) or hasattr(each, "encodings") or hasattr(each, "quoted"):
            if not visible(each):
                continue
            yield each


def visible(mobject: Mobject) -> bool:
    """Whether anything of a mobject is opaque enough to be seen."""
    return any(
        part.get_fill_opacity() > INVISIBLE or part.get_stroke_opacity() > INVISIBLE
        for part in mobject.family_members_with_points()
    )


def shown_numbers(mobject: Mobject) -> list[tuple[ShownCell, tuple[float, float, float, float]]]:
    """Each number that a mobject shows, with the box that its text takes in the frame."""
    if isinstance(mobject, NumberMatrix):
        return [(shown, _number_box(mobject, row, column, shown)) for row, column, shown in mobject.numbers()]
    if isinstance(mobject, BoundNumber):
        return [(mobject.shown, box_of(mobject))]
    if hasattr(mobject, "quoted"):
        return [(shown, box_of(mobject)) for shown in mobject.quoted]
    return []


def _number_box(matrix: NumberMatrix, row: int, column: int, shown: ShownCell) -> tuple[float, float, float, float]:
    cell = matrix.cell_box(row, column)
    (x, y), half = cell.centre, glyphs.width(shown.text, matrix.size) / 2
    tall = matrix.size * glyphs.CAP_HEIGHT / 2
    return x - half, y - tall, x + half, y + tall
