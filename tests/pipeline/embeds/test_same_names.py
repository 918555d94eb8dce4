"""Two assets of one name, from two folders, on one page: each has its own place and is brought up to date there."""

from __future__ import annotations

import json
import os
import shutil
from io import BytesIO
from pathlib import Path

import pytest

from pipeline.chapter.check import check
from pipeline.chapter.embedded import embedded, embedded_in
from pipeline.publish import embeds
from pipeline.publish.embeds import ReadsBack
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._write import place

SITES = {
    "mkdocs": ("mkdocs.yml", "docs"),
    "hugo": ("hugo.toml", "static"),
    "docusaurus": ("docusaurus.config.js", "static"),
    "vitepress": (".vitepress/config.mts", "public"),
    "docsify": ("index.html", ""),
}
"""The settings of a tool that has addresses of its own, and where its site has files from."""
PAGES = {"mkdocs": "docs/talks", "hugo": "content"}


def start(target: str, folder: Path, dark: Path) -> tuple[Page, list[Path]]:
    """A page, and the same video in two folders, with two sentences: their films."""
    config, root = SITES.get(target, ("", ""))
    if config:
        (folder / config).parent.mkdir(parents=True, exist_ok=True)
        (folder / config).write_text("")
    page = Page(folder / PAGES.get(target, "talks") / f"page{embeds.load(target).ENDINGS[0]}")
    page.file.parent.mkdir(parents=True)
    if target not in ("pptx", "notebook"):
        page.file.write_text("A\n")
    # One folder lies beside the page, where a tool may build it one deeper.
    folders = [folder / root / "talks" / "media", folder / root / "media"]
    for number, media in enumerate(folders):
        media.mkdir(parents=True)
        for path in dark.parent.glob(f"{dark.name}.*"):
            shutil.copy(path, media)
        tell(media / dark.name, f"sentence {number}")
    return page, [media / f"{dark.name}.mp4" for media in folders]


def tell(stem: Path, prompt: str) -> None:
    ledger = stem.with_name(f"{stem.name}.numbers.json")
    data = json.loads(ledger.read_text())
    data["trace"]["prompt"] = prompt
    ledger.write_text(json.dumps(data))


def put(target: str, page: Page, film: Path) -> None:
    place(embeds.load(target), find(str(film), language="en", media=Path()), page, name=target)


def shown(target: str, page: Page) -> list[Path]:
    """The films that the page shows."""
    tool, document = embeds.load(target), page.file.read_bytes()
    is_text = not isinstance(tool, ReadsBack)
    found = embedded(document.decode()) if is_text else embedded_in(document, page.file, tool)
    return [Path(os.path.abspath(str(each.file(page.file)))) for each in found]


@pytest.mark.parametrize("target", embeds.names())
def test_each_has_its_place_and_is_brought_up_to_date_there(target, dark, tmp_path):
    page, films = start(target, tmp_path, dark)
    for film in films:
        put(target, page, film)
    before = page.file.read_bytes()
    for film in reversed(films):
        put(target, page, film)
    assert page.file.read_bytes() == before
    assert shown(target, page) == films
    tell(films[0].with_suffix(""), "another")
    put(target, page, films[0])
    text = words(target, page)
    assert [prompt in text for prompt in ("another", "sentence 0", "sentence 1")] == [True, False, True]
    assert len(shown(target, page)) == 2


def words(target: str, page: Page) -> str:
    if target != "pptx":
        return page.file.read_text()
    from pptx import Presentation

    return "".join(
        each.notes_slide.notes_text_frame.text for each in Presentation(BytesIO(page.file.read_bytes())).slides
    )


def test_a_name_in_a_sentence_is_no_address(dark, tmp_path):
    """The name alone, in the text of a page, does not make another asset this one."""
    films = [tmp_path / folder / "talk.mp4" for folder in ("one", "two", ".")]
    for film in films:
        film.parent.mkdir(exist_ok=True)
        for path in dark.parent.glob(f"{dark.name}.*"):
            shutil.copy(path, film.with_name(f"talk{path.name.removeprefix(dark.name)}"))
        tell(film.with_suffix(""), "this talk is a talk")
    for target, ending in (("html", ".mp4"), ("html", ".png"), ("markdown", ".png")):
        page = Page(tmp_path / f"page-{ending[1:]}{embeds.load(target).ENDINGS[0]}")
        page.file.write_text("A\n")
        for film in films:
            put(target, page, film.with_suffix(ending))
        assert shown(target, page) == [film.with_suffix(ending) for film in films]


@pytest.mark.parametrize("target", ["html", "hugo", "notebook", "pptx", "beamer"])
def test_one_whose_folder_was_moved_is_replaced(target, dark, tmp_path):
    page, films = start(target, tmp_path, dark)
    put(target, page, films[0])
    shutil.rmtree(films[0].parent)
    put(target, page, films[1])
    assert shown(target, page) == [films[1]]
    assert "sentence 0" not in words(target, page)


def test_a_page_changes_its_tool(dark, tmp_path):
    """What another tool's addresses show is the same asset."""
    page, films = start("markdown", tmp_path, dark)
    put("markdown", page, films[0])
    (tmp_path / "index.html").write_text("")
    put("docsify", page, films[0])
    assert shown("docsify", page) == [films[0]]


@pytest.mark.parametrize("target", ["html", "notebook", "pptx"])
def test_check_looks_at_both(target, dark, tmp_path):
    page, films = start(target, tmp_path, dark)
    for film in films:
        put(target, page, film)
    films[1].unlink()
    found = check(page.file, output=tmp_path)
    assert [each.condition == "missing" for each in found] == [False, True]
    assert found[1].name == f"../media/{dark.name}"
