"""PowerPoint: a slide with the video or the figure inside the deck, captions, chapters and text alternative.

The chapters are bookmarks of the video, its captions are tracks in each language, and the video as text is in
the notes, with where its file lies as seen from the deck. A picture that the deck has of the same name is brought up
to date where it is, as large as it is.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline.publish.embeds import Placed, _marks
from pipeline.publish.embeds._asset import Asset, Embeddable
from pipeline.publish.embeds._movie import dress, replace_movie
from pipeline.publish.embeds._owner import Owner, base_of
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._picture import Picture
from pipeline.publish.embeds._slide_picture import dress_picture, image_of, replace_picture
from pipeline.publish.embeds._text import WORDS
from transformer_core.errors import InputError

ENDINGS = (".pptx",)
NAME = "attention-video "
"""What the name of a picture of ours begins with; the asset's own follows."""
NOTES = _marks.Marks("[attention-video {}]", "[end of attention-video {}]")
WIDE = (12_192_000, 6_858_000)
"""A slide of 16 × 9, in English Metric Units."""
MARGIN, TITLE_SHARE = 0.04, 0.2


def snippet(shown: Embeddable, page: Page) -> str:
    """Raises InputError: a deck is no text."""
    raise InputError("target pptx", "a deck is no text to paste", "add --write DECK.pptx")


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
    """The deck with the video on a slide after its last one, or with the video that it has replaced.

    A deck in which nothing changes keeps its bytes. Raises InputError for a file that is no deck.
    """
    asset, image = shown.asset, image_of(shown.asset)
    file = image or _film(asset)
    deck = _opened(document, page)
    before = _parts(deck) if document else {}
    there = [*_ours(deck, asset.name)]
    owner = Owner(asset, page, str(page.relative(file)))
    own = owner.own([(_mark(shape), _told(slide, _mark(shape))) for slide, shape in there])
    found = [each for each, is_own in zip(there, own, strict=True) if is_own]
    for slide, shape in found:
        if isinstance(asset, Picture) or image:
            replace_picture(slide, shape, file)
        else:
            replace_movie(slide, shape, asset)
    if not found:
        found = [_add(deck, asset, file, NAME + (owner.long_mark if there else asset.name))]
    for slide, shape in found:
        if isinstance(asset, Picture) or image:
            dress_picture(shape, asset)
        else:
            dress(slide, shape, asset)
        _note(slide, asset, page, str(page.relative(file)), mark=_mark(shape))
    if document and _parts(deck) == before:
        return document
    made = io.BytesIO()
    deck.save(made)
    return made.getvalue()


def placed(document: bytes, page: Page) -> Iterator[Placed]:
    """The pictures of ours in the deck, each with its slide's notes. Raises InputError."""
    for number, slide in enumerate(_opened(document, page).slides, 1):
        for shape in slide.shapes:
            if shape.name.startswith(NAME):
                yield Placed(_mark(shape), "slide", number, _told(slide, _mark(shape)))


def _ours(deck: Any, name: str) -> Iterator[tuple[Any, Any]]:
    """The pictures of that name, with their slides."""
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.name.startswith(NAME) and base_of(_mark(shape)) == name:
                yield slide, shape


def _mark(shape: Any) -> str:
    return shape.name.removeprefix(NAME)


def _told(slide: Any, mark: str) -> str:
    """What the slide's notes say of the picture with that mark."""
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    begin, _, end = NOTES.around("", mark)
    return frame.text.partition(begin)[2].partition(end)[0] if frame is not None else ""


def _film(asset: Asset | Picture) -> Path:
    """The film, if PowerPoint plays it. Raises InputError."""
    assert isinstance(asset, Asset)
    if asset.video.suffix != ".mp4":
        raise InputError(asset.video.name, "PowerPoint plays mp4", "render it with --format mp4 as well")
    return asset.video


def _opened(document: bytes | None, page: Page) -> Any:
    import zipfile

    from lxml.etree import XMLSyntaxError
    from pptx import Presentation
    from pptx.exc import PythonPptxError

    if document is None:
        return wide(Presentation())
    try:
        return Presentation(io.BytesIO(document))
    except (PythonPptxError, XMLSyntaxError, zipfile.BadZipFile, KeyError, ValueError):
        raise InputError(str(page.file), "it is no PowerPoint deck", "save it as .pptx, without a password") from None


def wide(deck: Any) -> Any:
    """The library's own deck of 4 × 3, stretched to 16 × 9 with the places of its layouts."""
    from pptx.util import Emu

    wider = WIDE[0] / deck.slide_width
    deck.slide_width, deck.slide_height = (Emu(side) for side in WIDE)
    for page in (deck.slide_master, *deck.slide_layouts):
        for place in page.placeholders:
            if place._element.find(f".//{{{place._element.nsmap['a']}}}xfrm") is not None:
                place.left, place.width = round(place.left * wider), round(place.width * wider)
    return deck


def _parts(deck: Any) -> dict[str, bytes]:
    """Every part of the deck, with its relations."""
    return {
        str(part.partname): part.blob
        + repr(
            sorted(
                (key, rel.reltype, rel._target if rel.is_external else str(rel.target_part.partname))
                for key, rel in part.rels.items()
            )
        ).encode()
        for part in deck.part.package.iter_parts()
    }


def _add(deck: Any, asset: Asset | Picture, file: Path, name: str) -> tuple[Any, Any]:
    """A slide with the title and the video or the picture below it, as large as fits."""
    slide = deck.slides.add_slide(_layout(deck))
    top = 0
    if slide.shapes.title is not None:
        slide.shapes.title.text = asset.title
        top = TITLE_SHARE
    wide, high = deck.slide_width, deck.slide_height
    room = (wide * (1 - 2 * MARGIN), high * (1 - top - MARGIN))
    scale = min(room[0] / asset.width, room[1] / asset.height)
    width, height = round(asset.width * scale), round(asset.height * scale)
    place = ((wide - width) // 2, round(high * top + (room[1] - height) / 2), width, height)
    if file.suffix == ".mp4":
        poster = str(asset.poster)
        # The library writes a file's name into the slide as it is, with `&` and `<`; bytes have none.
        film = io.BytesIO(file.read_bytes())
        shape = slide.shapes.add_movie(film, *place, poster_frame_image=poster, mime_type="video/mp4")
    else:
        shape = slide.shapes.add_picture(io.BytesIO(file.read_bytes()), *place)
    shape.name = name
    return slide, shape


def _layout(deck: Any) -> Any:
    """The deck's layout with a title and nothing else to fill in, or the one with the least."""

    def rest(layout: Any) -> tuple[bool, int]:
        kinds = [place.placeholder_format.type for place in layout.placeholders]
        titles = [kind for kind in kinds if kind is not None and kind.name in ("TITLE", "CENTER_TITLE")]
        furniture = [kind for kind in kinds if kind is not None and kind.name in ("DATE", "FOOTER", "SLIDE_NUMBER")]
        return not titles, len(kinds) - len(titles) - len(furniture)

    return min(deck.slide_layouts, key=rest)


def _note(slide: Any, asset: Asset | Picture, page: Page, file: str, *, mark: str) -> None:
    """The video or the figure as text, and where its file lies, between two lines of the notes."""
    frame = slide.notes_slide.notes_text_frame
    if frame is None:
        return
    words = WORDS[asset.language]
    lines = [asset.label]
    if isinstance(asset, Picture):
        lines += [asset.still] if asset.still else []
    else:
        for chapter in asset.chapters:
            lines += [f"{chapter.clock} {chapter.title}. {chapter.said}".strip()]
            lines += [words["seen"] + chapter.seen] if chapter.seen else []
    lines += [words["file"] + file]
    text = _marks.put_text(frame.text, "\n".join(lines), name=mark, marks=NOTES, where=f"{page.file} notes")
    if frame.text != text.rstrip("\n"):
        frame.text = text.rstrip("\n")
