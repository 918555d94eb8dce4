"""The transcript of a ledger: its structure, and that no token of it becomes markup."""

import html5lib
import pytest
from markdown_it import MarkdownIt

from pipeline.publish.sentences._speech import quoted
from pipeline.publish.transcript import transcript, transcripts
from tests.pipeline.embeds.hostile import TRICKS
from tests.pipeline.small_ledger import PATTERN, cell, drawn, number, small_ledger

LANGUAGES = ("en", "zh")
TAGS = {"DOCUMENT_FRAGMENT", "h1", "h2", "p", "em", "ul", "li", "code", "table", "thead", "tbody", "tr", "th", "td"}
WEIGHTS = [number("0.53", cell(PATTERN, head=0, query=3, key=1)), number("0.06", cell(PATTERN, head=0, query=3, key=0))]
LEARNED = [number("0.25", cell("blocks.0.attn.W_Q", head=0, d_model=entry, d_head=0)) for entry in range(5)]


def page(data, language):
    """The transcript as a browser has it."""
    read = (
        MarkdownIt("commonmark")
        .enable(["strikethrough", "table"])
        .render(transcript(data, language=language, ledger="x"))
    )
    return html5lib.parseFragment(read, namespaceHTMLElements=False)


def text_of(tree, tag):
    return [" ".join("".join(each.itertext()).split()) for each in tree.iter(tag)]


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            [
                "Captions: One. Two.",
                "On screen: A grid.",
                "The numbers:",
                "Not written out here: 5 of W_Q. Drawn without digits: 1 as the area of a dot.",
            ],
        ),
        (
            "zh",
            [
                "字幕：一。一。",
                "画面：一个网格。",
                "数值：",
                "没有在这里逐个写出：W_Q 的 5 个数。只画出、不写数字的：用点的面积 1 个。",
            ],
        ),
    ],
)
def test_a_beat_is_its_captions_its_picture_and_its_numbers(language, lines):
    data = small_ledger(*WEIGHTS, *LEARNED, encodings=(drawn(0.1, cell(PATTERN, head=0, query=1, key=0)),))
    tree = page(data, language)
    assert text_of(tree, "h1") == [data["titles"][language]]
    assert text_of(tree, "h2") == [f"1:01 {data['beats'][0]['titles'][language]}"]
    assert [line for line in text_of(tree, "p") if line] == lines
    assert text_of(tree, "code") == ["00ff", "x"]
    assert "0.53" in text_of(tree, "li")[4]


def test_there_is_one_for_each_language_in_which_all_is_said():
    data = small_ledger()
    assert list(transcripts(data, ledger="x")) == [".en.transcript.md", ".zh.transcript.md"]
    del data["beats"][0]["captions"]["zh"]
    assert list(transcripts(data, ledger="x")) == [".en.transcript.md"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("trick", [*TRICKS, "a|b", "*", "`", "``", "- x", "1. x", "\u202egnp.exe", "\u2067x", "שלום"])
def test_tokens_are_text_in_sentences_and_tables(trick, language):
    tokens = (trick, trick + "!", "blue", "creature")
    scores = [
        number("0.25", cell("blocks.0.attn.scores", head=0, query=query, key=key))
        for query in range(4)
        for key in range(4)
    ]
    tree = page(small_ledger(*WEIGHTS, *scores, tokens=tokens), language)
    assert {each.tag for each in tree.iter()} <= TAGS
    named = " ".join(quoted(trick).split())
    assert sum(text.startswith(named) for text in text_of(tree, "td")) == 1
    assert sum(text == named for text in text_of(tree, "th")) == 1
    assert any(named in text for text in text_of(tree, "li"))
    assert [len(list(row)) for row in tree.iter("tr")] == [5] * 5


def test_marks_of_direction_are_named_and_other_scripts_isolated():
    assert quoted("\u202egnp") == "“U+202Egnp”"
    assert quoted("שלום") == "“\u2068שלום\u2069”"
    assert quoted("a\u2069\u202eb") == "“aU+2069U+202Eb”"
    assert quoted("blue") == "“blue”"
