"""docs/chapter: built as anyone builds it, checked in full, opened in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.chapter.check import NUMBER
from pipeline.chapter.source import read_chapter
from pipeline.publish.embeds._find import find
from tests.pipeline.embeds.hostile import PROMPT
from tests.pipeline.embeds.serve import served
from tests.pipeline.embeds.watch import visit, watch

ROOT = Path(__file__).resolve().parents[3]
CHAPTERS = ROOT / "docs" / "chapter"
LANGUAGES = ("en", "zh")
DRAFT = ("--quality", "draft", "--pace", "0.1")
"""A tenth of the time at the smallest size: every beat is played and audited all the same."""


def run(*words: str, folder: Path) -> str:
    command = [sys.executable, str(ROOT / "cli.py"), *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def english(tmp_path_factory) -> Path:
    """The folder of the English chapter's page."""
    folder = tmp_path_factory.mktemp("our")
    shutil.copy(CHAPTERS / "attention.en.md", folder)
    run("chapter", "attention.en.md", "-o", "out", *DRAFT, "--quiet", folder=folder)
    return folder / "out"


def test_it_is_current_and_its_numbers_are_the_models(english):
    rows = json.loads(run("check", "out/attention.en.html", "--json", folder=english.parent))
    assert {row["condition"] for row in rows} == {"current"}
    kinds = [row["kind"] for row in rows]
    assert (kinds.count("video"), kinds.count("figure")) == (4, 2)
    assert kinds.count("number") > 30


def test_a_reader_can_watch_it_read_it_and_move_in_it(english, browser):
    names = sorted(path.stem for path in (english / "media").glob("*.mp4"))
    assert [name.split("-")[0] for name in names] == ["embedding", "multihead", "positional", "qkv"]
    first = find(str(english / "media" / names[0]), language="en", media=Path()).asset
    with served(english) as address, visit(browser, address + "attention.en.html") as seen:
        watch(seen, first)
        from axe_playwright_python.sync_playwright import Axe

        for width in (1000, 360):
            seen.page.set_viewport_size({"width": width, "height": 800})
            assert seen.page.evaluate("document.documentElement.scrollWidth") == width
            found = Axe().run(seen.page)
            assert [(each["id"], each["nodes"][0]["html"]) for each in found.response["violations"]] == []
        for place in range(len(names)):
            video = f"document.querySelectorAll('video')[{place}]"
            seen.page.evaluate(f"{video}.load()")
            seen.page.wait_for_function(f"{video}.readyState >= 1 && {video}.videoWidth > 0")
        images = "[...document.images].map((each) => { each.loading = 'eager'; return each.decode(); })"
        assert len(seen.page.evaluate(f"Promise.all({images})")) == 2
        assert seen.page.evaluate("document.querySelectorAll('math').length") > 30


def test_hostile_words_reach_the_browser_as_words(chapter, browser):
    text = PROMPT.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    head = f'{{{{ chapter model=small theme=light title="{text}" }}}}'
    chapter.write(f'{head}\n\n# H\n\n{{{{ figure tiny:share caption="{text}" }}}}\n')
    chapter.build()
    with served(chapter.page.parent) as address, visit(browser, address + "lecture.html") as seen:
        shown = " ".join(seen.page.locator("figcaption").inner_text().split())
        assert shown == " ".join(PROMPT.split())
        assert " ".join(seen.page.title().split()) == " ".join(PROMPT.split())
        assert seen.page.locator("script, img[src=x]").count() == 0


def test_the_two_languages_show_the_same():
    told = []
    for language in LANGUAGES:
        chapter = read_chapter(CHAPTERS / f"attention.{language}.md")
        assert chapter.language == language
        told.append([_apart_from_words(each) for each in chapter.directives])
    assert told[0] == told[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_of_it_can_be_computed(language):
    from pipeline.chapter.numbers import Numbers

    chapter = read_chapter(CHAPTERS / f"attention.{language}.md")
    known = Numbers(CHAPTERS)
    texts = [known.number(each, place=chapter.where(each)).text for each in chapter.directives if each.kind == "number"]
    assert all(re.fullmatch(r"[=≈>]? ?[−≈>]?\d+(\.\d+)?", text) for text in texts), texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_decimal_of_a_model_is_typed(language):
    """What has a decimal point is the paper's, quoted with its source."""
    text = read_chapter(CHAPTERS / f"attention.{language}.md").text
    prose = re.sub(r"\{\{.*?\}\}|arXiv:[\d.]+|https?://[^)\s]+", "", text, flags=re.DOTALL)
    typed = re.findall(r"\d+\.\d+", prose)
    assert typed == ["28.4", "41.8"]
    assert not NUMBER.search(text)


def _apart_from_words(directive) -> tuple:
    """What a directive shows, whatever the language."""
    words = ("lang", "title", "caption", "query", "key", "position", "vocab")
    return directive.kind, directive.words, {k: v for k, v in directive.options.items() if k not in words}
