"""The numbers in a chapter's prose: each is a cell of a trace, found by the address grammar, written by the display."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.catalogue import SceneEntry, catalogue
from pipeline.chapter.assets import one_scene, placed, spec_of, typed
from pipeline.chapter.directive import Directive
from pipeline.chapter.source import NUMBER
from pipeline.course.asset import Picture
from pipeline.course.work import request_of
from transformer_core.address import format_address, parse_address, short_name
from transformer_core.derive import card_number, constant, sqrt_of_d_head, sum_of
from transformer_core.display import NEARLY, show
from transformer_core.errors import InputError
from transformer_core.other_runs import split_run
from transformer_core.stages import STAGES

if TYPE_CHECKING:
    from pipeline.render.request import Request
    from pipeline.render.spec import RenderSpec
    from transformer_core.cell import Cell
    from transformer_core.trace import Trace

CARD, CONFIG = "card", "config"
SIZES = ("vocabulary_size", "d_model", "head_count", "d_head", "layer_count", "d_mlp", "sqrt_d_head")
"""What `config` knows by `path`."""
MOST_DECIMALS = 12
DECIMALS = 2
_PLAIN = re.compile(r'[^\s,"\]=]+')
_STAGES = {short_name(stage): stage for stage in STAGES.values()}


@dataclass(frozen=True)
class Number:
    """One number: as it is written, exactly, and where it is from. `text` has its sign of equality before it."""

    text: str
    value: float
    address: str
    decimals: int


class Numbers:
    """Computes numbers; each prompt runs once. `base`: the folder that models are found from."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.scenes: tuple[SceneEntry, ...] | None = None
        self.requests: dict[RenderSpec, Request] = {}

    def number(self, directive: Directive, *, place: str) -> Number:
        """The number that a directive names. Raises InputError that begins with `place`."""
        with placed(place):
            subject, *more = directive.words
            scene, dot, quantity = subject.partition(".")
            if bool(dot) == bool(more) or len(more) > 1:
                example = "write {{ number qkv.pattern query=creature key=blue }}"
                raise InputError(f"number {subject[:60]!r}", "it names no quantity", example)
            self.scenes = self.scenes or catalogue()
            request = self._request(directive, one_scene(scene, self.scenes))
            cell = _cell(directive, quantity, more[0] if more else "", request)
            return _written(cell, directive, _source(cell, directive, quantity, request.trace))

    def _request(self, directive: Directive, entry: SceneEntry) -> Request:
        options = {key: value for key, value in directive.options.items() if key in NUMBER}
        spec = spec_of(Directive(directive.kind, directive.words, options), entry, beat=None)
        if spec not in self.requests:
            self.requests[spec] = request_of(Picture(entry, spec, "numbers"), self.base)
        return self.requests[spec]


def _cell(directive: Directive, quantity: str, address: str, request: Request) -> Cell:
    trace, axes = request.trace, {key: each for key, each in directive.options.items() if key not in NUMBER}
    if (address or quantity in (CARD, CONFIG)) and axes:
        raise InputError(f"{next(iter(axes))!r}", "it is no option here", "leave it out")
    if address:
        return parse_address(address, trace)
    if quantity == CARD:
        return _of_card(directive, trace)
    if quantity == CONFIG:
        return _of_config(directive.options.get("path", ""), trace)
    cells = [parse_address(each, trace) for each in _addresses(quantity, axes, request)]
    return cells[0] if len(cells) == 1 else sum_of(cells)


def _addresses(quantity: str, axes: dict[str, str], request: Request) -> Iterator[str]:
    """The address, or one for each of several labels that a `+` joins, whose numbers are added up."""
    run, short = split_run(quantity)
    stage = _STAGES.get(short)
    prefix = f"L{request.asked.layer}." if stage is not None and stage.per_layer else ""
    prefix += f"H{request.brief['head'] + 1}." if stage is not None and "head" in stage.axes else ""
    prefix += f"{run.key}." if run else ""
    several = [[(axis, label) for label in _labels(value)] for axis, value in axes.items()]
    for places in itertools.product(*several):
        yield f"{prefix}{short}[{', '.join(f'{axis}={label}' for axis, label in places)}]"


def _labels(value: str) -> list[str]:
    parts = value.split("+") if "+" in value and all(value.split("+")) else [value]
    return [part if _PLAIN.fullmatch(part) else json.dumps(part, ensure_ascii=False) for part in parts]


def _of_card(directive: Directive, trace: Trace) -> Cell:
    path, of = directive.options.get("path", ""), directive.options.get("of", "")
    card = trace.spec.companions.get(of, {}) if of else trace.spec.card
    claims = [str(each.get("id")) for each in card.get("claims", ())]
    for place, name in enumerate(claims):
        # An id may have dots of its own, which a path would take apart.
        if path.startswith(f"claims.{name}."):
            path = f"claims.{place}{path.removeprefix(f'claims.{name}')}"
    try:
        return card_number(trace, path, of=of)
    except KeyError:
        why = f"the card of {of or trace.spec.model_name} has no such number"
        known = ", ".join(f"claims.{name}.mean" for name in claims[:4])
        raise InputError(
            f"path {directive.options.get('path', '')[:60]!r}", why, f"try {known or 'another path'}"
        ) from None


def _of_config(path: str, trace: Trace) -> Cell:
    if path not in SIZES:
        raise InputError(f"path {path[:60]!r}", "config has no such size", f"there are: {', '.join(SIZES)}")
    return sqrt_of_d_head(trace) if path == "sqrt_d_head" else constant(trace, getattr(trace.spec.config, path))


def _source(cell: Cell, directive: Directive, quantity: str, trace: Trace) -> str:
    """`glass: L1.H1.pattern[query=creature, key=blue]`: the model, and where in it."""
    name, path = trace.spec.model_name, directive.options.get("path", "")
    if quantity == CARD:
        return f"{directive.options.get('of') or name}, card: {path}"
    where = path if quantity == CONFIG else format_address(cell, trace.spec) or directive.words[0]
    return f"{name}: {where}"


def _written(cell: Cell, directive: Directive, address: str) -> Number:
    whole = cell.name == "derived.constant" or (cell.name.startswith("derived.") and cell.value.is_integer())
    decimals = typed("decimals", directive.options["decimals"]) if "decimals" in directive.options else None
    if decimals is not None and not 0 <= decimals <= MOST_DECIMALS:
        raise InputError(f"{decimals} decimals", "out of range", f"give 0 to {MOST_DECIMALS}")
    signed = directive.options.get("sign", "no")
    if signed not in ("yes", "no"):
        raise InputError(f"sign = {signed[:40]!r}", "it is neither", "give yes or no")
    decimals = (0 if whole else DECIMALS) if decimals is None else decimals
    shown = show(cell, decimals=decimals)
    text = shown.text
    if signed == "yes":
        text = _with_sign(text, exact=shown.kind in ("exact", "masked"))
    value = cell.value if math.isfinite(cell.value) else 0.0
    return Number(text, value, address, decimals)


def _with_sign(text: str, *, exact: bool) -> str:
    """`= 2`, `≈ 0.53`, `> 0.99`: a sign of equality only where the text is the number."""
    if text[0] in (NEARLY, ">"):
        return f"{text[0]} {text[1:]}"
    return f"{'=' if exact else NEARLY} {text}"
