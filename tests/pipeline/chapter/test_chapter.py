"""`chapter`: what it builds, what it does not build again, and what it says of what cannot be built."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from html import unescape

import html5lib
import pytest

from pipeline.chapter.build import Order, build_chapter
from pipeline.chapter.check import check
from pipeline.chapter.prose import numbers_in
from pipeline.chapter.targets import TARGETS
from pipeline.publish import embeds
from pipeline.publish.embeds._text import entities
from tests.pipeline.embeds.hostile import PROMPT, TRICKS
from transformer_core.errors import InputError


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@pytest.fixture
def built(chapter):
    """Builds in this process what was drawn already."""

    def build(target: str = "html", text: str = ""):
        if text:
            chapter.write(text)
        order = Order(folder=chapter.folder / "out", target=target, asked={}, quiet=True)
        return build_chapter(chapter.source, order)

    return build


def test_the_numbers_are_the_models(built_chapter, small_model):
    from transformer_core.address import parse_address
    from transformer_core.capture import capture
    from transformer_core.display import show
    from transformer_core.sources import load_model

    trace = capture(load_model(str(small_model)), "a blue creature")
    cells = [
        parse_address(f"L1.H1.{each}", trace)
        for each in ("pattern[query=creature, key=blue]", "W_Q[d_model=1, d_head=1]")
    ]
    page = built_chapter.page.read_text()
    texts = [found.text for found in numbers_in(page)]
    assert texts == [f"≈ {show(cells[0]).text}", "= 4", show(cells[1]).text]
    assert f'value="{cells[0].value!r}"' in page
    assert "L1.H1.pattern[query=creature, key=blue]" in unescape(page)


def test_code_and_formulas_stay(built_chapter):
    page = built_chapter.page.read_text()
    assert "<code>{{ video tiny }}</code>" in page
    assert "<msub><mi>d</mi><mi>k</mi></msub>" in page
    assert "<title>A small chapter</title>" in page


def test_what_did_not_change_is_not_drawn_again(chapter):
    source, page = chapter.source.read_bytes(), chapter.page.read_bytes()
    files = {path: path.stat().st_mtime_ns for path in (chapter.folder / "out" / "media").iterdir()}
    told = chapter.build()
    assert set(told["assets"].values()) == {"current"}
    assert (chapter.source.read_bytes(), chapter.page.read_bytes()) == (source, page)
    assert {path: path.stat().st_mtime_ns for path in files} == files
    assert sorted(path.name for path in (chapter.folder / "out").iterdir()) == ["lecture.html", "lecture.lock", "media"]


def test_what_is_gone_comes_back_from_the_store(chapter):
    chapter.video().unlink()
    told = chapter.build()
    assert sorted(told["assets"].values()) == ["current", "kept"]
    assert chapter.video().is_file()


@pytest.mark.parametrize("target", TARGETS)
def test_each_target_has_its_embed_its_figure_and_its_numbers(target, built, chapter):
    made = built(target)
    text = made.page.read_text()
    assert made.page.suffix in embeds.load(target).ENDINGS
    assert [(each.kind, each.condition) for each in check(made.page, output=made.page.parent)] == [
        ("chapter", "current"),
        ("video", "current"),
        ("figure", "current"),
        *[("number", "current")] * 3,
    ]
    assert text.count("{{ video") == 1  # the one in code
    assert len(list(numbers_in(text))) == 3


def test_targets_are_those_whose_pages_are_text_of_a_chapters_kind():
    assert set(TARGETS) < set(embeds.names())
    assert {ending for name in TARGETS for ending in embeds.load(name).ENDINGS} >= {".md", ".html", ".mdx", ".qmd"}


@pytest.mark.parametrize("target", TARGETS)
def test_hostile_texts_are_text(target, built):
    texts = [" ".join(trick.split()) for trick in [*TRICKS, PROMPT]]
    figures = (f"{{{{ figure tiny:share caption={quoted(text)} alt={quoted(text)} }}}}" for text in texts)
    page = built(target, "\n\n".join(["{{ chapter model=small theme=light }}", *figures])).page.read_text()
    if target == "docusaurus":
        said = re.compile(r'(?m)^\{("(?:[^"\\]|\\.)*")\}$')
        page = re.sub(r'(?<=<picture) style=\{\{"display": "flex", [^{}]*\}\}(?=>!\[)', "", page)
        assert not set("{}") & set(re.sub(r"\{/\* [^{}]* \*/\}", "", said.sub("", page)))
        page = said.sub(lambda found: f"<p>{entities(json.loads(found[1]))}</p>", page)
    if target != "html":
        from markdown_it import MarkdownIt

        page = MarkdownIt().render(page)
    tree = html5lib.parse(page, namespaceHTMLElements=False)
    images = list(tree.iter("img"))
    assert [" ".join((image.get("alt") or "").split()) for image in images] == texts
    body = " ".join("".join(tree.find("body").itertext()).split())
    assert [text for text in texts if text not in body] == []
    assert not list(tree.find("body").iter("script"))
    assert [name for image in images for name in image.attrib if name.startswith("on")] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# A\n\n{{ video tny }}", "lecture.md line 3: scene 'tny'.*did you mean 'tiny'"),
        ("{{ video tiny:shar }}", "line 1: beat of tiny 'shar'.*did you mean 'share'"),
        ("{{ figure tiny }}", "line 1: figure 'tiny': it names no beat; write tiny:end"),
        ("{{ figure tiny:end format=gif }}", "line 1: format 'gif'.*give svg or png"),
        ("A {{ video tiny }} b", "line 1: tiny: a video is a paragraph of its own"),
        ("{{ video tiny head=two }}", "line 1: head = 'two': it is not a whole number"),
        ("{{ number tiny.patern query=1 key=1 model=small }}", "line 1: quantity 'patern'.*pattern"),
        ("{{ number tiny.pattern query=1 model=small }}", "line 1: .*its axes are query, key"),
        ("\n{{ number tiny.pattern query=dragn key=1 model=small }}", "line 2: token 'dragn'"),
        ("{{ number tiny.pattern query=1 key=1 model=small decimals=99 }}", "line 1: 99 decimals: out of range"),
        ("{{ number tiny.card path=claims.x model=small }}", "line 1: path 'claims.x'.*no such number"),
        ("{{ number tiny.config path=depth model=small }}", "line 1: path 'depth'.*there are: "),
        ("{{ number tiny model=small }}", "line 1: number 'tiny': it names no quantity"),
        ("$$a_$$", "formula .*: it cannot be read"),
        ("$\\begn{x}$", r"formula .*: it has a command \\begn that is not known"),
    ],
)
def test_what_cannot_be_built_is_told_in_one_line_and_the_page_stays(text, said, built, chapter):
    page, source = chapter.page.read_bytes(), chapter.folder / "lecture.md"
    with pytest.raises(InputError) as refused:
        built(text=text)
    assert re.search(said, str(refused.value)), refused.value
    assert "\n" not in str(refused.value)
    assert chapter.page.read_bytes() == page
    assert source.read_text().strip() == text.strip()


def test_a_page_of_somebody_else_is_not_replaced(tmp_path):
    (tmp_path / "lecture.md").write_text("# A lecture\n")
    page, order = tmp_path / "lecture.html", Order(folder=tmp_path, target="html", asked={}, quiet=True)
    page.write_text("by hand")
    with pytest.raises(InputError, match="did not build"):
        build_chapter(tmp_path / "lecture.md", order)
    assert page.read_text() == "by hand"
    page.unlink()
    build_chapter(tmp_path / "lecture.md", order)
    assert build_chapter(tmp_path / "lecture.md", order).page == page


def test_a_chapter_is_never_its_own_page(built, chapter):
    order = Order(folder=chapter.folder, target="markdown", asked={}, quiet=True)
    with pytest.raises(InputError, match="it is the chapter itself"):
        build_chapter(chapter.source, order)
    chapter.source.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="no UTF-8"):
        build_chapter(chapter.source, replace(order, folder=chapter.folder / "out"))


def test_code_without_an_end_is_told_by_chapter_and_check_alike(chapter):
    chapter.write("{{ chapter model=small }}\n\n# A\n\n```\n{{ video tiny }}\n")
    page = chapter.page.read_bytes()
    for words in (("chapter", "lecture.md", "-o", "out"), ("check", "lecture.md")):
        done = chapter.run(*words)
        assert done.returncode == 2
        assert done.stderr == "error: lecture.md line 5: its code block has no end; end it with a line ```\n"
    assert chapter.page.read_bytes() == page


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    os.mkfifo(tmp_path / "pipe.ipynb")
    order = Order(folder=tmp_path / "out", target="html", asked={}, quiet=True)
    with pytest.raises(InputError, match="it is no regular file"):
        build_chapter(tmp_path / "pipe.md", order)
    for name in ("pipe.md", "pipe.ipynb"):
        with pytest.raises(InputError, match="it is no regular file"):
            check(tmp_path / name, output=tmp_path)
    (tmp_path / "lecture.md").write_text("# A\n")
    (tmp_path / "out").mkdir()
    os.mkfifo(tmp_path / "out" / "lecture.html")
    with pytest.raises(InputError, match="it is no regular file"):
        build_chapter(tmp_path / "lecture.md", order)


def test_words_that_are_wrong_exit_with_2(chapter):
    done = chapter.run("chapter", "no.md")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no.md" in done.stderr
