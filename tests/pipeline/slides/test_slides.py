"""Decks: what is published, that every form reads back, that nothing in them is markup, that `verify` knows them."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import time
from dataclasses import replace

import av
import html5lib
import numpy as np
import pypdfium2
import pytest
from PIL import Image
from pptx import Presentation

from pipeline import slides
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._text import clean
from pipeline.publish.ledger import ledgers_of
from pipeline.publish.verify import verify
from pipeline.slides import html, pdf, pptx
from pipeline.slides._room import LARGEST, SIZES, room_for
from tests.pipeline.embeds.hostile import PROMPT, TITLE, TRICKS
from tests.pipeline.embeds.watch import tool
from transformer_core.errors import CheckFailed, InputError

FORMS = slides.names()
BEATS = ("A weight", "A share", "The end")


def ledger_of(lecture) -> dict:
    return json.loads(lecture.with_name("lecture.numbers.json").read_text())


def flat(text: str) -> str:
    """The text without white space and marks of direction, which are the first to change in a layout."""
    return re.sub(r"[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c]", "", text)


def test_what_is_published(lecture):
    assert sorted(path.name for path in lecture.parent.iterdir()) == sorted(
        f"lecture.{each}" for each in (*FORMS, "numbers.json")
    )


@pytest.mark.parametrize("form", FORMS)
def test_the_same_deck_is_the_same_bytes(form, small_deck, monkeypatch):
    made = slides.load(form).write(small_deck)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 90_000)
    assert slides.load(form).write(small_deck) == made


def test_every_form_names_the_numbers(lecture):
    digest = ledger_of(lecture)["digest"]
    for form in FORMS:
        assert f"sha256:{digest}" in slides.load(form).mark(lecture.with_name(f"lecture.{form}").read_bytes())
        assert slides.load(form).mark(b"no deck") == ""


def test_a_deck_has_room_for_many_scenes(small_deck):
    parts = tuple(replace(small_deck.parts[0], name=f"scene{each}", digest=f"{each:064x}") for each in range(5))
    deck = replace(small_deck, parts=parts)
    for form in FORMS:
        mark = slides.load(form).mark(slides.load(form).write(deck))
        assert [f"{each:064x}" in mark for each in range(5)] == [True] * 5, form


def test_verify_finds_a_deck_that_was_changed(lecture, tmp_path, small_model):
    for ending in (*FORMS, "numbers.json"):
        shutil.copy(lecture.with_name(f"lecture.{ending}"), tmp_path / f"mine.{ending}")

    def found(form: str) -> str:
        return verify(str(tmp_path / f"mine.{form}"), model=str(small_model)).words

    assert [found(form) for form in FORMS] == [found("numbers.json")] * len(FORMS)
    assert "identical: all" in found("html")
    page = (tmp_path / "mine.html").read_text()
    (tmp_path / "mine.html").write_text(page.replace("0.42", "0.43"))
    assert "does not match: mine.html: shown digest" in found("pptx")
    (tmp_path / "mine.html").write_text(page)
    for form in FORMS:
        path = tmp_path / f"mine.{form}"
        written = path.read_bytes()
        if form == "pptx":
            deck = Presentation(path)
            deck.slides[0]._element.cSld.set("name", "none")
            deck.save(path)
        else:
            path.write_bytes(written.replace(ledger_of(lecture)["digest"].encode(), b"0" * 64))
        assert f"does not match: mine.{form}: shown digest" in found(form)
        path.write_bytes(written)


def test_a_deck_of_several_scenes_has_a_ledger_for_each(lecture, tmp_path):
    data = ledger_of(lecture)
    for scene in ("one", "two"):
        render = data["render"] | {"deck": "lecture"}
        told = data | {"asset": f"lecture.{scene}", "render": render}
        (tmp_path / f"mine.{scene}.numbers.json").write_text(json.dumps(told))
    (tmp_path / "mine.video.numbers.json").write_text(json.dumps(data | {"asset": "mine.video", "render": {}}))
    found = [path.name for path in ledgers_of(str(tmp_path / "mine.pptx"))]
    assert found == ["mine.one.numbers.json", "mine.two.numbers.json"]
    assert [path.name for path in ledgers_of(str(tmp_path / "other.pptx"))] == ["other.numbers.json"]
    (tmp_path / "mine.numbers.json").write_text(json.dumps(data))
    assert [path.name for path in ledgers_of(str(tmp_path / "mine.pptx"))] == ["mine.numbers.json", *found]


def test_a_clip_is_the_beat_and_stops_on_its_picture(lecture):
    beats = ledger_of(lecture)["beats"]
    movies = [
        shape for slide in Presentation(f"{lecture}.pptx").slides for shape in slide.shapes if shape.shape_type == 16
    ]
    assert len(movies) == len(beats)
    for beat, movie in zip(beats, movies, strict=True):
        relation = movie._element.xpath(".//a:videoFile/@r:link")[0]
        film = movie.part.related_part(relation).blob
        with av.open(io.BytesIO(film)) as container:
            frames = list(container.decode(video=0))
            assert container.metadata["title"] == beat["titles"]["en"]
        assert len(frames) == round((beat["end"] - beat["start"]) * 15)
        assert frames[0].key_frame
        poster = np.asarray(Image.open(io.BytesIO(movie.poster_frame.blob)), float)
        first, last = (np.abs(frame.to_ndarray(format="rgb24") - poster).mean() for frame in (frames[0], frames[-1]))
        assert last < min(2, first)


def test_a_film_without_a_key_frame_there_is_refused(small_deck, tmp_path):
    from pipeline.slides._clips import Stretch, write_clips

    film = small_deck.parts[0].slides[0].clip
    stretch = Stretch("late", "Late", 1 / 15, 0.2)
    with pytest.raises(CheckFailed, match="no key frame 1"):
        write_clips(film, [stretch], tmp_path / "clips", frames_per_second=15, metadata={})


def test_powerpoint_reads_titles_pictures_captions_and_notes(lecture):
    title, *beats = Presentation(f"{lecture}.pptx").slides
    texts = [shape.text_frame.text for shape in title.shapes if shape.has_text_frame]
    assert texts[:3] == ["Tiny", "a blue creature", "Model: small"]
    assert [slide.shapes.title.text for slide in beats] == list(BEATS)
    share = beats[1]
    [movie] = (shape for shape in share.shapes if shape.shape_type == 16)
    assert "0.42" in movie._element.nvPicPr.cNvPr.get("descr")
    assert "0.42" in share.notes_slide.notes_text_frame.text
    plays = share._element.xpath(".//p:cmd[@cmd='playFrom(0.0)']//p:spTgt/@spid")
    assert plays == [str(movie.shape_id)]
    assert share._element.xpath("count(.//p:timing)") == 1


def test_a_pdf_has_a_page_for_each_slide(lecture):
    deck = pypdfium2.PdfDocument(f"{lecture}.pdf")
    assert [page.get_size() for page in deck] == [(960, 540)] * (1 + len(BEATS))
    assert [mark.get_title() for mark in deck.get_toc()] == ["Tiny", *BEATS]
    page = np.asarray(deck[2].render(scale=1).to_pil().convert("L"), float)
    assert (page[:470] > 100).sum() > 500


@pytest.mark.parametrize("language", ["en", "zh"])
def test_paper_has_the_notes(small_deck, language):
    data = pdf.write(replace(small_deck, notes=True, language=language))
    text = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()
    for words in ("A line.", "A picture.", "The weight is 0.42.", "Weights", "token"):
        assert words in text


def test_letters_keep_their_size_and_pictures_give_way():
    few, more, most = (room_for([["x" * 80] * count]) for count in (1, 4, 6))
    assert few.share == LARGEST
    assert few.size == SIZES[0]
    assert more.size == most.size == SIZES[1]
    assert LARGEST > more.share > most.share
    for room, count in ((few, 1), (more, 4), (most, 6)):
        assert room.top + count * room.size * 1.3 < 9
        assert room.left + room.width < 16


CASES = [*((trick, trick) for trick in TRICKS[:-2]), (TITLE, PROMPT)]
EVERYTHING = " ".join(TRICKS[:-2])


def test_hostile_texts_are_text_in_html(told):
    for title, text in ((EVERYTHING, EVERYTHING), (TITLE, PROMPT)):
        title, text = clean(title), clean(text)
        tree = html5lib.parse(html.write(told(title, text)).decode(), namespaceHTMLElements=False)
        read = flat("".join(each for each in tree.find("body").itertext()))
        assert flat(title) in read
        assert flat(text) in read
        tags = [each.tag for each in tree.iter() if isinstance(each.tag, str)]
        # A clip for each beat, and the deck's own.
        assert tags.count("script") == 3
        assert tags.count("style") == 1
        assert not [each for each in tree.iter() if isinstance(each.tag, str) and each.get("src") == "x"]
        assert {image.get("alt") for image in tree.iter("img")} == {text}
        assert not [
            name for each in tree.iter() if isinstance(each.tag, str) for name in each.attrib if name[:2] == "on"
        ]


def test_hostile_texts_are_text_in_pptx(told):
    for title, text in CASES:
        title, text = clean(title), clean(text)
        first, beat, _ = Presentation(io.BytesIO(pptx.write(told(title, text)))).slides
        assert first.shapes.title.text == beat.shapes.title.text == title
        assert text in [shape.text_frame.text for shape in first.shapes if shape.has_text_frame]
        assert text in beat.notes_slide.notes_text_frame.text
        [movie] = (shape for shape in beat.shapes if shape.shape_type == 16)
        assert (movie.name, movie._element.nvPicPr.cNvPr.get("descr")) == (title, text)


def test_hostile_texts_are_text_in_pdf(told):
    data = pdf.write(told(clean(TITLE), clean(PROMPT)))
    deck = pypdfium2.PdfDocument(data)
    assert len(deck) == 3
    read = flat(deck[0].get_textpage().get_text_range()).replace("\ufffe", "")
    for words in ("<script>alert(1)</script>", "\\input{/etc/passwd}", "$x^2$", "`touch/tmp/x`", "$(touch/tmp/x)"):
        assert words in read
    assert b"/URI" not in data
    assert b"/JavaScript" not in data


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--notes",), "--notes: html and pptx have them anyway; leave it out, or add --format pdf"),
        (("-o", "lecture.mp4"), "output 'lecture.mp4': what is made is .html; name it lecture.html"),
        (("-o", "x.pptx", "--lang=en", "--lang=zh"), "output 'x.pptx': several decks cannot have one name"),
        (("--beat", "shar"), "beat of tiny 'shar': there is none of this name; did you mean 'share'?"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    words, line, small_catalogue, small_model, tmp_path, monkeypatch, capsys
):
    import cli

    monkeypatch.chdir(tmp_path)
    assert cli.main(["slides", "tiny", "--model", str(small_model), *words]) == 2
    told = capsys.readouterr().err
    assert line in told
    assert told.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_deck_is_not_embedded(lecture):
    with pytest.raises(InputError, match=r"lecture\.pdf: a deck is shown by itself"):
        find(f"{lecture}.pdf", language="en", media=lecture.parent)


@pytest.mark.heavy
def test_libreoffice_opens_the_deck(lecture, tmp_path):
    office = tool("soffice")
    home = f"-env:UserInstallation={(tmp_path / 'home').as_uri()}"
    command = [office, "--headless", home, "--convert-to", "pdf", "--outdir", str(tmp_path), f"{lecture}.pptx"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert len(pypdfium2.PdfDocument(tmp_path / "lecture.pdf")) == 1 + len(BEATS)
