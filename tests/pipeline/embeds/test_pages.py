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
from tests.pipeline.embeds.watch import visit, watch


def embedded(site: sites.Site, media: Path, name: str) -> None:
    """Put the video whose stem is `name` into the site's page, as the command does."""
    shown = find(str(media / name), language="en", media=Path("media"))
    place(embeds.load(site.target), shown, Page(site.page), name=site.target)


TARGETS = [*sites.LIGHT, *(pytest.param(target, marks=pytest.mark.heavy) for target in sites.HEAVY)]


@pytest.mark.parametrize("target", TARGETS)
def test_a_page_shows_plays_seeks_captions_and_reads(target, published, shown, browser, tmp_path):
    site = sites.make(target, tmp_path / "site", published)
    embedded(site, site.media, shown.asset.name)
    themes = {"dark": shown.asset, "light": shown.twin}
    with served(site.build(), prefix=site.prefix) as address:
        for scheme in ("dark", "light"):
            with visit(browser, address + site.address, color_scheme=scheme) as seen:
                watch(seen, themes[site.shows or scheme], settled=site.settled, readable=site.readable)


@pytest.mark.parametrize("target", TARGETS)
def test_hostile_texts_are_text(target, hostile, browser, tmp_path):
    site = sites.make(target, tmp_path / "site", hostile)
    embedded(site, site.media, "bad")
    asset = find(str(hostile / "bad"), language="en", media=Path("media")).asset
    with served(site.build(), prefix=site.prefix) as address, visit(browser, address + site.address) as seen:
        seen.until("true")
        words = seen.page.locator(".attention-video").first.evaluate("(each) => each.textContent")
        for text in (asset.title, asset.prompt):
            assert text in " ".join(words.split())
        assert seen.video("video.getAttribute('aria-label')") == asset.label
        assert seen.page.locator(".attention-video script, .attention-video img[src=x]").count() == 0
