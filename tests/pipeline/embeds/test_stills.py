"""Where no video can be, on paper and in decks that others open, the poster stands for it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest

from pipeline.publish import embeds
from pipeline.publish.embeds._asset import Shown
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._text import clean
from tests.pipeline.embeds import sites
from tests.pipeline.embeds.hostile import TRICKS, tell, tell_picture
from tests.pipeline.embeds.serve import served
from tests.pipeline.embeds.watch import tool, visit

OFFICE = "sh tests/tools.sh all installs it"
DARK = 60
"""Every channel of the dark poster's ground is below this, on white paper."""


def dark_share(pdf: Path, number: int = 0) -> float:
    """How much of a page is as dark as the poster's ground."""
    pixels = np.asarray(pypdfium2.PdfDocument(pdf)[number].render(scale=1).to_pil().convert("RGB"))
    return float((pixels.max(axis=2) < DARK).mean())


def words_of(pdf: Path) -> str:
    """The text of all pages, as a reader would copy it."""
    return " ".join(
        " ".join(page.get_textpage().get_text_range().split()) for page in pypdfium2.PdfDocument(pdf)
    ).replace("\x02", "")


def run(*command: str, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@pytest.mark.parametrize("target", ["markdown", "quarto"])
def test_pandoc_keeps_the_poster_on_the_way_to_pdf(target, published, asset, tmp_path):
    pandoc = tool("pandoc")
    page = tmp_path / "page.md"
    page.write_text(embeds.load(target).snippet(Shown(asset=asset), Page(page)))
    run(pandoc, "page.md", "-o", "page.tex", folder=tmp_path)
    text = page.with_suffix(".tex").read_text()
    assert text.count("includegraphics") == 1
    assert asset.poster.name in text
    assert "<" not in text


def test_pandoc_reads_any_text_of_a_still_as_text(written, tmp_path):
    pandoc, page = tool("pandoc"), Page(tmp_path / "page.md")
    told = [tell(written, trick, trick) for trick in TRICKS]
    stills = (embeds.load("quarto").snippet(each, page).partition("```\n:::\n\n")[2] for each in told)
    page.file.write_text("\n\n".join(stills), encoding="utf-8")
    run(pandoc, "page.md", "-t", "json", "-o", "page.json", folder=tmp_path)
    images = list(found(json.loads((tmp_path / "page.json").read_text()), "Image"))
    assert [dict(attributes[2])["fig-alt"] for attributes, _, _ in images] == [each.asset.still for each in told]
    for (_, inlines, _), each in zip(images, told, strict=True):
        assert said(inlines) == each.asset.label


def said(inlines: list[Any]) -> str:
    """The text of pandoc's inlines, which are words, spaces and curly quotes alone."""
    kinds = {"Str": lambda text: text, "Space": lambda _: " ", "Quoted": lambda quoted: f"“{said(quoted[1])}”"}
    return "".join(kinds[inline["t"]](inline.get("c")) for inline in inlines)


def found(tree: Any, kind: str) -> Iterator[Any]:
    """What pandoc's tree has of one kind."""
    if isinstance(tree, dict) and tree.get("t") == kind:
        yield tree["c"]
    for each in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from found(each, kind)


@pytest.mark.parametrize("target", ["sphinx", "myst"])
def test_sphinx_keeps_the_poster_on_the_way_to_pdf(target, published, shown, tmp_path):
    site = sites.make(target, tmp_path / "site", published)
    asset = replace(
        shown.asset, poster=site.media / shown.asset.poster.name, videos=(site.media / shown.asset.video.name,)
    )
    moved = {name: site.media / getattr(asset, name).name for name in ("chapter_track", "transcript")}
    tracks = tuple(replace(each, path=site.media / each.path.name) for each in asset.tracks)
    still = Shown(asset=replace(asset, tracks=tracks, **moved))
    page = Page(site.page)
    site.page.write_bytes(embeds.load(target).put(site.page.read_bytes(), still, page))
    run(sys.executable, "-m", "sphinx", "-W", "-q", "-b", "latex", ".", "paper", folder=site.page.parents[1])
    [paper] = (site.page.parents[1] / "paper").glob("attention.tex")
    text = paper.read_text()
    assert text.count(r"\sphinxincludegraphics") == 1
    assert "controls" not in text
    assert (paper.parent / asset.poster.name).read_bytes() == asset.poster.read_bytes()


@pytest.mark.parametrize(("target", "query"), [("html", ""), ("reveal", "?print-pdf")])
def test_a_printed_page_has_the_poster(target, query, published, dark, browser, tmp_path):
    from pipeline.publish.embeds._find import find

    site = sites.make(target, tmp_path / "site", published)
    shown = replace(find(str(site.media / dark.name), language="en", media=Path("media")), twin=None)
    site.page.write_bytes(embeds.load(target).put(site.page.read_bytes(), shown, Page(site.page)))
    paper = tmp_path / "paper.pdf"
    with served(site.build()) as address, visit(browser, address + site.address + query) as seen:
        seen.until("true")
        seen.page.wait_for_timeout(500)
        seen.page.pdf(path=paper, landscape=True, print_background=True)
    assert max(dark_share(paper, number) for number in range(len(pypdfium2.PdfDocument(paper)))) > 0.2


@pytest.mark.heavy
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex"])
def test_beamer_shows_poster_figure_and_any_text(engine, asset, shown_picture, tmp_path):
    program = tool(engine, OFFICE)
    ascii_only = [clean(trick) for trick in TRICKS if trick.isascii() and len(trick) < 100]
    figures = [shown_picture, tell_picture(shown_picture, TRICKS[10], TRICKS[18])]
    frames = [Shown(asset=asset), *figures, *(tell(Shown(asset=asset), trick, trick) for trick in TRICKS)]
    tex = tmp_path / "deck.tex"
    tex.write_text("\\documentclass{beamer}\n\\begin{document}\n\\end{document}\n")
    for number, shown in enumerate(frames):
        named = replace(shown, asset=replace(shown.asset, name=f"frame{number}"))
        tex.write_bytes(embeds.load("beamer").put(tex.read_bytes(), named, Page(tex)))
    run(program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "deck.tex", folder=tmp_path)
    paper = tmp_path / "deck.pdf"
    assert len(pypdfium2.PdfDocument(paper)) == len(frames)
    assert min(dark_share(paper, number) for number in range(3)) > 0.3
    told = words_of(paper).replace(" ", "")
    for text in ascii_only:
        assert text.replace(" ", "") in told, text


@pytest.mark.heavy
def test_libreoffice_shows_the_poster_of_a_deck(shown, tmp_path):
    office = tool("soffice", OFFICE)
    deck = tmp_path / "deck.pptx"
    hostile = tell(shown, " ".join(TRICKS[:8]), TRICKS[18])
    deck.write_bytes(embeds.load("pptx").put(None, hostile, Page(deck)))
    home = f"-env:UserInstallation={(tmp_path / 'home').as_uri()}"
    run(office, home, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path), str(deck), folder=tmp_path)
    assert dark_share(deck.with_suffix(".pdf")) > 0.3
    assert clean(TRICKS[2]).replace(" ", "") in words_of(deck.with_suffix(".pdf")).replace(" ", "")
