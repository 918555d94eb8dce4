"""Numbers: each Cell is the trace's bit by bit, its text is right, and its drawn outlines are that text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pipeline.publish.checks.view import Run, View
from scenes.kit.carriers import carried_by
from scenes.kit.record import ShownCell
from scenes.kit.text import BoundNumber
from transformer_core.cell import Cell
from transformer_core.derive import evaluate, expression
from transformer_core.display import show
from transformer_core.errors import CheckFailed, InputError
from transformer_core.trace import Trace

MOST_DECIMALS = 8


def trace_is_whole(view: View) -> Iterator[str]:
    """The trace's numbers still have the digest that the trace says."""
    trace = view.scene.trace
    again = Trace(trace.spec, {name: trace.array(name) for name in trace.names()})
    if again.digest != trace.digest:
        yield f"the trace's numbers have the digest {again.digest[:16]}, it says {trace.digest[:16]}"


def cells_are_the_traces(view: View) -> Iterator[str]:
    """Every Cell on screen, shown or carried, equals the trace's own at its address, bit by bit."""
    cells = [run.shown.cell for run in view.runs if run.shown]
    cells += [carried.encoding.cell for each in view.carriers for carried in carried_by(each)]
    cells += [shown.cell for each in view.carriers for shown in getattr(each, "quoted", ())]
    for cell in {id(cell): cell for cell in cells}.values():
        fault = difference(cell, view.scene.trace)
        if fault:
            yield f"{view.address(cell)} {fault}"


def difference(cell: Cell, trace: Trace) -> str:
    """What is wrong with a Cell that claims to be of this trace; nothing for a right one."""
    try:
        true = true_cell(cell, trace)
    except (InputError, KeyError, ValueError, ZeroDivisionError, OverflowError) as error:
        return f"is not in the trace ({error})"
    if cell.value.hex() != true.value.hex():
        return f"is {cell.value.hex()}, the trace has {true.value.hex()}"
    if cell.digest != trace.digest[:16]:
        return f"is of trace {cell.digest}, not of {trace.digest[:16]}"
    if replace(cell, digest=true.digest) != true:
        return "has another index, mask or formula than the trace's"
    return ""


def true_cell(cell: Cell, trace: Trace) -> Cell:
    """What the trace says at a Cell's address; a derived one is computed again from the trace."""
    return evaluate(expression(cell), trace) if cell.derived else trace.cell(cell.name, **dict(cell.index))


def texts_are_right(view: View) -> Iterator[str]:
    """Every shown text is what the display rules make of its Cell, and is of the kind it says."""
    for run in view.runs:
        if run.shown:
            yield from _text_fault(view, run.shown, getattr(run.mobject, "decimals", None))
        if isinstance(run.mobject, BoundNumber):
            number = run.mobject
            if number.text != number.prefix + number.shown.text or number.cell != number.shown.cell:
                yield f"{view.where(run)} holds {number.text!r} for {number.shown.text!r}"
    for each in view.carriers:
        for shown in getattr(each, "quoted", ()):
            yield from _text_fault(view, shown, None)


def _text_fault(view: View, shown: ShownCell, decimals: int | None) -> Iterator[str]:
    fault = text_fault(shown, decimals)
    if fault:
        yield f"{view.address(shown.cell)} {fault}"


def text_fault(shown: ShownCell, decimals: int | None = None) -> str:
    """What is wrong with the text of a Cell. Without ``decimals`` the text's own places count."""
    if decimals is not None:
        places = [decimals]
    elif "." in shown.text:
        places = [len(shown.text.partition(".")[2])]
    else:
        places = [2, *range(MOST_DECIMALS)]
    try:
        allowed = [show(shown.cell, decimals=each) for each in places]
    except CheckFailed:
        return f"is {shown.cell.value} and cannot be shown"
    if any((each.text, each.kind) == (shown.text, shown.kind) for each in allowed):
        return ""
    return f"is written {shown.text} ({shown.kind}), right is {allowed[0].text} ({allowed[0].kind})"


def outlines_are_the_texts(view: View) -> Iterator[str]:
    """What is read from the drawn outlines of each line of text is what it says."""
    for run in view.runs:
        if run.read.text != run.expected:
            yield _misread(view, run)
        elif run.shown and not run.read.straight:
            yield f"{view.where(run)} shows {run.expected} with glyphs of different size or height"


def _misread(view: View, run: Run) -> str:
    drawn = run.read.text or "nothing"
    if run.shown is None:
        claims = repr(run.expected) if run.expected else "nothing to be there"
        return f"{view.where(run)} shows {drawn}, it says {claims}"
    trace = view.scene.trace
    try:
        true = show(true_cell(run.shown.cell, trace), decimals=_decimals(run)).text
    except (InputError, KeyError, ValueError, CheckFailed):
        true = f"something else ({run.expected})"
    prefix = getattr(run.mobject, "prefix", "")
    return f"{view.where(run)} shows {drawn}, the trace says {prefix}{true}"


def _decimals(run: Run) -> int:
    text = run.shown.text if run.shown else ""
    return getattr(run.mobject, "decimals", len(text.partition(".")[2]) or 2)
