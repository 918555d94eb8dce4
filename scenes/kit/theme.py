"""Colours by role. A scene names a role; only this file names a colour.

Blue is learned, grey is data. Which pairs may meet, and how far apart they are, is computed in
``tests/kit/test_theme.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from scenes.kit.colour import least_contrast, mix

ROLES = (
    "weight",
    "weight_negative",
    "data",
    "query",
    "key",
    "value",
    "delta",
    "probability",
    "pattern",
)
SHADES = (0.04, 0.10, 0.16, 0.22, 0.28, 0.34)
"""Share of the role's colour in the ground behind digits, by size of the value: the steps of the shade scale."""

READABLE = 4.6
"""The contrast that digits have, a little above the 4.5 of WCAG 1.4.3."""

BARE_SHADES = (0.03, 0.21, 0.39, 0.57, 0.75, 0.93)
"""The same steps for cells without digits, which can be told apart from the back row."""


@dataclass(frozen=True)
class Theme:
    """One look: a ground, text colours, and a colour for each role."""

    name: str
    ground: str
    text: str
    note: str
    roles: Mapping[str, str]

    def role(self, name: str) -> str:
        """The colour of a role."""
        return self.roles[name]

    def plate(self, name: str) -> str:
        """The ground of a thing of that role: what lies behind its cells."""
        return mix(self.ground, self.roles[name], 0.03)

    def shade(self, name: str, level: int, *, bare: bool = False) -> str:
        """The ground of a cell whose value falls into step ``level``; ``bare`` for a cell without digits."""
        return mix(self.ground, self.roles[name], (BARE_SHADES if bare else SHADES)[level])

    def ink(self, name: str) -> str:
        """The colour of digits on any shade of the role: the role's own, moved to the text colour as far as needed."""
        return self.readable(self.roles[name], on=name)

    def readable(self, colour: str, *, on: str) -> str:
        """A colour for digits on any shade of the role ``on``, moved to the text colour as far as needed.

        Readable for colour-blind viewers too.
        """
        return _readable(colour, self.text, tuple(self.shade(on, level) for level in range(len(SHADES))))

    def faint(self, name: str, share: float = 0.4) -> str:
        """A quieter tone of a role, for outlines and guides."""
        return mix(self.ground, self.roles[name], share)

    def __deepcopy__(self, memo: object) -> Theme:
        return self

    @property
    def sign_by_shape(self) -> bool:
        """Whether a cell without digits says by its shape that it is negative: on paper tones may be all there is."""
        return self.name == "print"

    @property
    def guide(self) -> str:
        """Hairlines, axes and empty outlines."""
        return mix(self.ground, self.text, 0.28)


@cache
def _readable(colour: str, text: str, grounds: tuple[str, ...]) -> str:
    for step in range(21):
        moved = mix(colour, text, step / 20)
        if all(least_contrast(moved, ground) >= READABLE for ground in grounds):
            return moved
    return text


def _theme(name: str, ground: str, text: str, note: str, **roles: str) -> Theme:
    missing = set(ROLES) ^ set(roles)
    if missing:
        raise ValueError(f"theme {name}: roles missing or unknown: {sorted(missing)}")
    return Theme(name, ground, text, note, MappingProxyType(roles))


THEMES: Mapping[str, Theme] = MappingProxyType(
    {
        "dark": _theme(
            "dark",
            ground="#0B0E14",
            text="#F4F6FA",
            note="#9AA3B0",
            weight="#58C4DD",
            weight_negative="#8D73D5",
            data="#AEB6C2",
            query="#F1CB41",
            key="#48E3A8",
            value="#F64C86",
            delta="#EC8744",
            probability="#77F574",
            pattern="#F4F6FA",
        ),
        "light": _theme(
            "light",
            ground="#FBFBF8",
            text="#14181F",
            note="#5C6470",
            weight="#0975AE",
            weight_negative="#3B2B71",
            data="#666E7A",
            query="#7F6425",
            key="#094F42",
            value="#9F3852",
            delta="#C84815",
            probability="#145315",
            pattern="#14181F",
        ),
        "print": _theme(
            "print",
            ground="#FFFFFF",
            text="#000000",
            note="#4A4A4A",
            weight="#0062A0",
            weight_negative="#2A1A5C",
            data="#767676",
            query="#7F6425",
            key="#094F42",
            value="#A00E4C",
            delta="#BC4414",
            probability="#145315",
            pattern="#000000",
        ),
    }
)
