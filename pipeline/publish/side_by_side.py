"""Two videos of one scene beside each other; after each beat both rest, and the cells that differ are coloured."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace
from PIL import Image, ImageDraw, ImageFont

from pipeline.render.encoder import Picture, VideoStream
from pipeline.render.runtime import FRAME_HEIGHT, FRAME_WIDTH, ROOT
from scenes.kit.colour import mix
from scenes.kit.theme import THEMES

FONT = ROOT / "assets" / "fonts" / "NotoSansSC-Regular.ttf"
STEPS = (0.0, 0.1, 0.5)
"""A changed number is coloured by the largest of these that its change reaches."""
HOLD = 3.0
"""Seconds that the coloured cells stay."""
COLOUR = "delta"
"""The role whose colour marks a change; its strength and the thickness of the frame tell the step."""
WORDS = {
    "en": {"legend": "changed by", "any": "any digit"},
    "zh": {"legend": "变化", "any": "数字有变"},
}
SLACK = 1e-3


@dataclass(frozen=True)
class Side:
    """One of the two: its name in the heading, its video, and its scene's record."""

    name: str
    video: Path
    record: Mapping[str, Any]


@dataclass(frozen=True)
class Mark:
    """A cell that differs: its box in the 16 × 9 frame, by side, and the step of its change, from 0."""

    boxes: tuple[tuple[float, ...] | None, tuple[float, ...] | None]
    step: int


@dataclass(frozen=True)
class Moment:
    """A beat on the common timeline, in seconds; `still` is where its coloured picture begins."""

    beat: str
    start: float
    still: float
    end: float


@dataclass(frozen=True)
class Written:
    """What was written: its frames, its beats in time, and the coloured last picture of each beat."""

    frames: int
    moments: tuple[Moment, ...]
    stills: Mapping[str, Image.Image]


def write_side_by_side(
    sides: tuple[Side, Side], target: Path, *, size: tuple[int, int], rate: int, theme: str, language: str
) -> Written:
    """Write the raw video. Both records must be of the same beats."""
    stage = Stage(sides, size=size, theme=theme, language=language)
    stream = VideoStream(target, size=size, frames_per_second=rate)
    moments: list[Moment] = []
    stills: dict[str, Image.Image] = {}
    videos = [_frames(side.video) for side in sides]
    time = 0
    for beats in zip(*(side.record["beats"] for side in sides), strict=True):
        counts = [round(beat["end"] * rate) - round(beat["start"] * rate) for beat in beats]
        start, picture = time, None
        for number in range(max(counts)):
            if number < counts[0] or number < counts[1]:
                new = [next(video) if number < count else None for video, count in zip(videos, counts, strict=True)]
                picture = stage.picture(new)
            stream.put(_opaque(picture, key=number == 0))
            time += 1
        marks = changed_cells([side.record for side in sides], beats[0]["name"])
        still = time
        stills[beats[0]["name"]] = marked = stage.marked(marks)
        if marks:
            stream.put(_opaque(marked, key=True, repeat=round(HOLD * rate)))
            time += round(HOLD * rate)
        moments.append(Moment(beats[0]["name"], start / rate, still / rate, time / rate))
    stream.close()
    return Written(stream.frame_count, tuple(moments), stills)


def changed_cells(records: Sequence[Mapping[str, Any]], beat: str) -> list[Mark]:
    """The numbers on screen at the end of a beat whose texts differ, or that one side alone shows."""
    before, after = (_last_numbers(record, beat) for record in records)
    marks = []
    for key in before.keys() | after.keys():
        one, two = before.get(key), after.get(key)
        if one and two and one["text"] == two["text"]:
            continue
        values = [float.fromhex(row["hex"]) for row in (one, two) if row]
        moved = abs(values[0] - values[-1]) if all(map(isfinite, values)) else 0.0
        step = max(number for number, least in enumerate(STEPS) if moved >= least)
        boxes = [tuple(row["box"]) if row else None for row in (one, two)]
        marks.append(Mark((boxes[0], boxes[1]), step))
    return marks


def _last_numbers(record: Mapping[str, Any], beat: str) -> dict[str, Mapping[str, Any]]:
    end = next(each["end"] for each in record["beats"] if each["name"] == beat)
    rows = [row for row in record["numbers"] if row["beat"] == beat and row["time_out"] >= end - SLACK]
    counted: dict[str, int] = {}
    found = {}
    for row in rows:
        # By its address, since a word may have another place in the other vocabulary.
        place = json.dumps([row["address"], row["expression"]], sort_keys=True)
        counted[place] = counted.get(place, 0) + 1
        found[f"{place} {counted[place]}"] = row
    return found


class Stage:
    """The picture around the two: names above, the legend below."""

    def __init__(self, sides: tuple[Side, Side], *, size: tuple[int, int], theme: str, language: str) -> None:
        self.size, self.theme = size, THEMES[theme]
        width, height = size
        self.panel = (width // 2, round(width / 2 * FRAME_HEIGHT / FRAME_WIDTH))
        self.top = (height - self.panel[1]) // 2
        self.lefts = (0, width - self.panel[0])
        self.font = ImageFont.truetype(str(FONT), max(10, height // 24))
        self.now = Image.new("RGB", size, self.theme.ground)
        draw = ImageDraw.Draw(self.now)
        for side, left in zip(sides, self.lefts, strict=True):
            middle = (left + self.panel[0] // 2, self.top // 2)
            draw.text(middle, side.name, fill=self.theme.text, font=self.font, anchor="mm")
        self._draw_legend(draw, WORDS[language])

    def picture(self, frames: Sequence[np.ndarray | None]) -> Image.Image:
        """The picture with these frames, each None where that side rests."""
        for frame, left in zip(frames, self.lefts, strict=True):
            if frame is not None:
                self.now.paste(Image.fromarray(frame).resize(self.panel, Image.Resampling.LANCZOS), (left, self.top))
        return self.now

    def marked(self, marks: Sequence[Mark]) -> Image.Image:
        """The picture as it is, with the cells that differ in colour."""
        picture = self.now.copy()
        draw = ImageDraw.Draw(picture)
        scale = self.panel[0] / FRAME_WIDTH
        for mark in sorted(marks, key=lambda mark: mark.step):
            for box, left in zip(mark.boxes, self.lefts, strict=True):
                if box is not None:
                    room = 0.06
                    edges = [(box[0] - room, box[1] - room), (box[2] + room, box[3] + room)]
                    corners = [(left + x * scale, self.top + y * scale) for x, y in edges]
                    draw.rectangle(corners, outline=self._colour(mark.step), width=self._thickness(mark.step))
        return picture

    def _draw_legend(self, draw: ImageDraw.ImageDraw, words: Mapping[str, str]) -> None:
        y = self.size[1] - self.top // 2
        texts = [words["any"], *(f"≥ {step:g}" for step in STEPS[1:])]
        gap, swatch = self.font.size, round(self.font.size * 1.4)
        widths = [round(draw.textlength(text, font=self.font)) for text in (words["legend"], *texts)]
        x = (self.size[0] - sum(widths) - len(texts) * (2 * gap + swatch)) // 2
        draw.text((x, y), words["legend"], fill=self.theme.note, font=self.font, anchor="lm")
        x += widths[0] + gap
        for step, text in enumerate(texts):
            half = self.font.size // 2
            box = [(x, y - half), (x + swatch, y + half)]
            draw.rectangle(box, outline=self._colour(step), width=self._thickness(step))
            draw.text((x + swatch + gap // 2, y), text, fill=self.theme.text, font=self.font, anchor="lm")
            x += swatch + widths[step + 1] + 2 * gap

    def _colour(self, step: int) -> str:
        return mix(self.theme.ground, self.theme.role(COLOUR), (0.6, 0.8, 1.0)[step])

    def _thickness(self, step: int) -> int:
        return max(1, round(self.size[1] / 480 * (1, 2, 3)[step]))


def _frames(video: Path) -> Iterator[np.ndarray]:
    """Every frame as RGB."""
    with av.open(str(video)) as container:
        for frame in container.decode(video=0):
            yield frame.reformat(
                format="rgb24",
                src_colorspace=Colorspace.ITU709,
                src_color_range=ColorRange.MPEG,
                dst_color_range=ColorRange.JPEG,
            ).to_ndarray()


def _opaque(picture: Image.Image | None, *, key: bool, repeat: int = 1) -> Picture:
    assert picture is not None
    return Picture(np.array(picture.convert("RGBA")), repeat=repeat, key=key)
