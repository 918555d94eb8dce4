"""Where a number is, as people write it: `L1.H1.pattern[query=creature, key=blue]`.

Parsed and printed here only. Layers, heads and places count from 1. On token axes the token's label stands
for its place, `the#2` for the second of several. A label with other signs than letters stands in double
quotes; bare digits are always a place.
"""

import difflib
import json
import re

from transformer_core.axes import TOKEN_AXES
from transformer_core.cell import Cell
from transformer_core.errors import InputError
from transformer_core.other_runs import run_name, split_run
from transformer_core.spec import TraceSpec
from transformer_core.stages import STAGES, Stage, layer_of, stage_of
from transformer_core.trace import Trace

_ADDRESS = re.compile(r"(?:L(\d+)\.)?(?:H(\d+)\.)?([A-Za-z_][\w.]*)\[(.*)\]")
_ITEM = re.compile(r'\s*(\w+)\s*=\s*("(?:[^"\\]|\\.)*"(?:#\d+)?|[^,"\]]+?)\s*(?:,|$)')
_PLAIN = re.compile(r"[^\W\d_](?:[\w'’.-]*\w)?")
_EXAMPLE = "write it like L1.H1.pattern[query=creature, key=blue]"


def short_name(stage: Stage) -> str:
    """The stage's part of an address: without block, and without `attn.` where a head names the place
    already.
    """
    short = stage.key.removeprefix("blocks.{layer}.")
    return short.removeprefix("attn.") if "head" in stage.axes else short


_BY_SHORT_NAME = {short_name(stage): stage for stage in STAGES.values()}


def format_address(cell: Cell, spec: TraceSpec) -> str:
    """The address of a cell; for a derived one its operation and the addresses it is made from."""
    if cell.derived:
        return f"{cell.name.removeprefix('derived.')}({_parents(cell, spec)})"
    stage, layer = stage_of(cell.name), layer_of(cell.name)
    prefix = "" if layer is None else f"L{layer + 1}."
    places = []
    for axis, place in cell.index:
        if axis == "head":
            prefix += f"H{place + 1}."
        else:
            places.append(f"{axis}={_format_place(axis, place, cell.name, spec)}")
    run, _ = split_run(cell.name)
    if run is not None:
        prefix += f"{run.key}."
    return f"{prefix}{short_name(stage)}[{', '.join(places)}]"


def parse_address(text: str, trace: Trace) -> Cell:
    """The cell at an address. Raises InputError that says what is wrong and what to write."""
    found = _ADDRESS.fullmatch(text.strip())
    if not found:
        raise InputError(f"address {text!r}", "it cannot be read", _EXAMPLE)
    layer, head, full, rest = found.groups()
    run, short = split_run(full)
    if short not in _BY_SHORT_NAME:
        near = difflib.get_close_matches(short, _BY_SHORT_NAME, n=3, cutoff=0.0)
        raise InputError(f"quantity {short!r}", "there is no such quantity", "try " + ", ".join(near))
    stage, config = _BY_SHORT_NAME[short], trace.spec.config
    number = _numbered("layer", layer, config.layer_count, wanted=stage.per_layer, short=short)
    chosen = _numbered("head", head, config.head_count, wanted="head" in stage.axes, short=short)
    name = run_name(run.key if run else "", stage.name(number))
    index = _parse_places(rest, name, trace.spec)
    axes = [axis for axis in stage.axes if axis != "head"]
    if set(index) != set(axes):
        raise InputError(f"[{rest}] after {short}", f"its axes are {', '.join(axes)}", "give each of them once")
    if chosen is not None:
        index["head"] = chosen
    return trace.cell(name, **index)


def find_token(spec: TraceSpec, text: str) -> int:
    """The 0-based place of a token of the prompt, given as label, `label#2`, or place counted from 1.

    Raises InputError for a token that is not there, and for one that is there several times.
    """
    return _find(text.strip(), spec.tokens, "the prompt's tokens")


def token_label(spec: TraceSpec, place: int) -> str:
    """The label of the token at a 0-based place, with `#2` and so on where it occurs several times."""
    return _label(spec.tokens, place)


def _parents(cell: Cell, spec: TraceSpec) -> str:
    if len(cell.parents) <= 4:
        return ", ".join(format_address(parent, spec) for parent in cell.parents) or cell.formula
    first, last = (format_address(cell.parents[end], spec) for end in (0, -1))
    return f"{first}, …, {last}; {len(cell.parents)} numbers"


def _labels(axis: str, name: str, spec: TraceSpec) -> tuple[str, ...]:
    if axis in TOKEN_AXES and name not in ("embed.W_P", "embed.PE"):
        run, _ = split_run(name)
        return spec.reordered_tokens if run is not None and run.reordered else spec.tokens
    return spec.vocabulary if axis == "vocab" else ()


def _format_place(axis: str, place: int, name: str, spec: TraceSpec) -> str:
    labels = _labels(axis, name, spec)
    return _label(labels, place) if labels else str(place + 1)


def _label(labels: tuple[str, ...], place: int) -> str:
    label = labels[place]
    text = label if _PLAIN.fullmatch(label) else json.dumps(label, ensure_ascii=False)
    if labels.count(label) == 1:
        return text
    return f"{text}#{labels[: place + 1].count(label)}"


def _parse_places(rest: str, name: str, spec: TraceSpec) -> dict[str, int]:
    index: dict[str, int] = {}
    at = 0
    while at < len(rest):
        item = _ITEM.match(rest, at)
        if item is None or item.group(1) in index:
            raise InputError(f"address part {rest!r}", "it cannot be read", _EXAMPLE)
        axis, text = item.group(1), item.group(2)
        labels = _labels(axis, name, spec)
        if labels:
            index[axis] = _find(text, labels, f"the {axis} tokens" if axis != "vocab" else "the vocabulary")
        elif text.isdecimal() and int(text) >= 1:
            index[axis] = int(text) - 1
        else:
            raise InputError(f"{axis}={text}", "it is no place", "give a whole number counted from 1")
        at = item.end()
    return index


def _find(text: str, labels: tuple[str, ...], where: str) -> int:
    if text.isdecimal():
        if 1 <= int(text) <= len(labels):
            return int(text) - 1
        raise InputError(f"place {text}", f"{where} are {len(labels)}", f"give 1 to {len(labels)}")
    label, occurrence = text, None
    repeated = re.fullmatch(r"(.+)#(\d+)", text)
    if repeated and text not in labels:
        label, occurrence = repeated.group(1), int(repeated.group(2))
    if label.startswith('"') and len(label) > 1:
        try:
            label = json.loads(label)
        except ValueError:
            raise InputError(f"token {text}", "its quotes cannot be read", _EXAMPLE) from None
    places = [place for place, known in enumerate(labels) if known == label] or [
        place for place, known in enumerate(labels) if known == label.lower()
    ]
    if not places:
        near = difflib.get_close_matches(label, labels, n=1) or labels[:16]
        raise InputError(f"token {label!r}", f"it is not among {where}", "try " + ", ".join(dict.fromkeys(near)))
    if occurrence is None and len(places) > 1:
        raise InputError(
            f"token {label!r}",
            f"it occurs {len(places)} times",
            f"say which, {label}#1 to {label}#{len(places)}",
        )
    if occurrence is not None and not 1 <= occurrence <= len(places):
        raise InputError(
            f"token {text!r}",
            f"{label} occurs {'once' if len(places) == 1 else f'{len(places)} times'}",
            f"say {label}" if len(places) == 1 else f"say {label}#1 to {label}#{len(places)}",
        )
    return places[(occurrence or 1) - 1]


def _numbered(what: str, text: str | None, count: int, *, wanted: bool, short: str) -> int | None:
    letter = what[0].upper()
    if not wanted:
        if text is not None:
            raise InputError(
                f"{letter}{text} in front of {short}", f"{short} has no {what}", f"leave {letter}{text}. out"
            )
        return None
    if text is None:
        raise InputError(f"{short} without a {what}", f"there is one for each {what}", f"put {letter}1. in front of it")
    if not 1 <= int(text) <= count:
        raise InputError(f"{what} {text}", f"the model has {count}", f"give a {what} from 1 to {count}")
    return int(text) - 1
