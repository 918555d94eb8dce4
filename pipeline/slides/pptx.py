"""A deck for PowerPoint: the film of each beat inside it, with its last picture as poster, and notes.

The title of a slide stands above its edge, where screen readers and the outline find it: on the slide the picture has
it. python-pptx dates nothing but the package's files, which get the first date that a package can have.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from pipeline.publish.embeds._movie import tag
from pipeline.publish.embeds.pptx import wide
from pipeline.slides._deck import CREATOR, LEGEND, Deck, Part, Slide, note_lines
from pipeline.slides._room import Room
from pipeline.slides._timing import plays_on_click

CLIPS, OUTLINES = True, False
UNIT = 762_000
"""A sixteenth of a slide's width, in English Metric Units."""
POINTS = 60
"""The same in points."""
LAYOUT = "Title Only"
LINE = 0.28
"""The size of the letters on a title slide, in units."""
LOCALES = {"en": "en-US", "zh": "zh-CN"}
FIRST_DATE = (1980, 1, 1, 0, 0, 0)
PACKED = (".mp4", ".png")
"""What is not made smaller by packing it again."""


def write(deck: Deck) -> bytes:
    """The deck's package."""
    from pptx import Presentation

    made = wide(Presentation())
    layout = next(each for each in made.slide_layouts if each.name == LAYOUT)
    for part in deck.parts:
        _title(made.slides.add_slide(layout), part, deck)
        for slide in part.slides:
            _beat(made.slides.add_slide(layout), slide, part.room, deck)
    told = made.core_properties
    told.title, told.author, told.comments = deck.title[:255], CREATOR, deck.command[:255]
    told.language = LOCALES[deck.language]
    data = io.BytesIO()
    made.save(data)
    return _undated(data.getvalue())


def mark(data: bytes) -> str:
    """The names of the slides that have a digest in them; empty for what is no deck."""
    found: list[bytes] = []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            for name in package.namelist():
                if name.startswith("ppt/slides/slide"):
                    found += re.findall(rb'<p:cSld name="([^"]*sha256:[0-9a-f]{64})"', package.read(name))
    except zipfile.BadZipFile:
        return ""
    return " ".join(each.decode("utf-8", errors="replace") for each in found)


def _title(slide: Any, part: Part, deck: Deck) -> None:
    """What it is about, whose numbers they are, and what the colours mean."""
    from pptx.enum.shapes import MSO_SHAPE

    theme, words, place = deck.theme, deck.words, part.room
    _ground(slide, theme.ground)
    # PowerPoint keeps a slide's name and shows it to nobody; a deck's keywords have no room for several digests.
    slide._element.cSld.set("name", f"{part.name} sha256:{part.digest}")
    title = slide.shapes.title
    title.left, title.top, title.width, title.height = _box(place.left, 0.9, place.width, 2.3)
    _write(title, [part.title], deck, size=0.62, colour=theme.text, bold=True, anchor="b")
    if part.prompt:
        _text(slide, [part.prompt], deck, box=(place.left, 3.55, place.width, 0.9), size=0.4, colour=theme.text)
    model = words["model"].format(part.model)
    _text(slide, [model], deck, box=(place.left, 4.75, place.width, 0.5), size=LINE, colour=theme.note)
    for number, role in enumerate(LEGEND):
        left = place.left + number * 5.2
        swatch = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *_box(left, 6.09, 0.32, 0.32))
        swatch.fill.solid()
        swatch.fill.fore_color.rgb = _colour(theme.role(role))
        swatch.line.fill.background()
        # The theme's style of a shape has a shadow.
        swatch._element.remove(swatch._element.find(tag("p", "style")))
        swatch.name = role
        swatch._element.nvSpPr.cNvPr.set("descr", words[role])
        _text(slide, [words[role]], deck, box=(left + 0.5, 6.0, 4.6, 0.5), size=LINE, colour=theme.text, anchor="ctr")


def _beat(slide: Any, beat: Slide, room: Room, deck: Deck) -> None:
    """The film with the captions below it."""
    theme = deck.theme
    _ground(slide, theme.ground)
    title = slide.shapes.title
    title.left, title.top, title.width, title.height = _box(room.left, -1.0, room.width, 0.9)
    _write(title, [beat.title], deck, size=LINE, colour=theme.text)
    side = 16 * (1 - room.share) / 2
    movie = slide.shapes.add_movie(
        io.BytesIO(beat.clip.read_bytes()),
        *_box(side, 0, 16 * room.share, 9 * room.share),
        poster_frame_image=io.BytesIO(beat.still.read_bytes()),
        mime_type="video/mp4",
    )
    movie.name = beat.title
    movie._element.nvPicPr.cNvPr.set("descr", beat.seen or beat.title)
    plays_on_click(slide, movie, seconds=beat.seconds)
    if beat.said:
        _text(
            slide,
            beat.said,
            deck,
            box=(room.left, room.top, room.width, 9 - room.top),
            size=room.size,
            colour=theme.text,
        )
    frame = slide.notes_slide.notes_text_frame
    if frame is not None:
        frame.text = "\n".join(note_lines(beat, deck.words))


def _text(slide: Any, lines: Any, deck: Deck, *, box: Any, size: float, colour: str, anchor: str = "t") -> None:
    shape = slide.shapes.add_textbox(*_box(*box))
    _write(shape, lines, deck, size=size, colour=colour, anchor=anchor)


def _write(
    shape: Any, lines: Any, deck: Deck, *, size: float, colour: str, bold: bool = False, anchor: str = "t"
) -> None:
    """Lines of text in a shape, from its very edge, in one size and colour."""
    from pptx.enum.text import PP_ALIGN
    from pptx.util import Pt

    frame = shape.text_frame
    frame.word_wrap = True
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    frame._txBody.bodyPr.set("anchor", anchor)
    frame.text = "\n".join(lines)
    for paragraph in frame.paragraphs:
        paragraph.alignment = PP_ALIGN.LEFT
        for run in paragraph.runs:
            run.font.size, run.font.bold = Pt(round(size * POINTS, 1)), bold
            run.font.color.rgb = _colour(colour)
            run._r.get_or_add_rPr().set("lang", LOCALES[deck.language])


def _ground(slide: Any, colour: str) -> None:
    fill = slide.background.fill
    fill.solid()
    fill.fore_color.rgb = _colour(colour)


def _box(left: float, top: float, width: float, height: float) -> tuple[Any, ...]:
    from pptx.util import Emu

    return tuple(Emu(round(side * UNIT)) for side in (left, top, width, height))


def _colour(colour: str) -> Any:
    from pptx.dml.color import RGBColor

    return RGBColor.from_string(colour.lstrip("#"))


def _undated(data: bytes) -> bytes:
    """The package with its files as they are, without the time at which they were packed."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as read, zipfile.ZipFile(made, "w") as package:
        for name in read.namelist():
            entry = zipfile.ZipInfo(name, date_time=FIRST_DATE)
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(PACKED) else zipfile.ZIP_DEFLATED
            package.writestr(entry, read.read(name))
    return made.getvalue()
