"""Documents that people write: the video goes in, is brought up to date, and nothing else changes."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.publish import embeds
from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._write import place
from transformer_core.errors import InputError

TEXTS = tuple(name for name in embeds.names() if name not in ("pptx", "notebook"))
MANY = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
lines = st.lists(st.text(alphabet="ab <>/{}%注\t", max_size=12), max_size=8)


def page_of(folder: Path, target: str) -> Page:
    return Page(folder / f"page{embeds.load(target).ENDINGS[0]}")


@pytest.mark.parametrize("target", TEXTS)
def test_what_stands_around_the_video_keeps_every_byte(target, written, tmp_path):
    tool, page = embeds.load(target), page_of(written.asset.video.parent, target)

    @MANY
    @given(before=lines, after=lines, line_end=st.sampled_from(["\n", "\r\n"]), closed=st.booleans())
    def check(before, after, line_end, closed):
        head = "".join(line + line_end for line in before)
        first = tool.put(head.encode(), written, page)
        assert first.startswith(head.encode())
        tail = line_end + line_end.join(after) + (line_end if closed else "")
        document = first + tail.encode()
        assert tool.put(document, written, page) == document
        other = replace(written, asset=replace(written.asset, prompt="another sentence"))
        changed = tool.put(document, other, page)
        assert changed.startswith(head.encode())
        assert changed.endswith(tail.encode())
        assert b"another sentence" in changed
        assert b"a blue creature" not in changed
        if line_end == "\r\n" and before:
            assert not re.search(rb"(?<!\r)\n", first)
        assert tool.put(changed, written, page) == document

    check()


def test_a_first_video_goes_where_a_reader_looks(written, tmp_path):
    html = b"<html><body><main>\n<p>One.</p>\n  </main>\n</body></html>\n"
    made = embeds.load("html").put(html, written, page_of(tmp_path, "html"))
    assert made.startswith(b"<html><body><main>\n<p>One.</p>\n<!-- attention-video qkv -->\n")
    assert made.endswith(b"<!-- end of attention-video qkv -->\n  </main>\n</body></html>\n")
    deck = b'<div class="slides">\n<section>One</section>\n</div>\n'
    made = embeds.load("reveal").put(deck, written, page_of(tmp_path, "reveal"))
    assert made.startswith(b'<div class="slides">\n<section>One</section>\n<!-- attention-video qkv -->\n<section ')
    assert made.endswith(b"</section>\n<!-- end of attention-video qkv -->\n</div>\n")
    tex = b"\\begin{document}\n\\end{document}\n"
    made = embeds.load("beamer").put(tex, written, page_of(written.asset.video.parent, "beamer"))
    assert made.endswith(b"% end of attention-video qkv\n\\end{document}\n")


def test_marks_that_are_further_in_keep_their_place(written, tmp_path):
    document = "x\n\t<!-- attention-video qkv -->\n\t<!-- end of attention-video qkv -->\ny"
    made = _marks.put_text(document, "<p>\n\n</p>", name="qkv", marks=_marks.HTML, where="page")
    inner = "\t<!-- attention-video qkv -->\n\t<p>\n\n\t</p>\n\t<!-- end of attention-video qkv -->"
    assert made == f"x\n{inner}\ny"


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("<!-- attention-video qkv -->\n", "page line 1: after it '<!-- end of attention-video qkv -->' is missing"),
        ("a\n<!-- end of attention-video qkv -->", "page line 2: before it '<!-- attention-video qkv -->' is missing"),
        (
            "<!-- attention-video qkv -->\n<!-- attention-video qkv -->\n<!-- end of attention-video qkv -->",
            "page line 2: before it",
        ),
        (
            "<!-- attention-video qkv -->\n<!-- attention-video b -->\nx\n<!-- end of attention-video b -->\n"
            "<!-- end of attention-video qkv -->",
            "page line 2: another asset stands between the marks of this one; move it out of them",
        ),
    ],
)
def test_half_a_pair_of_marks_is_refused(document, said):
    with pytest.raises(InputError, match=re.escape(said)):
        _marks.put_text(document, "x", name="qkv", marks=_marks.HTML, where="page")


CODE = "# A\n\n```html\n<!-- attention-video qkv -->\n<!-- end of attention-video qkv -->\n```\n"


@pytest.mark.parametrize(
    "code",
    [
        CODE,
        CODE.replace("```", "~~~~"),
        CODE.replace("\n", "\n> ").rstrip("> ") + "\n",
        "1. ```\n   <!-- attention-video qkv -->\n   ```\n",
        CODE.replace("```html", "```{code-block} html"),
    ],
)
def test_marks_in_code_are_text(code, written, tmp_path):
    tool, page = embeds.load("markdown"), page_of(tmp_path, "markdown")
    made = tool.put(code.encode(), written, page)
    assert made.startswith(code.encode())
    assert made.count(b"<figure") == 1
    assert tool.put(made, written, page) == made


def test_marks_in_a_directive_of_myst_are_marks(written):
    tool, page = embeds.load("myst"), page_of(written.asset.video.parent, "myst")
    document = b"`````{tip}\n% attention-video qkv\n% end of attention-video qkv\n`````\n"
    made = tool.put(document, written, page)
    assert made.startswith(b"`````{tip}\n% attention-video qkv\n````{only} html\n")
    assert made.endswith(b"% end of attention-video qkv\n`````\n")


@pytest.mark.parametrize(
    "target", ["markdown", "myst", "quarto", "hugo", "docusaurus", "vitepress", "mkdocs", "docsify"]
)
def test_nothing_is_put_into_code_that_has_no_end(target, written):
    tool, page = embeds.load(target), page_of(written.asset.video.parent, target)
    with pytest.raises(InputError, match=r"page\.\w+ line 3: its code block has no end; end it with a line ~~~$"):
        tool.put(b"A\n\n~~~\n```\n", written, page)
    assert tool.put(b"A\n\n```x``` is code\n", written, page)


def test_a_name_cannot_end_its_own_comment():
    for name in ("--> <script>", "a */} b", "x\ny", "`$("):
        for line in _marks.HTML.around("", name) + _marks.MARKDOWN.around("", name):
            assert re.fullmatch(r"(<!-- [\w%. ~-]+ -->)?", line)


def test_a_page_is_replaced_whole_with_its_rights_and_its_link(written, tmp_path):
    real = tmp_path / "real.md"
    real.write_bytes(b"# One\n")
    real.chmod(0o640)
    link = tmp_path / "page.md"
    link.symlink_to(real)
    place(embeds.load("markdown"), written, Page(link), name="markdown")
    assert link.is_symlink()
    assert b"attention-video qkv" in real.read_bytes()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    before = os.stat(real)
    place(embeds.load("markdown"), written, Page(link), name="markdown")
    assert (os.stat(real).st_mtime_ns, os.stat(real).st_ino) == (before.st_mtime_ns, before.st_ino)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.md", "real.md"]


@pytest.mark.parametrize(
    ("file", "data", "said"),
    [
        ("none.md", None, "there is no such file"),
        ("page.txt", b"", "markdown pages end in .md"),
        ("page.md", b"\xff\xfe", "no UTF-8 text"),
    ],
)
def test_a_page_that_cannot_be_is_refused_and_left_alone(file, data, said, written, tmp_path):
    if data is not None:
        (tmp_path / file).write_bytes(data)
    with pytest.raises(InputError, match=said):
        place(embeds.load("markdown"), written, Page(tmp_path / file), name="markdown")
    assert not data or (tmp_path / file).read_bytes() == data


def test_a_notebook_keeps_every_other_byte(written, tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="no nbformat: sh tests/tools.sh installs it")
    tool, page = embeds.load("notebook"), page_of(tmp_path, "notebook")
    cell = '  {\n   "cell_type": "code",\n   "execution_count": 1,\n   "id": "aa",\n   "metadata": {},\n'
    cell += '   "outputs": [],\n   "source": [\n    "1 +  1 # \\u00e9é"\n   ]\n  }'
    tail = '\n ],\n "metadata": {"x":[1,2 ]},\n "nbformat": 4,\n "nbformat_minor": 5\n}\n'
    document = f'{{\n "cells": [\n{cell}{tail}'.encode()
    made = tool.put(document, written, page)
    assert made.startswith(document[: document.index(b"\n ],")])
    assert made.endswith(tail.encode())
    nbformat.validate(nbformat.reads(made.decode(), as_version=4))
    assert tool.put(made, written, page) == made
    moved = made.replace(b'"source": [\n    "from IPython', b'"source": [\n    "# mine\\n", "from IPython')
    assert moved != made
    assert tool.put(moved, written, page) == made
    ran = made.replace(b'"execution_count": null', b'"execution_count": 7')
    assert ran != made
    assert tool.put(ran, written, page) == ran
    new = tool.put(None, written, page)
    nbformat.validate(nbformat.reads(new.decode(), as_version=4))
    assert json.loads(new)["cells"][0]["metadata"]["attention-video"] == "qkv"
    for bad in (b"", b"[]", b'{"nbformat": 3}', b'{"nbformat": 4}', b"\xff", b"[" * 100_000):
        with pytest.raises(InputError):
            tool.put(bad, written, page)
    cells = ('"cells": [7]', '"cells": [{"metadata": 3}]', '"cells": {}', '"cells": [], "nbformat_minor": null')
    for part in cells:
        with pytest.raises(InputError, match="no notebook of format 4"):
            tool.put(f'{{"nbformat": 4, {part}}}'.encode(), written, page)


def test_a_notebook_with_a_byte_order_mark_is_told_how_to_lose_it(written, tmp_path):
    tool, page = embeds.load("notebook"), Page(tmp_path / "it's a 课 $(x).ipynb")
    text = tool.put(None, written, page)
    page.file.write_bytes(b"\xef\xbb\xbf" + text)
    with pytest.raises(
        InputError, match="begins with a byte order mark, which no notebook may have; take it off: "
    ) as no:
        place(tool, written, page, name="notebook")
    command = str(no.value).partition("take it off: ")[2]
    subprocess.run(command.replace("python", sys.executable, 1), shell=True, check=True, timeout=60)
    assert page.file.read_bytes() == text
    place(tool, written, page, name="notebook")


def test_a_deck_has_the_video_its_captions_chapters_and_text(shown, tmp_path):
    from pptx import Presentation

    tool, page, asset = embeds.load("pptx"), page_of(tmp_path, "pptx"), shown.asset
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_textbox(0, 0, 9, 9).text_frame.text = "mine"
    file = BytesIO()
    deck.save(file)
    made = tool.put(file.getvalue(), shown, page)
    slides = Presentation(BytesIO(made)).slides
    assert slides[0].shapes[0].text_frame.text == "mine"
    [movie] = (shape for shape in slides[1].shapes if shape.name == f"attention-video {asset.name}")
    assert slides[1].shapes.title.text == asset.title
    assert movie.width / movie.height == pytest.approx(asset.width / asset.height, rel=1e-3)
    assert movie._element.nvPicPr.cNvPr.get("descr") == f"{asset.label}. {asset.still}"
    assert movie.poster_frame.blob == asset.poster.read_bytes()
    xml = movie._element.xpath("string(.)"), movie._element
    names = [each.get("name") for each in xml[1].iter() if str(each.tag).endswith("}bmk")]
    assert names == [f"{each.clock} {each.title}" for each in asset.chapters]
    times = [float(each.get("time")) / 1000 for each in xml[1].iter() if str(each.tag).endswith("}bmk")]
    assert times == pytest.approx([each.start for each in asset.chapters], abs=0.001)
    tracks = [each for each in xml[1].iter() if str(each.tag).endswith("}track")]
    relation = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed"
    files = [slides[1].part.related_part(each.get(relation)) for each in tracks]
    assert [each.get("lang") for each in tracks] == ["en-US", "zh-CN"]
    assert [each.blob for each in files] == [track.path.read_bytes() for track in asset.tracks]
    assert {each.content_type for each in files} == {"text/vtt"}
    starts = [each.get("delay") for each in slides[1]._element.iter() if str(each.tag).endswith("}cond")]
    assert starts == ["indefinite"]
    notes = slides[1].notes_slide.notes_text_frame.text
    assert all(each.seen in notes and each.title in notes for each in asset.chapters)
    assert tool.put(made, shown, page) == made


def test_a_deck_keeps_what_its_author_changed(shown, tmp_path):
    from pptx import Presentation

    tool, page = embeds.load("pptx"), page_of(tmp_path, "pptx")
    deck = Presentation(BytesIO(tool.put(None, shown, page)))
    [slide] = deck.slides
    movie = slide.shapes[1]
    movie.left, movie.top, movie.width, movie.height = 11, 22, 3300, 4400
    slide.shapes.title.text = "My title"
    slide.notes_slide.notes_text_frame.text = "Say hello.\n" + slide.notes_slide.notes_text_frame.text
    file = BytesIO()
    deck.save(file)
    before = file.getvalue()
    assert tool.put(before, shown, page) == before
    twin = replace(shown, asset=replace(shown.twin, name=shown.asset.name, prompt="another"), twin=None)
    [again] = Presentation(BytesIO(tool.put(before, twin, page))).slides
    movie = again.shapes[1]
    assert (movie.left, movie.top, movie.width, movie.height) == (11, 22, 3300, 4400)
    assert again.shapes.title.text == "My title"
    assert again.notes_slide.notes_text_frame.text.startswith("Say hello.\n[attention-video")
    assert movie.poster_frame.blob == twin.asset.poster.read_bytes()
    with zipfile.ZipFile(BytesIO(tool.put(before, twin, page))) as parts:
        media = [parts.read(name) for name in parts.namelist() if name.endswith(".mp4")]
    assert media == [twin.asset.video.read_bytes()]


def zipped(name: str, data: str) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as parts:
        parts.writestr(name, data)
    return file.getvalue()


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04", b"text", zipped("a.txt", "text"), zipped("[Content_Types].xml", "<no xml")]
)
def test_what_is_no_deck_is_refused(data, shown, tmp_path):
    with pytest.raises(InputError, match="no PowerPoint deck"):
        embeds.load("pptx").put(data, shown, page_of(tmp_path, "pptx"))
