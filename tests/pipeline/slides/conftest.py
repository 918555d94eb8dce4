"""A deck of the tiny scene in every form, drawn once, and what it was made of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.publish.sentences._table import Table
from pipeline.slides import names
from pipeline.slides._clips import Stretch, write_clips
from pipeline.slides._deck import Deck, Part, Slide
from scenes.kit.theme import THEMES

COMMAND = ("slides", "tiny", "--quality", "draft", "--pace", "0.5", *(f"--format={form}" for form in names()))


@pytest.fixture(scope="session")
def checkout_of_deck(checkout_at, tmp_path_factory, small_model):
    """A checkout with `lecture.html`, `.pdf`, `.pptx` and their ledger."""
    checkout = checkout_at(tmp_path_factory.mktemp("decks"))
    done = checkout.run(*COMMAND, "--model", str(small_model), "-o", "lecture.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [f"lecture.{form}" for form in names()]
    assert done.stderr.splitlines()[0] == "tiny.en: beat 1/3 weight, 0 frames so far"
    return checkout


@pytest.fixture(scope="session")
def lecture(checkout_of_deck) -> Path:
    """The deck's path without its ending."""
    return checkout_of_deck.folder / "lecture"


@pytest.fixture(scope="session")
def small_deck(tmp_path_factory) -> Deck:
    """A deck as a value, of two beats whose pictures are a few pixels."""
    import numpy as np
    from PIL import Image

    from pipeline.render.drawing import Drawing
    from pipeline.render.encoder import Picture, VideoStream

    folder = tmp_path_factory.mktemp("pieces")
    stream = VideoStream(folder / "film.mp4", size=(64, 36), frames_per_second=15)
    for shade in (40, 160):
        stream.put(Picture(np.full((36, 64, 4), shade, np.uint8), repeat=3, key=True))
    stream.close()
    beats = [Stretch("one", "One", 0, 0.2), Stretch("two", "Two", 0.2, 0.4)]
    write_clips(folder / "film.mp4", beats, folder / "clips", frames_per_second=15, metadata={"comment": "again"})
    slides = []
    for beat in beats:
        still, drawing = folder / f"{beat.name}.png", folder / f"{beat.name}.npz"
        Image.new("RGB", (64, 36), "#123456").save(still)
        Drawing("#123456", ()).save(drawing)
        notes = ("The weight is 0.42.", Table("Weights", ("token", "1"), (("a", "0.42"),)))
        slides.append(
            Slide(
                name=beat.name,
                title=beat.title,
                said=("A line.",),
                seen="A picture.",
                notes=notes,
                seconds=0.2,
                still=still,
                drawing=drawing,
                clip=folder / "clips" / f"{beat.name}.mp4",
            )
        )
    part = Part(name="tiny", title="Tiny", prompt="a", model="small", digest="0f" * 32, slides=tuple(slides))
    return Deck(parts=(part,), language="en", theme=THEMES["dark"], command="python cli.py slides tiny")


@pytest.fixture(scope="session")
def told(small_deck):
    """Makes the small deck with a title and a text everywhere that a text goes."""

    def make(title: str, text: str) -> Deck:
        notes = (text, Table(title, (title, text), ((text, title),)))
        slides = tuple(
            replace(each, title=title, said=(text,), seen=text, notes=notes) for each in small_deck.parts[0].slides
        )
        part = replace(small_deck.parts[0], title=title, prompt=text, model=title, slides=slides)
        return replace(small_deck, parts=(part,), command=text)

    return make
