"""docs/kit.md runs itself: each piece's lines draw its picture, its class says its sentence."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.publish.formats import svg
from pipeline.publish.formats._figure import Figure
from pipeline.render import runtime
from pipeline.render.drawing import Drawing

PAGE = Path(__file__).resolve().parent / "kit.md"
PICTURES = Path(__file__).resolve().parent / "pictures" / "kit"
THEMES = ("dark", "light")
ROOM = 0.2
"""Around a picture, in units of the frame."""

PIECE = re.compile(r"^### (?P<name>\w+)\n.*?```python\n(?P<code>.*?)```\n.*?(?=^##|\Z)", flags=re.DOTALL | re.MULTILINE)
FIRST = re.compile(r"```python\n(.*?)```", flags=re.DOTALL)


@dataclass(frozen=True)
class Piece:
    """One piece of the kit as the page shows it: its name, sentence and lines, its picture in each theme."""

    name: str
    sentence: str
    code: str
    pictures: Mapping[str, bytes]

    @property
    def stem(self) -> str:
        """`score-grid` for ScoreGrid."""
        return re.sub(r"(?<=.)(?=[A-Z])", "-", self.name).lower()

    def path(self, theme: str) -> Path:
        """Where its picture lies."""
        return PICTURES / f"{self.stem}.{theme}.svg"

    def lines(self) -> str:
        """Its part of the page."""
        dark, light = (self.path(theme).relative_to(PAGE.parent).as_posix() for theme in THEMES)
        alt = escape(self.sentence.replace("`", ""))
        return (
            f"### {self.name}\n\n{self.sentence}\n\n```python\n{self.code}```\n\n"
            f'<picture><source media="(prefers-color-scheme: light)" srcset="{light}">'
            f'<img src="{dark}" alt="{alt}"></picture>\n\n'
        )


def pieces(text: str) -> list[Piece]:
    """Run the page's lines, once in each theme, and draw what they call `picture`."""
    found = [(each["name"], each["code"]) for each in PIECE.finditer(text)]
    drawn: dict[str, dict[str, bytes]] = {name: {} for name, _ in found}
    sentences = {}
    with runtime.manim_settings(size=(960, 540), frames_per_second=15):
        for theme in THEMES:
            for name, values in _run(FIRST.search(text)[1], found, theme):  # type: ignore[index]
                sentences[name] = _sentence(values[name])
                drawn[name][theme] = _picture(name, sentences[name], values)
    return [Piece(name, sentences[name], code, drawn[name]) for name, code in found]


def page(text: str, shown: list[Piece]) -> str:
    """The page with the pieces' own sentences and pictures."""
    of = {each.name: each for each in shown}
    return PIECE.sub(lambda found: of[found["name"]].lines(), text).rstrip("\n") + "\n"


def write() -> Iterator[Path]:
    """Write the page and its pictures; yields the path of each file. A picture of no piece is removed."""
    text = PAGE.read_text(encoding="utf-8")
    shown = pieces(text)
    PICTURES.mkdir(parents=True, exist_ok=True)
    for each in shown:
        for theme, data in each.pictures.items():
            each.path(theme).write_bytes(data)
            yield each.path(theme)
    known = {each.path(theme) for each in shown for theme in THEMES}
    for path in set(PICTURES.glob("*.svg")) - known:
        path.unlink()
    PAGE.write_text(page(text, shown), encoding="utf-8")
    yield PAGE


def _run(first: str, found: list[tuple[str, str]], theme: str) -> Iterator[tuple[str, dict[str, Any]]]:
    from scenes.kit.theme import THEMES as LOOKS

    values: dict[str, Any] = {}
    exec(compile(first, f"{PAGE.name}: first lines", "exec"), values)
    values["theme"] = LOOKS[theme]
    for name, code in found:
        exec(compile(code, f"{PAGE.name}: {name}", "exec"), values)
        yield name, values


def _sentence(piece: Any) -> str:
    return (inspect.getdoc(piece) or "").split("\n\n", 1)[0].replace("\n", " ").replace("``", "`")


def _picture(name: str, sentence: str, values: Mapping[str, Any]) -> bytes:
    """The picture as SVG, cut to what is drawn."""
    from manim import Camera, VMobject

    from pipeline.render.vectors import drawing_of_mobjects
    from scenes.kit import frame

    picture = values["picture"]
    mobjects = [picture] if isinstance(picture, VMobject) else list(picture)
    camera = Camera(background_color=values["theme"].ground, frame_width=frame.WIDTH, frame_height=frame.HEIGHT)
    drawing = drawing_of_mobjects(mobjects, camera)
    figure = Figure(
        drawing=drawing,
        pixels=PAGE,
        title=name,
        alt=sentence,
        language="en",
        digest=_digest(mobjects),
        command="python -m docs.make",
    )
    return svg.write(figure, part=_part(drawing))


def _digest(mobjects: list) -> str:
    """Names the numbers: which each is, and its text as shown."""
    from scenes.kit.ledger import carriers, shown_numbers

    rows = [
        [shown.cell.name, sorted(shown.cell.index), shown.text]
        for each in carriers(mobjects)
        for shown, _ in shown_numbers(each)
    ]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def _part(drawing: Drawing) -> svg.Part:
    lows, highs = [], []
    for shape in drawing.shapes:
        half = shape.stroke.width / 2 if shape.stroke else 0.0
        points = np.concatenate([each.curves.reshape(-1, 2) for each in shape.subpaths])
        lows.append(points.min(axis=0) - half)
        highs.append(points.max(axis=0) + half)
    low, high = (np.min(lows, axis=0) - ROOM).round(2), (np.max(highs, axis=0) + ROOM).round(2)
    width, height = (high - low).round(2)
    return float(low[0]), float(low[1]), float(width), float(height)
