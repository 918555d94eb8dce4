"""A deck as a frozen value: what its slides show and say, before it has a form.

Every text is plain text on one line: data, never markup. All of it is the ledger's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pipeline.publish.described import described
from pipeline.publish.embeds._text import clean
from pipeline.publish.sentences import tell
from pipeline.publish.sentences._table import Block, Table
from pipeline.slides._room import Room, room_for
from scenes.kit.theme import THEMES, Theme

WORDS = {
    "en": {
        "weight": "blue: weights, learned",
        "data": "grey: data, flows through",
        "model": "Model: {}",
        "notes": "Notes",
        "seen": "On screen: {}",
        "colon": ": ",
    },
    "zh": {
        "weight": "蓝色：权重，学来的",
        "data": "灰色：数据，流过的",
        "model": "模型：{}",
        "notes": "备注",
        "seen": "画面：{}",
        "colon": "：",
    },
}
"""What a deck says beside the ledger's texts, in its language."""
LEGEND = ("weight", "data")
"""The roles whose colours the title slide explains."""
CREATOR = "manim-attention"


@dataclass(frozen=True, kw_only=True)
class Slide:
    """One beat. `said` are its caption lines, `seen` tells its last picture, `notes` its numbers, `seconds` its length.

    `still` is a PNG of that picture, `drawing` its outlines, `clip` an mp4 that ends on it; a form takes what it is
    made of.
    """

    name: str
    title: str
    said: tuple[str, ...]
    seen: str
    notes: tuple[Block, ...]
    seconds: float
    still: Path
    drawing: Path
    clip: Path


@dataclass(frozen=True, kw_only=True)
class Part:
    """One scene: its title slide and its beats."""

    name: str
    title: str
    prompt: str
    model: str
    digest: str
    slides: tuple[Slide, ...]

    @cached_property
    def room(self) -> Room:
        """How its slides are divided."""
        return room_for(slide.said for slide in self.slides)


@dataclass(frozen=True, kw_only=True)
class Deck:
    """The scenes of a deck in their order. `command` makes it again; `notes`: they are to be read in the file."""

    parts: tuple[Part, ...]
    language: str
    theme: Theme
    command: str
    notes: bool = False

    @property
    def title(self) -> str:
        """The scenes' titles."""
        return " · ".join(part.title for part in self.parts)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The digests of the numbers, one of each scene, as a file writes them."""
        return tuple(f"sha256:{part.digest}" for part in self.parts)

    @property
    def words(self) -> Mapping[str, str]:
        """What a deck says beside the ledger's texts."""
        return WORDS[self.language]


def deck_of(
    parts: Iterator[tuple[Mapping[str, Any], Path]], *, language: str, theme: str, command: str, notes: bool
) -> Deck:
    """The deck of some ledgers, each with the folder that has its pictures."""
    made = tuple(part_of(data, folder, language) for data, folder in parts)
    return Deck(parts=made, language=language, theme=THEMES[theme], command=clean(command), notes=notes)


def part_of(data: Mapping[str, Any], folder: Path, language: str) -> Part:
    """The slides of a ledger. In `folder` lie `stills`, `drawings` and `clips`, each with a file for each beat."""
    told = tell(data, language)
    slides = tuple(
        Slide(
            name=beat["name"],
            title=clean(beat["titles"][language]),
            said=tuple(filter(None, (clean(line["text"]) for line in beat["captions"].get(language, ())))),
            seen=clean(described(data, beat, language)),
            notes=tuple(map(_clean_block, told[beat["name"]].blocks)),
            seconds=beat["end"] - beat["start"],
            still=folder / "stills" / f"{beat['name']}.png",
            drawing=folder / "drawings" / f"{beat['name']}.npz",
            clip=folder / "clips" / f"{beat['name']}.mp4",
        )
        for beat in data["beats"]
    )
    return Part(
        name=data["scene"],
        title=clean(data["titles"][language]) or data["scene"],
        prompt=clean(data["trace"]["prompt"]),
        model=clean(data["model"]["name"]),
        digest=data["digest"],
        slides=slides,
    )


def note_lines(slide: Slide, words: Mapping[str, str]) -> Iterator[str]:
    """The notes of a slide as lines of plain text: what is seen, then the numbers, a table's rows one by one."""
    if slide.seen:
        yield words["seen"].format(slide.seen)
    for block in slide.notes:
        if isinstance(block, str):
            yield block
            continue
        yield f"{block.title}{words['colon'].strip()}"
        for row in (block.head, *block.rows):
            yield "    ".join(row)


def _clean_block(block: Block) -> Block:
    if isinstance(block, str):
        return clean(block)
    return Table(clean(block.title), tuple(map(clean, block.head)), tuple(tuple(map(clean, row)) for row in block.rows))
