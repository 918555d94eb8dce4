"""docs/chapter in both languages: built as anyone builds it, checked in full, opened in a browser."""

from __future__ import annotations

import re
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest

from pipeline.chapter.check import check
from pipeline.chapter.source import read_chapter
from pipeline.publish.described import described
from pipeline.publish.embeds._find import find
from pipeline.publish.ledger import read_ledger
from tests.pipeline.chapter.conftest import OUR_CHAPTERS
from tests.pipeline.embeds.hostile import PROMPT
from tests.pipeline.embeds.serve import served
from tests.pipeline.embeds.watch import visit, watch

LANGUAGES = {"en": "en", "zh": "zh-CN"}
"""The languages of our chapter, and what a page says of itself."""
SCENES = ["embedding", "multihead", "positional", "qkv"]
CHINESE = re.compile(r"[\u4e00-\u9fff]")
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifted += each.value;
}).observe({type: 'layout-shift', buffered: true});
"""
"""Adds up all that moves on the page on its own account."""
SCROLLED = """async () => {
  for (let at = 0; at < document.documentElement.scrollHeight; at += 600) {
    window.scrollTo(0, at);
    await new Promise(requestAnimationFrame);
  }
  await Promise.all([...document.images].map((each) => each.decode()));
  await document.fonts.ready;
  await new Promise(requestAnimationFrame);
  return window.shifted;
}"""
CUT = "[...document.querySelectorAll('.formula, .table')].filter((each) => each.scrollWidth > each.clientWidth).length"


@pytest.fixture(params=LANGUAGES)
def language(request) -> str:
    return request.param


@pytest.fixture
def built(language, our_chapter) -> Path:
    """The folder of the page; not to be changed."""
    return our_chapter(language) / "out"


@pytest.fixture
def changed(built, tmp_path, monkeypatch) -> Path:
    """A copy of the chapter's folder, in which this process works."""
    subprocess.run(["cp", "-a", str(built.parent), str(tmp_path / "copy")], check=True)
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy" / "out"


@pytest.fixture
def opened(built, language, browser):
    """Opens the page as its reader does."""

    def visited(**context):
        return visit(browser, f"{address}attention.{language}.html", **context)

    with served(built) as address:
        yield visited


def found_on(file: Path, built: Path) -> list[tuple[str, str, str]]:
    """What `check` objects to on a page that was built to a folder, or in its source."""
    return [(each.kind, each.condition, each.why) for each in check(file, output=built) if each.bad]


def test_source_and_page_are_current_and_the_numbers_are_the_models(changed, language):
    for file in (changed / f"attention.{language}.html", changed.parent / f"attention.{language}.md"):
        rows = [asdict(each) for each in check(file, output=changed)]
        assert {row["condition"] for row in rows} == {"current"}
        kinds = [row["kind"] for row in rows]
        assert (kinds.count("video"), kinds.count("figure")) == (4, 2)
        assert kinds.count("number") > 50


def test_an_edited_number_a_stale_video_and_a_missing_figure_are_found(changed, language):
    page = changed / f"attention.{language}.html"
    text = page.read_text()
    page.write_text(text.replace(">16</data>", ">17</data>", 1))
    [figure] = (changed / "media").glob("positional*.svg")
    figure.unlink()
    lock = page.with_suffix(".lock")
    before, mark, after = lock.read_text().partition('[asset."embedding')
    code = re.search(r'^picture\.scene = "(\w+)"', after, re.MULTILINE)[1]
    lock.write_text(before + mark + after.replace(code, code[::-1], 1))
    found = found_on(page, changed)
    assert [each[:2] for each in found] == [("video", "stale"), ("figure", "missing"), ("number", "stale")]
    assert "code changed" in found[0][2]
    assert found[2][2] == "shown 17, now 16"
    found = found_on(changed.parent / f"attention.{language}.md", changed)
    assert [each[:2] for each in found] == [("video", "stale"), ("figure", "missing")]


def test_a_reader_watches_it_in_their_language(opened, built, language):
    stems = sorted(path.with_suffix("") for path in (built / "media").glob("*.mp4"))
    assert [stem.name.split("-")[0] for stem in stems] == SCENES
    assets = [find(str(stem), language=language, media=Path()).asset for stem in stems]
    with opened() as seen:
        page = seen.page
        assert page.evaluate("document.documentElement.lang") == LANGUAGES[language]
        watch(seen, assets[0])
        for asset in assets:
            video = page.locator(f"video[poster$='{asset.poster.name}']")
            assert video.get_attribute("aria-label") == asset.label
            assert video.locator("track[kind=captions][default]").get_attribute("srclang") == language
            video.evaluate("(video) => video.load()")
            page.wait_for_function(f"document.querySelector(\"video[poster$='{asset.poster.name}']\").videoWidth > 0")
            told = page.locator("figure", has=video).locator("details").nth(1).text_content()
            assert all(chapter.seen in told for chapter in asset.chapters)
        for image in page.locator("figure img").all():
            ledger = (built / image.get_attribute("src")).with_suffix(".numbers.json")
            data = read_ledger(ledger)
            assert image.get_attribute("alt") == described(data, data["beats"][0], language)
        spoken = page.evaluate("[...document.querySelectorAll('[aria-label], [alt]')].map((e) => e.ariaLabel || e.alt)")
        assert all(bool(CHINESE.search(each)) == (language == "zh") for each in spoken)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_every_screen_and_everyone(opened, scheme):
    from axe_playwright_python.sync_playwright import Axe

    with opened(color_scheme=scheme) as seen:
        page, grounds = seen.page, set()
        for width in (1280, 768, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert page.evaluate(CUT) == 0
            grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
            if width != 768:
                found = Axe().run(page)
                assert [(each["id"], each["nodes"][0]["html"]) for each in found.response["violations"]] == []
        assert grounds == {"rgb(253, 253, 251)" if scheme == "light" else "rgb(20, 23, 26)"}
        assert page.evaluate("document.querySelectorAll('math').length") > 50


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_moves_while_it_is_read(built, language, browser, width):
    with served(built) as address:
        context = browser.new_context(viewport={"width": width, "height": 800})
        context.add_init_script(SHIFTS)
        page = context.new_page()
        page.goto(f"{address}attention.{language}.html")
        assert page.evaluate(SCROLLED) == 0
        assert page.evaluate("[...document.fonts].every((each) => each.status === 'loaded')")
        context.close()


def test_the_contents_lead_to_every_part(opened):
    with opened() as seen:
        links = seen.page.locator("nav a")
        assert links.all_inner_texts() == seen.page.locator("h2").all_inner_texts()
        links.last.click()
        assert seen.page.evaluate("document.querySelector(decodeURI(location.hash)).tagName") == "H2"


def test_hostile_words_reach_the_browser_as_words(chapter, browser):
    text = PROMPT.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    head = f'{{{{ chapter model=small theme=light title="{text}" }}}}'
    chapter.write(f'{head}\n\n# H\n\n{{{{ figure tiny:share caption="{text}" }}}}\n')
    chapter.build()
    with served(chapter.page.parent) as address, visit(browser, address + "lecture.html") as seen:
        shown = " ".join(seen.page.locator("figcaption").inner_text().split())
        assert shown == " ".join(PROMPT.split())
        assert " ".join(seen.page.title().split()) == " ".join(PROMPT.split())
        assert seen.page.locator("main script, img[src=x]").count() == 0


def test_the_two_languages_show_the_same():
    told = []
    for language in LANGUAGES:
        chapter = read_chapter(OUR_CHAPTERS / f"attention.{language}.md")
        assert chapter.language == language
        told.append([_apart_from_words(each) for each in chapter.directives])
    assert told[0] == told[1]


def test_the_two_languages_have_the_same_formulas_code_and_parts():
    texts = [read_chapter(OUR_CHAPTERS / f"attention.{language}.md").text for language in LANGUAGES]
    texts = [re.sub(r"  # .*", "", text) for text in texts]  # a comment in code is in the language of the page
    for form in (r"\$\$.*?\$\$", r"```.*?```", r"^#+ ", r"^\|[:|-]+\|$", r"arXiv:[\d.]+"):
        english, chinese = (re.findall(form, text, re.DOTALL | re.MULTILINE) for text in texts)
        assert english == chinese, form


def test_no_decimal_of_a_model_is_typed(language):
    """What has a decimal point is the paper's, quoted with its source."""
    text = read_chapter(OUR_CHAPTERS / f"attention.{language}.md").text
    prose = re.sub(r"\{\{.*?\}\}|arXiv:[\d.]+|https?://[^)\s]+", "", text, flags=re.DOTALL)
    assert re.findall(r"\d+\.\d+", prose) == ["28.4", "41.8"]
    assert "<data" not in text


def test_chinese_has_the_marks_of_chinese():
    """No half-width mark or straight quote beside an ideograph, and no space before a full-width mark."""
    text = read_chapter(OUR_CHAPTERS / "attention.zh.md").text
    prose = re.sub(r"\{\{.*?\}\}|```.*?```|\$.*?\$|^\|[:|-]+\|$", "X", text, flags=re.DOTALL | re.MULTILINE)
    assert re.findall(r'[\u4e00-\u9fff][,;:?!"\'()]|[,;:?!"\'()][\u4e00-\u9fff]|\s[，。；：、！？）”]', prose) == []


def _apart_from_words(directive) -> tuple:
    """What a directive shows, whatever the language."""
    words = ("lang", "title", "caption", "query", "key", "position", "vocab")
    return directive.kind, directive.words, {k: v for k, v in directive.options.items() if k not in words}
