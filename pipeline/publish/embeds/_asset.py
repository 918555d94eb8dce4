"""A published video as a frozen value: what a page needs to know of it, read from the files of its render."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.publish.described import described
from pipeline.publish.embeds._picture import ShownPicture, poster_beat
from pipeline.publish.embeds._text import clean, clock
from pipeline.publish.embeds._track import read_cues
from pipeline.publish.ledger import ENDING, read_ledger
from transformer_core.errors import InputError

FILMS = {".mp4": "video/mp4", ".webm": "video/webm"}
"""What browsers play, in the order in which they are offered: Safari may not know the second."""
MOVING = {".webp": "image/webp", ".gif": "image/gif"}
"""Images that move, which nobody can stop: for where there is no film. The first has more colours."""
UNSEEN = (".mov", ".frames")
"""Films that no page plays."""
LANGUAGES = {"en": "English", "zh": "中文"}
"""The languages of caption tracks, each by its own name."""


@dataclass(frozen=True)
class Track:
    """A caption file in one language."""

    language: str
    path: Path

    @property
    def label(self) -> str:
        """The language by its own name, as a player's menu lists it."""
        return LANGUAGES[self.language]


@dataclass(frozen=True)
class Chapter:
    """One beat: when, its title, what the captions say in it, what is seen at its end."""

    start: float
    end: float
    title: str
    said: str
    seen: str

    @property
    def clock(self) -> str:
        """When it begins, as `0:08`."""
        return clock(self.start)


@dataclass(frozen=True, kw_only=True)
class Asset:
    """A video with all that lies beside it. Texts are plain text on one line: data, never markup.

    `videos`, `poster`, `tracks`, `chapter_track`, `transcript` and `ledger` are files that exist; a player
    takes the first of the videos that it can. Where they are images that move, `moves` is true. `still` says what
    the poster shows. Times in seconds, sizes in pixels, `frame` the seconds that one frame lasts.
    """

    name: str
    title: str
    prompt: str
    language: str
    theme: str
    videos: tuple[Path, ...]
    poster: Path
    tracks: tuple[Track, ...]
    chapter_track: Path
    transcript: Path
    ledger: Path
    width: int
    height: int
    duration: float
    frame: float
    chapters: tuple[Chapter, ...]
    still: str
    digest: str

    @property
    def video(self) -> Path:
        """The file for whoever takes one."""
        return self.videos[0]

    @property
    def moves(self) -> bool:
        """Whether it is an image that moves, in the place of a film: without a player, chapters and captions."""
        return self.video.suffix in MOVING

    @property
    def label(self) -> str:
        """Title and prompt: what the video is called."""
        return f"{self.title}: {self.prompt}" if self.prompt else self.title

    def seek(self, chapter: Chapter) -> str:
        """The time to seek to, in seconds: inside the chapter's first frame, whatever a player rounds."""
        return f"{chapter.start + self.frame / 2:.3f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What is embedded: a video and, where there is one, the same video in the other of light and dark.

    `inline`: captions go into the page itself, for pages that are opened from disk.
    """

    asset: Asset
    twin: Asset | None = None
    inline: bool = False

    @property
    def by_theme(self) -> tuple[tuple[str, Asset], ...]:
        """The videos with the theme of the page that each is for; one alone is for any, named ''."""
        if self.twin is None:
            return (("", self.asset),)
        return tuple((each.theme, each) for each in sorted((self.asset, self.twin), key=lambda each: each.theme))


Embeddable = Shown | ShownPicture
"""What a page can show."""


def describe(ledger: Path) -> Asset:
    """The video whose ledger this is. Raises InputError where a file that belongs to it is missing."""
    return asset_of(read_ledger(ledger), ledger)


def asset_of(data: Mapping[str, Any], ledger: Path) -> Asset:
    """As `describe`, for a ledger that was read."""
    stem = ledger.name.removesuffix(ENDING)
    look, language = data["render"], data["render"]["language"]
    tracks = tuple(Track(each, path) for each in LANGUAGES if (path := _beside(ledger, f".{each}.vtt")).exists())
    transcript = _needed(ledger, f".{language}.transcript.md")
    chapters = tuple(_chapters(data, language, tracks))
    return Asset(
        name=stem,
        title=clean(data.get("titles", {}).get(language, "")) or data["scene"],
        prompt=clean(data["trace"]["prompt"]),
        language=language,
        theme=look.get("theme", "dark"),
        videos=videos_of(ledger) or _no_film(ledger),
        poster=_needed(ledger, ".png"),
        tracks=tracks,
        chapter_track=_needed(ledger, ".chapters.vtt"),
        transcript=transcript,
        ledger=ledger,
        width=look["width"],
        height=look["height"],
        duration=data["duration"],
        frame=1 / look["frames_per_second"],
        chapters=chapters,
        still=clean(poster_beat(data)["alt"].get(language, "")),
        digest=data["digest"],
    )


def videos_of(ledger: Path) -> tuple[Path, ...]:
    """The films of a ledger that browsers play; where there is none, the first image that moves."""
    films, moving = (
        tuple(path for ending in kinds if (path := _beside(ledger, ending)).is_file()) for kinds in (FILMS, MOVING)
    )
    return films or moving[:1]


def _no_film(ledger: Path) -> tuple[Path, ...]:
    """Raises InputError: what lies there is nothing that a page plays."""
    other = next((path for ending in UNSEEN if (path := _beside(ledger, ending)).exists()), None)
    if other is None:
        return (_needed(ledger, ".mp4"),)
    raise InputError(str(other), f"no page plays {other.suffix[1:]}", "render it with --format mp4 as well")


def _chapters(data: Mapping[str, Any], language: str, tracks: tuple[Track, ...]) -> Iterator[Chapter]:
    spoken = next((track for track in tracks if track.language == language), None)
    cues = read_cues(spoken.path) if spoken else ()
    for beat in data["beats"]:
        said = (cue.text for cue in cues if beat["start"] <= (cue.start + cue.end) / 2 < beat["end"])
        seen = clean(described(data, beat, language))
        yield Chapter(beat["start"], beat["end"], clean(beat["titles"][language]), clean(" ".join(said)), seen)


def _beside(ledger: Path, ending: str) -> Path:
    return ledger.with_name(ledger.name.removesuffix(ENDING) + ending)


def _needed(ledger: Path, ending: str) -> Path:
    path = _beside(ledger, ending)
    if not path.is_file():
        raise InputError(str(path), "it belongs to the video and is not there", "render it again")
    return path
