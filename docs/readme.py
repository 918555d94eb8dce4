"""The README's pictures: a still of every scene in two themes, one beat in motion, and the lines that show them.

Which beat stands for a scene is the scene's own `poster`; the beat in motion is a short one that tells its story
without a voice, and has a still for readers who want no motion. Each file says in its XMP what it shows and carries a
stamp, so that it is known stale where comparing pixels would take too long: the light still, the frames of the
motion.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

import numpy as np
from PIL import Image

from docs.played import Frames, Played, play
from pipeline.catalogue import SceneEntry
from scenes.kit.theme import THEMES

README = Path(__file__).resolve().parents[1] / "README.md"
PICTURES = Path(__file__).resolve().parent / "pictures"
SIZE = (960, 540)
STILL_THEMES = ("dark", "light")
MOVING, MOVING_BEAT, MOVING_THEME = "qkv", "scores", "dark"
RATE = 15
LONGEST_PAUSE, LAST_PAUSE = 9, 30
"""Frames: a page has no voice to wait for, and the last picture is to be read."""

IN_MOTION, SCENES = "in motion", "scenes"


def still_path(scene: str, theme: str) -> Path:
    """Where a scene's still lies."""
    return PICTURES / f"{scene}.{theme}.webp"


def motion_path() -> Path:
    """Where the picture in motion lies."""
    return PICTURES / f"{MOVING}.motion.webp"


def resting_path() -> Path:
    """Where its last picture lies."""
    return PICTURES / f"{MOVING}.{MOVING_BEAT}.{MOVING_THEME}.webp"


def draw(entry: SceneEntry) -> tuple[Played, list[Path]]:
    """Draw a scene's stills; returns the beat that they show, and their paths."""
    PICTURES.mkdir(exist_ok=True)
    paths = []
    for theme in STILL_THEMES:
        played = play(entry, entry.poster, theme=theme, size=SIZE)
        path = still_path(entry.name, theme)
        _write_still(played, path, _told(entry, played, stamp(played, theme)))
        paths.append(path)
    return played, paths


def draw_motion(entry: SceneEntry) -> tuple[Played, list[Path]]:
    """Draw the beat in motion and its last picture; returns the beat, and their paths."""
    PICTURES.mkdir(exist_ok=True)
    frames = Frames()
    played = play(entry, MOVING_BEAT, theme=MOVING_THEME, size=SIZE, frames_per_second=RATE, frames=frames)
    _write_motion(frames, _told(entry, played, motion_stamp(played)))
    _write_still(played, resting_path(), _told(entry, played, stamp(played, MOVING_THEME)))
    return played, [motion_path(), resting_path()]


def _write_still(played: Played, path: Path, told: bytes) -> None:
    Image.fromarray(played.pixels).save(path, lossless=True, quality=100, method=6, xmp=told)


def _write_motion(frames: Frames, told: bytes) -> None:
    pictures = [Image.fromarray(each.pixels[:, :, :3]) for each in frames.pictures]
    lengths = [min(each.repeat, LONGEST_PAUSE) for each in frames.pictures[:-1]] + [LAST_PAUSE]
    pictures[0].save(
        motion_path(),
        save_all=True,
        append_images=pictures[1:],
        duration=[round(1000 * length / RATE) for length in lengths],
        loop=0,
        lossless=True,
        quality=100,
        method=4,
        xmp=told,
    )


def stamp(played: Played, theme: str) -> str:
    """A digest of all that decides what a still shows: numbers, encodings, texts, colours."""
    return _digest(_shown(played) | {"theme": repr(THEMES[theme])})


def motion_stamp(played: Played) -> str:
    """The same for the motion, with when each number comes and goes."""
    start, numbers = played.beat.start, played.record.numbers
    # In a scene that was played up to the beat its start may come out as −0.
    times = [[round(time - start, 3) + 0.0 for time in (each.time_in, each.time_out)] for each in numbers]
    lines = [each.text for each in played.beat.captions["en"]]
    return _digest({"still": stamp(played, MOVING_THEME), "times": times, "captions": lines})


def _shown(played: Played) -> dict:
    record, beat = played.record, played.beat
    return {
        "texts": [beat.titles["en"], beat.alt["en"]],
        "numbers": [[each.address, each.text, *(round(edge, 2) for edge in each.box)] for each in record.numbers],
        "encodings": [
            [each.name, sorted(each.index.items()), each.scale, round(each.drawn, 3)] for each in record.encodings
        ],
    }


def _digest(data: Mapping) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _told(entry: SceneEntry, played: Played, mark: str) -> bytes:
    def words(text: str) -> str:
        return f'<rdf:Alt><rdf:li xml:lang="en">{escape(text)}</rdf:li></rdf:Alt>'

    title = f"{entry.titles['en']} — {played.beat.titles['en']}"
    return (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{words(title)}</dc:title>"
        f"<dc:description>{words(played.beat.alt['en'])}</dc:description>"
        f"<dc:identifier>sha256:{mark}</dc:identifier><dc:source>python -m docs.make</dc:source>"
        "</rdf:Description></rdf:RDF></x:xmpmeta>"
    ).encode()


def stamp_in(path: Path) -> str:
    """The stamp that a picture carries."""
    with Image.open(path) as picture:
        found = re.search(rb"<dc:identifier>sha256:([0-9a-f]{64})<", picture.info.get("xmp", b""))
    return found[1].decode() if found else ""


def last_frame(path: Path) -> np.ndarray:
    """The picture, or the last one of several, as levels [row, column, 3]."""
    with Image.open(path) as picture:
        picture.seek(getattr(picture, "n_frames", 1) - 1)
        return np.asarray(picture.convert("RGB")).astype(int)


def in_motion(played: Played) -> str:
    """The lines of the README that show the scene in motion; the still where a reader wants no motion."""
    return "\n".join(
        [
            "<picture>",
            f'<source media="(prefers-reduced-motion: reduce)" srcset="{_link(resting_path())}">',
            f'<img src="{_link(motion_path())}" width="{SIZE[0]}" alt="{escape(played.beat.alt["en"])}">',
            "</picture>",
        ]
    )


def of_scenes(played: Mapping[str, tuple[SceneEntry, Played]]) -> str:
    """The lines of the README that show each scene: its still, its command's word and what it teaches."""
    return "\n".join(["<table>", *(line for each in played.values() for line in _scene(*each)), "</table>"])


def _scene(entry: SceneEntry, played: Played) -> Iterator[str]:
    summary = entry.description.split("\n\n", 1)[0]
    yield f'<tr><td width="46%"><picture><source media="(prefers-color-scheme: light)" srcset="{_light(entry.name)}">'
    yield f'<img src="{_link(still_path(entry.name, "dark"))}" width="440" alt="{escape(played.beat.alt["en"])}">'
    yield f"</picture></td><td><b>{escape(entry.titles['en'])}</b>, <code>{entry.name}</code><br>"
    yield f"{escape(' '.join(summary.split()))}</td></tr>"


def _light(scene: str) -> str:
    return _link(still_path(scene, "light"))


def _link(path: Path) -> str:
    return path.relative_to(README.parent).as_posix()


def part(text: str, name: str) -> str:
    """What stands between the marks of that name."""
    return _between(name).search(text)[2]  # type: ignore[index]


def with_part(text: str, name: str, lines: str) -> str:
    """The text with other lines between the marks of that name."""
    return _between(name).sub(lambda found: f"{found[1]}{lines}{found[3]}", text, count=1)


def _between(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {name}: .*? -->\n)(.*?)(\n<!-- end -->)", flags=re.DOTALL)
