"""A published figure, or the poster of a video, as a frozen value: what a page needs to know of a still picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.publish.described import described
from pipeline.publish.embeds._text import clean
from pipeline.publish.ledger import ENDING
from transformer_core.errors import InputError

WEB = (".svg", ".png")
PAPER = (".pdf", ".png", ".svg")
FORMS = (".svg", ".pdf", ".png")


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A figure. Texts are plain text on one line: data, never markup.

    `files` are those of its forms that exist, at least one. `still` says what it shows. Sizes in pixels.
    """

    name: str
    title: str
    prompt: str
    language: str
    theme: str
    files: tuple[Path, ...]
    ledger: Path
    width: int
    height: int
    still: str

    @property
    def label(self) -> str:
        """Title and prompt: what the picture is called."""
        return f"{self.title} — {self.prompt}" if self.prompt else self.title

    @property
    def poster(self) -> Path:
        """The file for paper."""
        return self.file(*PAPER, tool="paper")

    def file(self, *endings: str, tool: str) -> Path:
        """The first of these forms that there is. Raises InputError where the tool can take none of its files."""
        known = {path.suffix.lower(): path for path in self.files}
        found = next((known[ending] for ending in endings if ending in known), None)
        if found is None:
            forms = " or ".join(ending[1:] for ending in endings)
            why = f"{tool} takes a figure as {forms}, and there is none"
            raise InputError(str(self.files[0]), why, f"draw it with --format {endings[0][1:]} as well")
        return found


@dataclass(frozen=True, kw_only=True)
class ShownPicture:
    """What is embedded: a picture and, where there is one, the same in the other of light and dark."""

    asset: Picture
    twin: Picture | None = None

    @property
    def by_theme(self) -> tuple[tuple[str, Picture], ...]:
        """The pictures with the theme of the page that each is for; one alone is for any, named ''."""
        if self.twin is None:
            return (("", self.asset),)
        return tuple((each.theme, each) for each in sorted((self.asset, self.twin), key=lambda each: each.theme))


def is_figure(data: Mapping[str, Any]) -> bool:
    """Whether a ledger is that of a picture that `figure` drew."""
    return data["render"]["frames"] == 0 and len(data["beats"]) == 1


def figure_of(data: Mapping[str, Any], ledger: Path) -> Picture:
    """The figure of that ledger. Raises InputError where no file of it is there."""
    files = files_of(ledger)
    if not files:
        stem = str(ledger).removesuffix(ENDING)
        raise InputError(stem, "no svg, pdf or png of it lies beside its ledger", "draw it with `figure` again")
    return _picture(data, ledger, data["beats"][0], name=ledger.name.removesuffix(ENDING), files=files)


def poster_of(data: Mapping[str, Any], poster: Path, ledger: Path) -> Picture:
    """The poster of a video, as a picture of its own."""
    beat = poster_beat(data)
    return _picture(data, ledger, beat, name=poster.name, files=(poster,))


def poster_beat(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The beat of a video that its poster is the last picture of."""
    named = data["render"].get("poster")
    return next((beat for beat in data["beats"] if beat["name"] == named), data["beats"][-1])


def files_of(ledger: Path) -> tuple[Path, ...]:
    """The pictures of a ledger."""
    stem = ledger.name.removesuffix(ENDING)
    return tuple(path for ending in FORMS if (path := ledger.with_name(stem + ending)).is_file())


def _picture(
    data: Mapping[str, Any], ledger: Path, beat: Mapping[str, Any], *, name: str, files: tuple[Path, ...]
) -> Picture:
    look, language = data["render"], data["render"]["language"]
    titles = (data.get("titles", {}).get(language, ""), beat["titles"][language])
    return Picture(
        name=name,
        title=" — ".join(filter(None, map(clean, titles))) or data["scene"],
        prompt=clean(data["trace"]["prompt"]),
        language=language,
        theme=look.get("theme", "dark"),
        files=files,
        ledger=ledger,
        width=look["width"],
        height=look["height"],
        still=clean(described(data, beat, language)),
    )
