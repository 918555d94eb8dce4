"""`check`: what a page shows is stale, missing or unknown, and only that."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from pipeline.chapter.check import check
from pipeline.publish import embeds
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._write import place
from tests.pipeline.chapter.conftest import CHAPTER
from transformer_core.errors import InputError


def kinds(rows: list[dict]) -> list[tuple[str, str]]:
    return [(row["kind"], row["condition"]) for row in rows]


def weigh(chapter, change) -> None:
    path = chapter.folder / "small" / "model.safetensors"
    weights = {key: array.copy() for key, array in load_file(path).items()}
    change(weights)
    save_file(weights, path)


def test_a_page_and_its_source_are_current(chapter):
    assert chapter.check() == []
    assert chapter.check("lecture.md") == []


def test_a_number_that_was_changed_is_found_where_it_stands(chapter):
    page = chapter.page.read_text()
    chapter.page.write_text(page.replace(">= 4<", ">= 5<"))
    [row] = chapter.check()
    assert (row["kind"], row["condition"], row["why"]) == ("number", "stale", "shown = 5, now = 4")
    assert row["line"] == next(place for place, line in enumerate(page.splitlines(), 1) if ">= 4<" in line)


def test_a_retrained_model_makes_numbers_and_pictures_stale(chapter):
    def change(weights) -> None:
        for name in weights:
            if "W_Q" in name:
                weights[name] = np.roll(weights[name], 1, axis=-1)

    weigh(chapter, change)
    found = chapter.check()
    assert ("video", "stale") in kinds(found)
    assert ("figure", "stale") in kinds(found)
    assert ("number", "stale") in kinds(found)
    assert any(row["kind"] == "video" and "L1." in row["why"] and "now" in row["why"] for row in found)


def test_a_retrained_model_that_changes_no_digit_changes_nothing(chapter):
    weigh(chapter, lambda weights: weights.update({name: array * (1 + 1e-9) for name, array in weights.items()}))
    assert chapter.check() == []


def test_a_changed_scene_makes_its_pictures_stale(chapter):
    scene = chapter.folder / "scenes" / "tiny.py"
    scene.write_text(scene.read_text().replace("Square(2.0", "Square(2.1"))
    for file in ("out/lecture.html", "lecture.md"):
        found = chapter.check(file)
        assert kinds(found) == [("video", "stale"), ("figure", "stale")]
        assert "code changed" in found[0]["why"]


def test_what_is_gone_is_missing_and_what_has_no_ledger_is_unknown(chapter):
    [figure] = (chapter.folder / "out" / "media").glob("*.svg")
    figure.unlink()
    chapter.video(".numbers.json").unlink()
    assert kinds(chapter.check()) == [("video", "unknown"), ("figure", "missing")]


def test_words_around_a_video_are_part_of_it(chapter):
    page = chapter.page.read_text()
    chapter.page.write_text(page.replace("The video as text", "The film as text", 1))
    assert kinds(chapter.check()) == [("video", "stale")]


def test_an_edited_chapter_and_one_with_a_misspelt_number(chapter):
    chapter.write(CHAPTER + "\nMore.\n")
    assert kinds(chapter.check()) == [("chapter", "stale")]
    chapter.write(CHAPTER.replace("key=blue", "key=bleu").replace("tiny:share", "tiny:weight"))
    found = chapter.check("lecture.md")
    assert kinds(found) == [("number", "unknown"), ("figure", "missing")]
    assert "blue" in found[0]["why"]


START = {
    "html": "<main>\n</main>\n",
    "markdown": "# A\n",
    "beamer": "\\begin{document}\n\\end{document}\n",
    "sphinx": "A\n=\n",
    "reveal": '<div class="slides">\n</div>\n',
}


def embed(chapter, target: str) -> tuple[str, Path, Path]:
    """A document with the chapter's video and its figure: its name, and the files of the two."""
    file = f"page{embeds.load(target).ENDINGS[0]}"
    if target in START:
        (chapter.folder / file).write_text(START[target])
    figure = chapter.folder / "figures" / "share.svg"
    for asset in (chapter.video(), figure):
        shown = find(str(asset), language="en", media=Path())
        place(embeds.load(target), shown, Page(Path(file)), name=target)
    return file, chapter.video(), figure


@pytest.mark.parametrize("target", [*START, "notebook", "pptx"])
def test_a_document_that_embed_wrote_into(chapter, target):
    file, video, figure = embed(chapter, target)
    assert chapter.check(file) == []
    ledger = figure.with_name(figure.stem + ".numbers.json")
    text = ledger.read_text()
    ledger.write_text(text.replace('"en": "Tiny"', '"en": "Small"'))
    [row] = chapter.check(file)
    assert (row["kind"], row["condition"]) == ("figure", "stale")
    assert "embed it again" in row["why"]
    assert row["unit"] == {"notebook": "cell", "pptx": "slide"}.get(target, "line")
    ledger.write_text(text)
    ledger.rename(ledger.with_suffix(".hidden"))
    video.unlink()
    assert kinds(chapter.check(file)) == [("video", "missing"), ("figure", "unknown")]


def test_a_retrained_model_makes_a_deck_and_a_notebook_stale(chapter):
    files = [embed(chapter, target)[0] for target in ("notebook", "pptx")]

    def change(weights) -> None:
        for name in weights:
            if "W_Q" in name:
                weights[name] = np.roll(weights[name], 1, axis=-1)

    weigh(chapter, change)
    for file in files:
        assert kinds(chapter.check(file)) == [("video", "stale"), ("figure", "stale")]


def test_a_deck_whose_film_is_another_one_is_stale(chapter):
    file, video, _ = embed(chapter, "pptx")
    video.write_bytes(video.read_bytes() + b"\0")
    assert kinds(chapter.check(file)) == [("video", "stale")]


def test_what_is_no_notebook_or_deck_is_told(chapter):
    for file in ("a.ipynb", "a.pptx"):
        with pytest.raises(InputError, match="no such file"):
            chapter.check(file)
        (chapter.folder / file).write_text("# A\n")
        with pytest.raises(InputError, match=r"no (notebook|PowerPoint)"):
            chapter.check(file)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (">= 4<", "><b>= 5</b><", "shown = 5, now = 4"),
        ('<data value="4.0', '<data value="5.0', "its value is '5.0', now 4.0"),
        ('<data value="4.0"', "<data value=''", "its value is '', now 4.0"),
        ('<data value="4.0"', "<data", "its value is '', now 4.0"),
    ],
)
def test_a_number_that_was_edited_is_found(old, new, why, chapter):
    page = chapter.page.read_text()
    assert page.count(old) == 1
    chapter.page.write_text(page.replace(old, new))
    [row] = chapter.check()
    assert (row["kind"], row["condition"], row["why"]) == ("number", "stale", why)


def test_numbers_in_a_notebook_are_checked_where_they_stand(chapter):
    [number] = re.findall(r"<data [^>]*>= 4</data>", chapter.page.read_text())
    # Its model is named as seen from the page.
    cells = [{"cell_type": kind, "metadata": {}, "source": [f"A {number}"]} for kind in ("raw", "markdown")]
    cells[1]["source"] = [cells[1]["source"][0].replace("= 4<", "= 5<")]
    (chapter.folder / "a.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "cells": cells}))
    [row] = chapter.check("a.ipynb")
    assert (row["kind"], row["unit"], row["line"], row["why"]) == ("number", "cell", 2, "shown = 5, now = 4")


def test_marks_and_numbers_in_code_are_text(chapter):
    file, *_ = embed(chapter, "markdown")
    page = chapter.folder / file
    number = '<data value="1" data-attention="number tiny.none">1</data>'
    mark = "<!-- attention-video gone -->\n<!-- end of attention-video gone -->"
    page.write_text(f"{page.read_text()}\n```\n{mark}\n{number}\n```\n")
    assert chapter.check(file) == []
    page.write_text(page.read_text().replace("```\n", ""))
    assert kinds(chapter.check(file)) == [("video", "unknown"), ("number", "unknown")]


def test_a_page_may_name_and_embed(chapter):
    """What it names inline and what stands between marks are both looked at, each at its own line."""
    file, video, _ = embed(chapter, "markdown")
    page, out = chapter.folder / file, Path("out")
    head, number = "{{ chapter model=small }}\n\n", "{{ number tiny.pattern query=creature key=blue }}"
    page.write_text(f"{head}It is {number}.\n\n{page.read_text()}\n\n{{{{ video tiny }}}}\n")
    found = check(Path(file), output=out)
    assert [(each.kind, each.condition) for each in found] == [
        ("number", "current"),
        ("video", "current"),
        ("figure", "current"),
        ("video", "missing"),
    ]
    assert [each.line for each in found] == sorted(each.line for each in found)
    page.write_text(page.read_text().replace("key=blue", "key=bleu"))
    video.unlink()
    assert kinds(chapter.check(file)) == [("number", "unknown"), ("video", "missing"), ("video", "missing")]
    page.write_text("{{ numbers }}\n" + page.read_text().partition("\n\n# A")[2].partition("{{ video")[0])
    assert kinds(chapter.check(file)) == [("video", "missing")]


def test_the_words_on_stdout_and_what_is_no_page(chapter):
    chapter.page.write_text(chapter.page.read_text().replace(">= 4<", ">= 5<"))
    (chapter.folder / "plain.md").write_text("# Nothing here\n")
    done = chapter.run("check", "out/lecture.html", "plain.md")
    assert done.returncode == 3
    first, last = done.stdout.splitlines()
    assert first.endswith("stale: shown = 5, now = 4")
    assert last == "1 chapter, 1 video, 1 figure, 3 numbers: 1 to mend"
    done = chapter.run("check", "plain.md", "--json")
    assert (done.returncode, json.loads(done.stdout)) == (0, [])
    assert chapter.run("check", "no.md").returncode == 2
