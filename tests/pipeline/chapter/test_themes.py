"""A chapter in both themes: dark pictures where the system is dark, light ones on paper, no film loaded twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipeline.chapter.build import Order, build_chapter
from pipeline.chapter.check import check
from pipeline.chapter.targets import TARGETS
from pipeline.publish.embeds._find import find
from tests.pipeline.chapter.conftest import CHAPTER, SmallChapter
from tests.pipeline.embeds.serve import served
from tests.pipeline.embeds.watch import SHOWN, visit, watch

IMAGE = "[...document.querySelectorAll('figure img')].find((each) => each.offsetParent)"
VIDEO, FIGURE = "tiny-*pace*.mp4", "*.svg"


@pytest.fixture(scope="module")
def drawn_twice(built_chapter, tmp_path_factory) -> SmallChapter:
    """The small chapter in both themes; not to be changed."""
    folder = tmp_path_factory.mktemp("both") / "lectures"
    shutil.copytree(built_chapter.folder, folder)
    chapter = SmallChapter(folder, folder / "small")
    chapter.write(CHAPTER.replace("theme=light", "theme=both"))
    assert sorted(chapter.build()["assets"].values()) == ["current", "current", "drawn", "drawn"]
    return chapter


@pytest.fixture
def both(drawn_twice, chapter) -> SmallChapter:
    """A copy, in which this process works."""
    shutil.copytree(drawn_twice.folder, chapter.folder, dirs_exist_ok=True)
    return chapter


def files(chapter: SmallChapter, pattern: str) -> dict[str, str]:
    """The names of the files for each theme."""
    found = {("light" if "light" in path.name else "dark"): path.name for path in media(chapter).glob(pattern)}
    assert len(found) == 2
    return found


def media(chapter: SmallChapter) -> Path:
    return chapter.folder / "out" / "media"


def build(chapter: SmallChapter, target: str, **asked: str):
    order = Order(folder=chapter.folder / "out", target=target, asked=asked, quiet=True)
    return build_chapter(chapter.source, order).page


@pytest.mark.parametrize(("scheme", "other"), [("light", "dark"), ("dark", "light")])
def test_a_reader_sees_the_theme_of_their_system_and_loads_no_film_of_the_other(drawn_twice, browser, scheme, other):
    films, figures = files(drawn_twice, VIDEO), files(drawn_twice, FIGURE)
    asset = find(str(media(drawn_twice) / films[scheme]), language="en", media=Path()).asset
    got: list[str] = []
    with served(drawn_twice.page.parent) as address, visit(browser, "about:blank", color_scheme=scheme) as seen:
        seen.page.on("request", lambda request: got.append(request.url.rsplit("/", 1)[1]))
        seen.page.goto(f"{address}lecture.html")
        watch(seen, asset)
        seen.page.wait_for_function(f"() => {IMAGE}.complete && {IMAGE}.currentSrc.endsWith('{figures[scheme]}')")
        assert not {films[other], figures[other]} & set(got)
        if scheme == "light":
            assert not [name for name in got if name.startswith(films["dark"].removesuffix(".mp4"))]
        seen.page.emulate_media(media="print")
        assert seen.page.evaluate(f"{SHOWN}.poster").endswith(f"/{films['light'].removesuffix('.mp4')}.png")
        seen.page.wait_for_function(f"() => {IMAGE}.currentSrc.endsWith('{figures['light']}')")


@pytest.mark.parametrize("target", TARGETS)
def test_each_target_has_both_and_is_current(target, both):
    page = build(both, target)
    text = page.read_text()
    for name in (*files(both, VIDEO).values(), *files(both, FIGURE).values()):
        assert name in text
    assert {each.condition for each in check(page, output=page.parent)} == {"current"}


def test_a_dark_picture_that_is_gone_or_stale_is_found(both):
    dark = files(both, FIGURE)["dark"], files(both, VIDEO)["dark"]
    for name in dark:
        (media(both) / name).unlink()
    for file in (both.page, both.source):
        found = [each for each in check(file, output=both.page.parent) if each.bad]
        assert [each.condition for each in found] == ["missing", "missing"]
        assert all("light" not in each.why for each in found)
    shown = [each.why for each in check(both.page, output=both.page.parent) if each.bad]
    assert [name in why for name, why in zip(reversed(dark), shown, strict=True)] == [True, True]


def test_one_theme_again_shows_that_alone(both):
    page = build(both, "html", theme="light")
    text = page.read_text()
    assert files(both, VIDEO)["dark"].removesuffix(".mp4") not in text
    assert "attention-dark" not in text
    assert {each.condition for each in check(page, output=page.parent)} == {"current"}
