"""A piece of a trace as a table, for a terminal or a notebook: displayed numbers under the tokens' labels."""

import unicodedata
from dataclasses import dataclass
from html import escape

from transformer_core.address import token_label
from transformer_core.axes import TOKEN_AXES
from transformer_core.cell import Cell
from transformer_core.display import Shown, show
from transformer_core.errors import InputError
from transformer_core.spec import TraceSpec
from transformer_core.trace import Trace


@dataclass(frozen=True, slots=True)
class Table:
    """Rows and columns of shown numbers. `str()` is text in columns; a notebook draws it as HTML."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    shown: tuple[tuple[Shown, ...], ...]
    cells: tuple[tuple[Cell, ...], ...]

    def __str__(self) -> str:
        lines = [["", *self.columns]]
        lines += [[label, *(one.text for one in row)] for label, row in zip(self.rows, self.shown, strict=True)]
        widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
        body = ("  ".join(map(_padded, line, widths)).rstrip() for line in lines)
        return "\n".join([self.title, *body])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(label)}</th>" for label in ("", *self.columns))
        body = "".join(
            f"<tr><th>{escape(label)}</th>" + "".join(f"<td>{escape(one.text)}</td>" for one in row) + "</tr>"
            for label, row in zip(self.rows, self.shown, strict=True)
        )
        return f"<table><caption>{escape(self.title)}</caption><tr>{head}</tr>{body}</table>"


def table(trace: Trace, name: str, *, decimals: int = 2, **index: int) -> Table:
    """The numbers of a quantity, 0-based `index` fixing all but one or two axes.

    Raises InputError when more than two axes, or none, are left to run.
    """
    axes = trace.axes(name)
    free = [axis for axis in axes if axis not in index]
    if len(free) not in (1, 2):
        raise InputError(
            f"table of {name}",
            f"{len(free)} axes are left ({', '.join(free)})",
            "fix all but one or two axes",
        )
    sizes = dict(zip(axes, trace.array(name).shape, strict=True))
    across = free[-1]
    down = free[0] if len(free) == 2 else None
    places = [{down: place} for place in range(sizes[down])] if down else [{}]
    cells = tuple(tuple(trace.cells(name, **index, **place)) for place in places)
    fixed = ", ".join(f"{axis} {_label(trace.spec, axis, place)}" for axis, place in index.items())
    return Table(
        title=f"{name}{f' of {fixed}' if fixed else ''}: {f'{down} down, ' if down else ''}{across} across",
        rows=tuple(_label(trace.spec, down, place) for place in range(len(cells))) if down else ("",),
        columns=tuple(_label(trace.spec, across, place) for place in range(sizes[across])),
        shown=tuple(tuple(show(cell, decimals=decimals) for cell in row) for row in cells),
        cells=cells,
    )


def _label(spec: TraceSpec, axis: str, place: int) -> str:
    if axis in TOKEN_AXES and place < len(spec.tokens):
        return token_label(spec, place)
    return spec.vocabulary[place] if axis == "vocab" else str(place + 1)


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _padded(text: str, width: int) -> str:
    return " " * (width - _width(text)) + text
