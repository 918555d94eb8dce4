"""The grammar of `{{ … }}`: what is read, what is left as text, what is refused with file and line."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.chapter.directive import KINDS, Directive, directives, parse
from pipeline.chapter.source import read_chapter
from tests.pipeline.embeds.hostile import TRICKS
from transformer_core.errors import InputError


def one(text: str) -> Directive:
    [found] = directives(text, name="c.md")
    return found


def test_words_and_options_are_read():
    found = one('A\n\n{{ video qkv prompt="a \\"blue\\" \\\\ creature}}" head=2 }} b')
    assert (found.kind, found.words, found.line) == ("video", ("qkv",), 3)
    assert dict(found.options) == {"prompt": 'a "blue" \\ creature}}', "head": "2"}


def test_tight_braces_and_several_lines_are_read():
    assert one("{{number qkv.pattern\n  key=blue}}").options == {"key": "blue"}


@pytest.mark.parametrize(
    "text",
    [
        "`{{ video qkv }}`",
        "```\n{{ video qkv }}\n```",
        "~~~~ python\n{{ video qkv }}\n~~~\n{{ figure x }}\n~~~~",
        "<!-- {{ video qkv }} -->",
        "\\{{ video qkv }}",
        "{{< video qkv >}} {{% video %}} {{ page.title }} {{ $frontmatter }}",
        "$\\frac{{a}}{{b}}$ costs {{x}}",
        "``` \n{{ video qkv }}",
        "1. ```\n   {{ video qkv }}\n   ```",
        "> ```\n> {{ video qkv }}\n> ```",
    ],
)
def test_code_comments_and_other_tools_braces_are_text(text):
    assert directives(text, name="c.md") == ()


def test_a_line_of_code_is_no_fence():
    assert one("```x``` is code\n\n{{ video qkv }}\n\n> ```\n> a\n").kind == "video"
    assert one("1. ```\n   x\n   ```\n\n{{ video qkv }}").line == 5


def test_dollars_that_are_money_hide_nothing():
    assert one("It costs $5, {{ number qkv.pattern }} or $6.").kind == "number"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x\n{{ vidoe qkv }}", "c.md line 2: 'vidoe': there is no such directive; did you mean 'video'?"),
        ("{{ video qkv", "it has no end"),
        ('{{ video qkv prompt="a }}', "cannot be read"),
        ("{{ video qkv head=1 head=2 }}", "it is given twice"),
        ("{{ video head=1 qkv }}", "a word stands after the options"),
        ("{{ video qkv prompt=“a” }}", 'write "straight" ones'),
        ('{{ video qkv prompt="a\nb" }}', "not on one line"),
        ("so $a = {{ number qkv.pattern }}$", "inside a formula"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line_with_its_place(text, said):
    with pytest.raises(InputError) as refused:
        directives(text, name="c.md")
    assert str(refused.value).startswith("c.md line ")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


texts = st.one_of(
    st.sampled_from(TRICKS), st.text(st.characters(exclude_categories=["Cc", "Zl", "Zp", "Cs"]), max_size=300)
).filter(lambda text: "\n" not in text)


@given(st.sampled_from(KINDS), texts, texts)
@example("video", "“a”", "»")
def test_any_text_comes_through_as_it_was(kind, word, value):
    written = Directive(kind, (word,), {"prompt": value}).source
    found = parse(written, name="c.md", line=1)
    assert (found.kind, found.words, found.options) == (kind, (word,), {"prompt": value})


@given(
    st.text(max_size=200) | st.lists(st.sampled_from(["{{", "}}", " video", '"', "`", "$", "\n", "a="])).map("".join)
)
def test_no_text_breaks_the_reader(text):
    try:
        found = directives(text, name="c.md")
    except InputError:
        return
    assert all(text[each.start : each.stop].startswith("{{") for each in found)


def test_what_holds_for_all_is_under_what_one_says(tmp_path):
    path = tmp_path / "c.md"
    path.write_text(
        "{{ chapter lang=zh quality=low title=T }}\n\n{{ video qkv quality=high }}\n\n{{ figure qkv:mix }}\n"
    )
    chapter = read_chapter(path, asked={"quality": "draft"})
    assert [dict(each.options) for each in chapter.directives[1:]] == [{"lang": "zh", "quality": "draft"}] * 2
    assert [each.options["quality"] for each in read_chapter(path).directives[1:]] == ["high", "low"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ video }}", "it does not say of what"),
        ("{{ video qkv promt=a }}", "did you mean 'prompt'?"),
        ("{{ video qkv }}\n\n{{ chapter lang=zh }}", "it stands first"),
        ("{{ chapter qkv }}", "it stands first and has options only"),
        ("{{ chapter prompt=a }}", "chapter has no such option"),
    ],
)
def test_options_that_there_are_not_are_refused(text, said, tmp_path):
    path = tmp_path / "c.md"
    path.write_text(text)
    with pytest.raises(InputError, match=r"^c\.md line ") as refused:
        read_chapter(path)
    assert said in str(refused.value)
