"""Formulas in Typst's maths face, each symbol in the colour of its role.

Written as Typst maths with ``@role(body)`` around what has a role; the part in play is lit, the rest is quiet.
Never used for numbers.
"""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path

import typst
from manim import SVGMobject, VGroup, VMobject

from scenes.kit.theme import ROLES, Theme

POINTS = 10
_ROLE = re.compile(r"@([a-z_]+)\(")


class Formula(VGroup):
    """A formula whose symbols have the colours of their roles, at ``size`` units an em."""

    def __init__(self, source: str, *, size: float, theme: Theme) -> None:
        super().__init__(*(symbol.copy() for symbol in _symbols(_markup(source, theme), theme.text)))
        self.source = source
        self.scale(size / POINTS)


@cache
def _symbols(markup: str, colour: str) -> tuple[VMobject, ...]:
    """The outlines of a formula, centred, at Typst's own size."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "formula.svg"
        path.write_bytes(_svg(markup, colour))
        drawing = SVGMobject(str(path), height=None, width=None, use_svg_cache=False)
    for part in drawing.family_members_with_points():
        # Every copy for an animation would copy the parsed path too.
        part.path_obj = None
    return tuple(drawing)


def _markup(source: str, theme: Theme) -> str:
    def coloured(match: re.Match[str]) -> str:
        role = match.group(1)
        if role not in ROLES and role != "note":
            raise ValueError(f"formula {source!r}: unknown role {role}")
        return f'#text(fill: rgb("{theme.note if role == "note" else theme.role(role)}"))['

    pieces, depth, position = [], [], 0
    while position < len(source):
        match = _ROLE.match(source, position)
        if match:
            pieces.append(coloured(match) + "$")
            depth.append("role")
            position = match.end()
            continue
        character = source[position]
        if character == "(":
            depth.append("plain")
        if character == ")" and depth and depth.pop() == "role":
            character = "$]"
        pieces.append(character)
        position += 1
    return "".join(pieces)


def _svg(markup: str, colour: str) -> bytes:
    page = "#set page(width: auto, height: auto, margin: 1pt, fill: none)\n"
    text = f'#set text(size: {POINTS}pt, fill: rgb("{colour}"))\n'
    return _compiler().compile((page + text + f"${markup}$").encode(), format="svg")


@cache
def _compiler() -> typst.Compiler:
    """One for all formulas: it looks for the fonts of the system once."""
    return typst.Compiler()
