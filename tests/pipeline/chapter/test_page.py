"""A page of HTML: its fonts, its list of parts, its notes, and formulas that keep their marks."""

from __future__ import annotations

import base64
import html
import io
import re

import pytest
from fontTools.ttLib import TTFont

from pipeline.chapter.code import code_html
from pipeline.chapter.page import html_page

TEXT = """# A *small* page

Shares: ≈ 0.5 → “one”[^1], and $d_k$, too; $$a = b$$

## One

## Two $x^2$

## Two [linked](#one)

[^1]: A note with **bold** words.
"""
CHINESE = "# 注意力\n\n“生物”只有 ≈0，𠀀。\n"


def page(text: str = TEXT, language: str = "en") -> str:
    return html_page(text, title="", language=language, name="page")


def faces(made: str) -> dict[tuple[str, str], TTFont]:
    """The fonts inside a page, by family and weight."""
    form = r'font-family: "([^"]+)"; font-weight: (\d+); src: url\(data:font/woff;base64,([^)]+)\)'
    return {
        (family, weight): TTFont(io.BytesIO(base64.b64decode(data))) for family, weight, data in re.findall(form, made)
    }


@pytest.mark.parametrize(("text", "language"), [(TEXT, "en"), (CHINESE, "zh")])
def test_every_character_has_a_face_and_no_face_has_more(text, language):
    made = page(text, language)
    body = re.sub(r"<math.*?</math>|<[^>]*>", "", made.partition("<body>")[2], flags=re.DOTALL)
    wanted = set(html.unescape(body)) - set("\n𠀀")
    known = [set(map(chr, font.getBestCmap())) for (_, weight), font in faces(made).items() if weight == "400"]
    assert set.union(*known) == wanted
    assert sum(map(len, known)) == len(wanted)


def test_chinese_marks_are_chinese_and_signs_are_not():
    made = faces(page(CHINESE, "zh"))
    known = {family: set(map(chr, font.getBestCmap())) for (family, weight), font in made.items() if weight == "400"}
    assert "“" in known["Chapter NotoSansSC"]
    assert known["Chapter NotoSansMath"] == {"≈"}
    assert known["Chapter NotoSans"] >= set("0")


def test_bold_has_the_bold_characters_only():
    bold = faces(page())["Chapter NotoSans", "600"]
    assert set(map(chr, bold.getBestCmap())) == set("A small pageOneTwo linkedbold")


def test_a_page_is_the_same_every_time():
    assert page() == page()


def test_the_parts_are_listed_as_they_are_written():
    [listed] = re.findall(r'<nav class="contents" aria-label="Contents">.*?</nav>', page(), re.DOTALL)
    links = re.findall(r'<a href="#([^"]*)">(.*?)</a></li>', listed)
    assert [name for name, _ in links] == ["one", "two-x-2", "two-linked"]
    assert [re.sub(r"<.*?>", "", words) for _, words in links] == ["One", "Two x2", "Two linked"]
    assert "<math" in links[1][1]
    assert page().index("<nav") < page().index("<h2")
    assert "<nav" not in page("# A\n\n## One\n\n## Two\n")
    assert 'aria-label="目录"' in page(TEXT, "zh")


CODE = 'def f(x):  # half <of> it\n    """One & two\n    lines"""\n    return x / 2.5 if x else None\n'


def test_python_is_told_apart_and_keeps_every_sign():
    made = code_html(CODE, language="python")
    assert html.unescape(re.sub(r"</?span[^>]*>", "", made)) == CODE
    spans = re.findall(r'<span class="(\w+)">(.*?)</span>', made, re.DOTALL)
    assert [kind for kind, _ in spans] == [
        *("keyword", "comment", "string", "keyword", "number"),
        *("keyword", "keyword", "keyword"),
    ]
    assert dict(spans)["comment"] == "# half &lt;of&gt; it"
    assert 'class="keyword">def</span>' in page(f"# A\n\n```python\n{CODE}```\n")


@pytest.mark.parametrize(
    "broken", ["x = (1,\n", '"""', "if x:\n    a\n  b\n", "$ pip <x>\n", "\x00", "a\r\nb = 1\n", ""]
)
def test_what_is_no_whole_python_stays_as_it_is_written(broken):
    made = code_html(broken, language="python")
    assert html.unescape(re.sub(r"</?span[^>]*>", "", made)) == broken
    assert code_html(CODE, language="text") == html.escape(CODE)


def test_notes_lead_there_and_back():
    made = page()
    assert '<a href="#fn1" id="fnref1">' in made
    assert '<section class="notes" aria-label="Notes">' in made
    assert re.search(r'<li id="fn1".*?<a href="#fnref1" aria-label="Back to the text">↩</a>', made, re.DOTALL)


def test_a_formula_and_the_mark_after_it_stay_together():
    assert re.search(r'<span class="closed"><span class="math inline"><math.*?</math></span>,</span> too', page())
    assert re.search(r"</math></span>。</span>", page("# A\n\n是 $d_k$。\n", "zh"))
    assert "closed" not in page("# A\n\nwith $d_k$ and\n").partition("<body>")[2]
