"""Whatever a title or a prompt says comes out as text, read by the parser of each kind of page."""

from __future__ import annotations

import json
import re

import html5lib
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pipeline.publish import embeds, transcript
from pipeline.publish.embeds import _text, beamer, sphinx
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._text import clean
from tests.pipeline.embeds.hostile import TRICKS, tell, words
from tests.pipeline.embeds.sites import html_of_cell

MANY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
HTML = ("html", "reveal", "mkdocs", "docsify", "hugo")
TAGS = {"figure", "div", "video", "source", "track", "a", "figcaption", "p", "strong", "bdi", "details", "summary"} | {
    "ol", "li", "em", "section", "aside", "h2", "html", "head", "body", "img",
}  # fmt: skip


def page(tmp_path, target: str) -> Page:
    return Page(tmp_path / f"page{embeds.load(target).ENDINGS[0]}")


def tricks(test):
    """The test, also with each trick as title and prompt."""
    for trick in TRICKS:
        test = example(title=trick, prompt=trick)(test)
    return MANY(given(title=words, prompt=words)(test))


def check_html(text: str, shown) -> None:
    """The HTML, as a browser reads it, has our elements alone, and both texts as they are."""
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    assert {each.tag for each in tree.iter() if isinstance(each.tag, str)} <= TAGS
    asset = shown.asset
    [video] = tree.iter("video")
    assert video.get("aria-label") == asset.label
    assert not any(
        name.startswith("on") for each in tree.iter() if each.tag not in ("ol", "img") for name in each.attrib
    )
    shown_texts = ["".join(each.itertext()) for each in tree.iter("bdi")]
    assert set(filter(None, (asset.title, asset.prompt))) <= set(shown_texts)
    assert set(shown_texts) <= {asset.title, asset.prompt}


@pytest.mark.parametrize("target", HTML)
def test_html(target, written, tmp_path):
    tool = embeds.load(target)

    @tricks
    def check(title, prompt):
        told = tell(written, title, prompt)
        text = tool.snippet(told, page(tmp_path, target))
        check_html(text.replace("{{< attention-video", "").replace("{{< /attention-video", ""), told)
        assert "\n\n" not in text

    check()


def test_markdown(written, tmp_path):
    tool = embeds.load("markdown")

    @tricks
    def check(title, prompt):
        told = tell(written, title, prompt)
        read = MarkdownIt("commonmark")
        text = read.render(tool.snippet(told, page(tmp_path, "markdown")))
        check_html(text, told)
        [still] = html5lib.parse(text, namespaceHTMLElements=False).iter("img")
        alt = f"{told.asset.label}. {told.asset.still}".strip()
        assert still.get("alt") == alt
        assert still.get("src").endswith(told.asset.poster.name)

    check()


def test_vue_has_no_sign_that_it_reads_as_code(written, tmp_path):
    """A template reads braces and tags in text and in values. The builder itself is asked in test_pages.py."""

    @tricks
    def check(title, prompt):
        told = tell(written, title, prompt)
        label = _text.entities(told.asset.label)
        assert not set("<>{}`$\\\"'&*_[]@|~^#!=/\n") & set(re.sub(r"&#\d+;", "", label))
        text = embeds.load("vitepress").snippet(told, page(written.asset.video.parent, "vitepress"))
        check_html(text.replace("@click", "onclick").replace(" />", ">"), told)

    check()


def test_jsx_has_text_as_words_or_as_strings(written):
    """A string of JSON is one of JavaScript; MDX itself is asked in test_pages.py."""

    @tricks
    def check(title, prompt):
        told = tell(written, title, prompt)
        text = embeds.load("docusaurus").snippet(told, page(written.asset.video.parent, "docusaurus"))
        read = []
        for inner in re.findall(r"<bdi>(.*?)</bdi>(?=[< \n])", text):
            read.append(json.loads(inner[1:-1]) if inner.startswith("{") else inner)
            assert inner.startswith("{") or not set(inner) & set("<>{}`$\\\"'&*_[]@|~^#!=")
        assert set(filter(None, (told.asset.title, told.asset.prompt))) <= set(read)
        assert set(read) <= {told.asset.title, told.asset.prompt}

    check()


def test_entities_are_the_text():
    @MANY
    @given(words)
    def check(text):
        read = html5lib.parseFragment(_text.entities(_text.clean(text)), namespaceHTMLElements=False)
        assert "".join(read.itertext()) == _text.clean(text)

    check()


def test_restructured_text(written, tmp_path):
    docutils = pytest.importorskip("docutils.core", reason="no docutils: sh tests/tools.sh installs it")
    from docutils import nodes

    @tricks
    def check(title, prompt):
        told = tell(written, title, prompt)
        text = sphinx.snippet(told, page(tmp_path, "sphinx")).partition(".. only:: not html")[2]
        lines = [line.removeprefix("   ") for line in text.splitlines()]
        tree = docutils.publish_doctree("\n".join(lines), settings_overrides={"report_level": 1, "halt_level": 2})
        [image], [caption] = tree.findall(nodes.image), tree.findall(nodes.caption)
        assert image["alt"] == (told.asset.still or told.asset.label)
        assert caption.astext() == told.asset.label
        assert {type(each) for each in caption.findall()} <= {nodes.caption, nodes.Text}

    check()


def test_myst(written, tmp_path):
    pytest.importorskip("myst_parser", reason="no myst-parser: sh tests/tools.sh installs it")
    from docutils import nodes
    from docutils.core import publish_doctree
    from myst_parser.docutils_ import Parser

    @settings(parent=MANY, max_examples=25)
    @given(title=words, prompt=words)
    @example(title=TRICKS[8] + TRICKS[9], prompt=" ".join(TRICKS))
    def check(title, prompt):
        told = tell(written, title, prompt)
        text = embeds.load("myst").snippet(told, page(tmp_path, "myst"))
        still = text.partition("````{only} not html\n")[2].removesuffix("\n````")
        options = {"report_level": 1, "halt_level": 2}
        tree = publish_doctree(still, parser=Parser(), settings_overrides=options)
        [image], [caption] = tree.findall(nodes.image), tree.findall(nodes.caption)
        assert image["alt"] == (told.asset.still or told.asset.label)
        assert caption.astext() == told.asset.label
        raw = text.partition("```{raw} html\n")[2].partition("\n```\n````\n")[0]
        [shown_raw] = publish_doctree(
            f"```{{raw}} html\n{raw}\n```", parser=Parser(), settings_overrides=options
        ).findall(nodes.raw)
        check_html(shown_raw.astext(), told)

    check()


def test_a_cell_of_a_notebook_is_python_with_one_string(written, tmp_path):
    @tricks
    def check(title, prompt):
        told = tell(written, title, prompt)
        [cell] = json.loads(embeds.load("notebook").put(None, told, page(tmp_path, "notebook")))["cells"]
        check_html(html_of_cell("".join(cell["source"])), told)
        [output] = cell["outputs"]
        tree = html5lib.parse("".join(output["data"]["text/html"]), namespaceHTMLElements=False)
        assert {each.tag for each in tree.iter()} <= TAGS - {"video"}
        [still] = tree.iter("img")
        assert still.get("alt") == f"{told.asset.label}. {told.asset.still}".strip()

    check()


def test_a_transcript_is_text():
    """The prompt in the transcript, which is Markdown."""

    @MANY
    @given(words)
    def check(text):
        line = clean(text)
        read = MarkdownIt("commonmark").enable(["strikethrough", "table"]).render(f"- T: {transcript.escape(line)}\n")
        tree = html5lib.parseFragment(read, namespaceHTMLElements=False)
        assert {each.tag for each in tree.iter()} <= {"DOCUMENT_FRAGMENT", "ul", "li"}
        assert " ".join("".join(tree.itertext()).split()) == f"T: {line}".strip()

    check()


def test_latex_takes_no_sign_for_a_command():
    """Every sign of ASCII is written by itself, those that TeX reads as something else written out.

    What TeX makes of them, test_stills.py asks.
    """
    for sign in '\\%$#&~^{}<>|"`_':
        assert beamer.escape(sign).startswith(("\\", "{\\"))

    @MANY
    @given(st.text(alphabet=[chr(code) for code in range(32, 127)]), st.sampled_from([*TRICKS, "é", "注"]))
    def check(signs, more):
        assert beamer.escape(signs) == "".join(map(beamer.escape, signs))
        assert beamer.escape(signs + clean(more)).startswith(beamer.escape(signs))

    check()
