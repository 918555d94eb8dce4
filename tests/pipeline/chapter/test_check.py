"""`check`: what a page shows is stale, missing or unknown, and only that."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from pipeline.publish import embeds
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._write import place
from tests.pipeline.chapter.conftest import CHAPTER


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


@pytest.mark.parametrize(("target", "file"), [("html", "page.html"), ("markdown", "page.md"), ("beamer", "page.tex")])
def test_a_page_that_embed_wrote_into(chapter, target, file):
    start = {"html": "<main>\n</main>\n", "markdown": "# A\n", "beamer": "\\begin{document}\n\\end{document}\n"}
    (chapter.folder / file).write_text(start[target])
    video = chapter.video()
    page, shown = Page(Path(file)), find(str(video), language="en", media=Path())
    place(embeds.load(target), shown, page, name=target)
    assert chapter.check(file) == []
    video.unlink()
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
