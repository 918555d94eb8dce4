"""Two runs of one prompt, quantity by quantity: what changed, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from transformer_core.address import format_address
from transformer_core.capture import capture
from transformer_core.display import show
from transformer_core.errors import InputError
from transformer_core.sources import load_model
from transformer_core.stages import stage_of
from transformer_core.trace import Trace

TRACE_ENDING = ".safetensors"


@dataclass(frozen=True)
class Difference:
    """One quantity: how many of its numbers changed, the largest change, and where that is.

    `before` and `after` are that number's exact values, `shown` the two as they are written.
    """

    name: str
    role: str
    changed: int
    count: int
    largest: float
    address: str
    before: float
    after: float
    shown: tuple[str, str]

    @property
    def words(self) -> str:
        """One line for people."""
        then, now = self.shown
        return f"{self.changed} of {self.count}, largest {self.largest:.3g}: {self.address} {then} → {now}"


def open_run(reference: str, *, prompt: str | None) -> tuple[Trace | None, str]:
    """A trace file's trace, or None and the model's name, to be run later. Raises InputError."""
    if Path(reference).is_file() and reference.endswith(TRACE_ENDING):
        trace = Trace.load(reference)
        if prompt is not None and prompt != trace.spec.prompt:
            raise InputError(f"--prompt {prompt!r}", f"the trace is of {trace.spec.prompt!r}", "leave the prompt out")
        return trace, reference
    return None, reference


def two_runs(first: str, second: str, *, prompt: str | None = None) -> tuple[Trace, Trace]:
    """The traces of two references, each a trace file or a model's name or folder.

    The prompt is that of a trace file, else `prompt`, else the first model's own. Raises InputError for runs that
    cannot be compared.
    """
    (one, _), (two, _) = open_run(first, prompt=prompt), open_run(second, prompt=prompt)
    told = next((trace.spec.prompt for trace in (one, two) if trace is not None), prompt)
    loaded = None if one else load_model(first)
    if told is None and loaded is not None:
        told = loaded.card.get("default_prompt", {}).get("en")
    if told is None:
        raise InputError("prompt", f"{first} has no default one", "give one with --prompt TEXT")
    cut = next((trace.spec.cut for trace in (one, two) if trace is not None), None)
    order = next((trace.spec.order for trace in (one, two) if trace is not None), None)
    if one is None:
        assert loaded is not None
        one = capture(loaded, told, cut=cut, order=order)
    if two is None:
        two = capture(load_model(second), told, cut=cut, order=order)
    if one.spec.tokens != two.spec.tokens:
        why = f"{' '.join(one.spec.tokens)!r} is not {' '.join(two.spec.tokens)!r}"
        raise InputError(f"{first} and {second}", f"their tokens differ: {why}", "compare runs of one prompt")
    if one.spec.vocabulary != two.spec.vocabulary:
        why = "a word of one is not the word of the other at its place"
        raise InputError(
            f"{first} and {second}", f"their vocabularies differ: {why}", "compare models of one vocabulary"
        )
    return one, two


def differences(one: Trace, two: Trace) -> list[Difference]:
    """Every quantity that both have and that is not the same bit for bit, largest change first.

    Raises InputError where a quantity has another shape in the other: those are other models, not another training.
    """
    found = []
    for name in one.names():
        if name not in two.names():
            continue
        before, after = one.array(name), two.array(name)
        if before.shape != after.shape:
            shapes = " and ".join("×".join(map(str, each.shape)) for each in (before, after))
            raise InputError(name, f"it is {shapes}", "compare two models of one configuration")
        changed = before.view("<i8") != after.view("<i8")
        if changed.any():
            found.append(_difference(one, two, name, changed))
    return sorted(found, key=lambda each: (-each.largest, each.name))


def only_in_one(one: Trace, two: Trace) -> tuple[str, ...]:
    """The quantities that one of them lacks."""
    return tuple(sorted(set(one.names()) ^ set(two.names())))


def _difference(one: Trace, two: Trace, name: str, changed: np.ndarray) -> Difference:
    before, after = one.array(name), two.array(name)
    distance = np.zeros(before.shape)
    np.subtract(after, before, out=distance, where=changed & np.isfinite(before) & np.isfinite(after))
    distance = np.abs(distance)
    place = tuple(int(step) for step in np.unravel_index(int(distance.argmax()), distance.shape))
    index = dict(zip(one.axes(name), place, strict=True))
    cells = one.cell(name, **index), two.cell(name, **index)
    decimals = next(
        (count for count in range(2, 8) if show(cells[0], decimals=count) != show(cells[1], decimals=count)), 8
    )
    return Difference(
        name=name,
        role=stage_of(name).role,
        changed=int(changed.sum()),
        count=int(changed.size),
        largest=float(distance.max()),
        address=format_address(cells[0], one.spec),
        before=cells[0].value,
        after=cells[1].value,
        shown=(show(cells[0], decimals=decimals).text, show(cells[1], decimals=decimals).text),
    )
