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
from manim import SVGMobject

from scenes.kit.theme import ROLES, Theme

POINTS = 10
_ROLE = re.compile(r"@([a-z_]+)\(")


class Formula(SVGMobject):
    """A formula whose symbols have the colours of their roles, at ``size`` units an em."""

    def __init__(self, source: str, *, size: float, theme: Theme) -> None:
        self.source = source
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "formula.svg"
            path.write_bytes(_svg(_markup(source, theme), theme.text))
            super().__init__(str(path), height=None, width=None, use_svg_cache=False)
        self.scale(size / POINTS)
        self._forget_source()

    def _forget_source(self) -> None:
        """Drop the parsed paths, which every copy for an animation would copy too."""
        self.id_to_vgroup_dict = {}
        for part in self.family_members_with_points():
            part.path_obj = None


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


@cache
def _svg(markup: str, colour: str) -> bytes:
    page = "#set page(width: auto, height: auto, margin: 1pt, fill: none)\n"
    text = f'#set text(size: {POINTS}pt, fill: rgb("{colour}"))\n'
    return typst.compile((page + text + f"${markup}$").encode(), format="svg")
