"""Our chapter for the tools that make a site of Markdown: built by each of them, opened in a browser.

The tools' own settings for formulas are those that docs/guide/chapters.md names.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.chapter.build import Order, build_chapter
from pipeline.publish.embeds._find import find
from tests.pipeline.chapter.conftest import DRAFT
from tests.pipeline.embeds import sites
from tests.pipeline.embeds.serve import served
from tests.pipeline.embeds.watch import tool, visit, watch

FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.DOTALL)
BARE = ("mkdocs", "hugo", "docsify", "docusaurus", "vitepress")
"""Tools that read formulas with a plug-in that is not installed here: they get the chapter with a letter for each."""
TARGETS = [
    *(pytest.param(target, "en", id=target) for target in ("quarto", "myst", "mkdocs", "hugo", "docsify")),
    pytest.param("myst", "zh", id="myst-zh"),
    *(pytest.param(target, "en", id=target, marks=pytest.mark.heavy) for target in sites.HEAVY),
]
SEEN = "[...document.images].filter((each) => each.offsetParent && /[.]svg$/.test(each.src))"


def with_formulas(site: sites.Site) -> sites.Site:
    """The site with its tool's formulas switched on."""
    folder = site.page.parents[1]
    if site.target == "quarto":

        def build() -> Path:
            options = ("--standalone", "--mathml", "-o", "attention.html", "--metadata", "title=Attention")
            command = [tool("pandoc"), site.page.name, *options, "--metadata", "lang=en"]
            done = subprocess.run(command, cwd=site.page.parent, capture_output=True, text=True, timeout=120)
            assert (done.returncode, done.stderr) == (0, "")
            return folder

        return replace(site, build=build)
    if site.target == "myst":
        (folder / "_static" / "mathjax.js").write_text("")
        with (folder / "conf.py").open("a") as settings:
            settings.write(
                "extensions += ['sphinx.ext.mathjax']\nmyst_enable_extensions = ['dollarmath']\n"
                "mathjax_path = 'mathjax.js'\n"
            )
    return site


@pytest.mark.parametrize(("target", "language"), TARGETS)
def test_our_chapter_stands_in_the_site_of(target, language, our_chapter, browser, tmp_path):
    built = our_chapter(language)
    site = with_formulas(sites.make(target, tmp_path / "site", built / "out" / "media"))
    site.page.unlink()
    shutil.rmtree(site.media)
    text = (built / f"attention.{language}.md").read_text()
    source = built / f"attention{site.page.suffix}"
    source.write_text(FORMULA.sub("*x*", text) if target in BARE else text)
    order = Order(folder=site.page.parent, media=site.media, target=target, asked=DRAFT, quiet=True)
    made = build_chapter(source, order)
    assert made.page == site.page
    assert set(made.how.values()) == {"kept"}
    first = next(path for path in site.media.glob("embedding*.mp4"))
    asset = find(str(first), language=language, media=Path()).asset
    with served(site.build(), prefix=site.prefix) as address, visit(browser, address + site.address) as seen:
        watch(seen, asset, settled=site.settled, readable=site.readable)
        page = seen.page
        assert page.locator(".attention-video video").count() == 4
        page.evaluate(f"{SEEN}.forEach((each) => {{ each.loading = 'eager'; }})")
        page.wait_for_function(f"() => {SEEN}.length === 2 && {SEEN}.every((each) => each.naturalWidth > 0)")
        shown = " ".join(page.locator("table").nth(0).inner_text().split())
        assert re.search(r"(0\.06|≈0) 0\.5\d 0\.[34]\d 0\.0\d$", shown), shown
        words = page.locator("body").inner_text()
        assert "{{" not in words
        assert "$$" not in words
        assert page.locator("table").count() >= 6
        assert page.locator("h2").count() >= 8
        if target == "quarto":
            assert page.locator("math").count() > 50
        if target == "myst":
            assert page.locator(".math").count() > 50
