"""Captions, titles and alt texts: templates over Cells, in English and Chinese side by side.

A scene's texts lie beside it in ``<scene>.toml``::

    [title]                      # of the scene
    en = "…"
    zh = "…"

    [beats.scores]
    title = { en = "…", zh = "…" }
    alt = { en = "…", zh = "…" }
    captions = [ { en = "… {score_first}", zh = "…", when = "claimed" } ]

A field in braces is a Cell (shown as the display rules say), a token, or a count. A line with ``when`` is used
only if the scene states that fact (``"not claimed"`` for its opposite). ``[formulas.columns]`` and
``[formulas.rows]`` hold the formulas of the two layouts. A digit typed into a template is an error: numbers come
from Cells.
"""

from __future__ import annotations

import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scenes.kit.record import ShownCell
from transformer_core.display import show
from transformer_core.errors import CheckFailed
from transformer_core.trace import Cell

Field = Cell | str | int
LETTER_SECONDS, HAN_SECONDS = 0.06, 0.25
"""Seconds a letter, digit or sign of a caption needs, and a Chinese character, beside one second to find it."""


@dataclass(frozen=True)
class Filled:
    """A template with its fields filled in, and the Cells that it quotes."""

    text: str
    quoted: tuple[ShownCell, ...]


@dataclass(frozen=True)
class Template:
    """One text in both languages."""

    en: str
    zh: str
    when: str = ""

    def holds(self, facts: frozenset[str]) -> bool:
        """Whether the line is to be used, given the facts that the scene states."""
        if self.when.startswith("not "):
            return self.when.removeprefix("not ") not in facts
        return not self.when or self.when in facts

    def fill(self, language: str, fields: Mapping[str, Field]) -> Filled:
        """The text in one language. Raises CheckFailed for a typed digit or an unknown field."""
        return fill(getattr(self, language), fields)


@dataclass(frozen=True)
class BeatTexts:
    """Title, captions and alt text of one beat."""

    title: Template
    alt: Template
    captions: tuple[Template, ...]


@dataclass(frozen=True)
class SceneTexts:
    """All texts of one scene; ``words`` are the short labels drawn in the picture."""

    title: Template
    beats: Mapping[str, BeatTexts]
    words: Mapping[str, Template]
    formulas: Mapping[str, Mapping[str, str]]

    @classmethod
    def load(cls, path: Path) -> SceneTexts:
        """Read ``<scene>.toml``."""
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return cls(
            title=Template(**data["title"]),
            beats={name: _beat(beat) for name, beat in data["beats"].items()},
            words={name: Template(**word) for name, word in data.get("words", {}).items()},
            formulas=data.get("formulas", {}),
        )

    def word(self, name: str, language: str, **fields: Field) -> str:
        """A short label of the picture."""
        return self.words[name].fill(language, fields).text


def _beat(data: Mapping[str, Mapping[str, str]]) -> BeatTexts:
    captions = tuple(Template(**line) for line in data["captions"])
    return BeatTexts(Template(**data["title"]), Template(**data["alt"]), captions)


def fill(template: str, fields: Mapping[str, Field]) -> Filled:
    """Fill a template's fields; Cells come out as the display rules write them and are reported as quoted."""
    pieces: list[str] = []
    quoted: list[ShownCell] = []
    for literal, name, style, _ in string.Formatter().parse(template):
        if any(character.isdigit() for character in literal):
            raise CheckFailed(f"caption {template!r}", "it has a typed digit: bind it to a Cell")
        pieces.append(literal)
        if name is None:
            continue
        if name not in fields:
            raise CheckFailed(f"caption {template!r}", f"it asks for {{{name}}}, which the scene does not give")
        value = fields[name]
        if isinstance(value, Cell):
            shown = show(value, decimals=int(style) if style else 2)
            quoted.append(ShownCell(value, shown.text, shown.kind))
            pieces.append(shown.text)
        else:
            pieces.append(str(value))
    return Filled("".join(pieces), tuple(quoted))


def reading_seconds(text: str) -> float:
    """How long a line must stay: one second, and a little for each character; a Chinese one counts for a word."""
    han = sum("\u4e00" <= character <= "\u9fff" for character in text)
    return 1.0 + HAN_SECONDS * han + LETTER_SECONDS * (len(text) - han)
