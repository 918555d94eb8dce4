"""Every target that makes a page for the web: built with its own tool, opened in a browser, watched to the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.publish import embeds
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._write import place
from tests.pipeline.embeds import sites
from tests.pipeline.embeds.serve import served
from tests.pipeline.embeds.watch import copied, look_at, visit, watch


def embedded(site: sites.Site, *names: str) -> None:
    """Put what has these stems into the site's page, as the command does."""
    for name in names:
        shown = find(str(site.media / name), language="en", media=Path("media"))
        place(embeds.load(site.target), shown, Page(site.page), name=site.target)


REVEAL = "Reveal.slide(1)"
"""To the slide of the figure, which is the second."""
TARGETS = [*sites.LIGHT, *(pytest.param(target, marks=pytest.mark.heavy) for target in sites.HEAVY)]


@pytest.mark.parametrize("target", TARGETS)
def test_a_page_shows_plays_seeks_captions_and_reads(target, published, drawn, shown, shown_picture, browser, tmp_path):
    site = sites.make(target, tmp_path / "site", published)
    copied(drawn, site.media)
    embedded(site, shown.asset.name, shown_picture.asset.name)
    themes = {"dark": shown.asset, "light": shown.twin}
    pictures = {"dark": shown_picture.asset, "light": shown_picture.twin}
    with served(site.build(), prefix=site.prefix) as address:
        for scheme in ("dark", "light"):
            with visit(browser, address + site.address, color_scheme=scheme) as seen:
                watch(seen, themes[site.shows or scheme], settled=site.settled, readable=site.readable)
                # A page of Markdown has no theme of its own: the reader's system chooses.
                shows = scheme if target == "markdown" else site.shows or scheme
                look_at(seen, pictures[shows], then=REVEAL if target == "reveal" else "")


@pytest.mark.parametrize("target", TARGETS)
def test_hostile_texts_are_text(target, hostile, browser, tmp_path):
    site = sites.make(target, tmp_path / "site", hostile)
    embedded(site, "bad", "worse")
    asset, picture = (find(str(hostile / name), language="en", media=Path("media")).asset for name in ("bad", "worse"))
    with served(site.build(), prefix=site.prefix) as address, visit(browser, address + site.address) as seen:
        seen.until("true")
        words = seen.page.locator(".attention-video").first.evaluate("(each) => each.textContent")
        for text in (asset.title, asset.prompt):
            assert text in " ".join(words.split())
        assert seen.video("video.getAttribute('aria-label')") == asset.label
        assert seen.page.locator(".attention-video script, img[src=x]").count() == 0
        if target == "reveal":
            seen.page.evaluate(REVEAL)
        image = seen.page.locator("img[src*=worse]")
        assert image.evaluate("(each) => each.alt") == picture.still
        told = image.evaluate("(each) => (each.closest('figure, section, main') || document.body).textContent")
        for text in (picture.title, picture.prompt):
            assert text in " ".join(told.split())
