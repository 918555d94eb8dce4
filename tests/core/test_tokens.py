"""Text to tokens, in both languages."""

import json

import pytest

from transformer_core.errors import InputError
from transformer_core.tokens import WordTokenizer

TOKENS = WordTokenizer(
    (
        "<end>",
        "a",
        "fluffy",
        "blue",
        "creature",
        "don't",
        ".",
        ",",
        "。",
        "蓬松",
        "的",
        "蓝色",
        "生物",
        "蓝",
        "色彩",
        "一",
        "一只",
    )
)


def test_a_very_long_word_is_refused_at_once_and_shown_in_part():
    with pytest.raises(InputError) as caught:
        TOKENS.words("blue" * 100_000)
    assert str(caught.value) == (
        f"word '{'blue' * 10}…': the model does not know it; the nearest word it knows is 'blue'"
    )


def test_the_nearest_word_is_of_the_same_script():
    assert TOKENS.nearest("龙") in TOKENS.vocabulary[9:]
    assert TOKENS.nearest("zebra") in TOKENS.vocabulary[1:6]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a fluffy blue creature", "a fluffy blue creature"),
        ("  A Fluffy,BLUE\n creature. ", "a fluffy , blue creature ."),
        ("蓬松的蓝色生物", "蓬松 的 蓝色 生物"),
        ("一只 蓬松 的生物。", "一只 蓬松 的 生物 。"),
        ("蓝色彩", "蓝 色彩"),
        ("a 蓝生物", "a 蓝 生物"),
        ("don't <end>", "don't <end>"),
    ],
    ids=[
        "words",
        "case and marks",
        "longest match",
        "spaces",
        "search where the longest is wrong",
        "mixed",
        "special",
    ],
)
def test_words(text, words):
    assert TOKENS.words(text) == tuple(words.split())
    assert TOKENS.labels(TOKENS.encode(text)) == tuple(words.split())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "prompt: it is empty; type at least one word"),
        (" \n ", "prompt: it is empty; type at least one word"),
        (
            "a flufy creature",
            "word 'flufy': the model does not know it; the nearest word it knows is 'fluffy'",
        ),
        (
            "a creatures",
            "word 'creatures': the model does not know it; the nearest word it knows is 'creature'",
        ),
        ("蓬松的动物", "word '动物': the model does not know it; the nearest word it knows is '生物'"),
        ("a!", "word '!': the model does not know it; the nearest word it knows is '.'"),
        (
            "森林动物的生物",
            "word '森林动物': the model does not know it; the nearest word it knows is '生物'",
        ),
    ],
)
def test_what_cannot_be_read(text, message):
    with pytest.raises(InputError) as caught:
        TOKENS.words(text)
    assert str(caught.value) == message


def test_id_of_one_word():
    assert TOKENS.id_of("Blue") == 3
    with pytest.raises(InputError, match="the nearest word it knows is 'blue'"):
        TOKENS.id_of("bleu")


def test_saving_and_loading(tmp_path):
    TOKENS.save(tmp_path / "vocabulary.json")
    again = WordTokenizer.load(tmp_path / "vocabulary.json")
    assert again == TOKENS
    assert again.hash == TOKENS.hash
    assert len(TOKENS.hash) == 64
    assert WordTokenizer(TOKENS.vocabulary[::-1]).hash != TOKENS.hash


@pytest.mark.parametrize("data", ["{}", "[]", "[1]", "no json", '["a", "a"]', '["a", ""]'])
def test_a_bad_vocabulary_file(tmp_path, data):
    path = tmp_path / "vocabulary.json"
    path.write_text(data, encoding="utf-8")
    with pytest.raises(InputError):
        WordTokenizer.load(path)


def test_the_file_is_a_plain_list(tmp_path):
    TOKENS.save(tmp_path / "vocabulary.json")
    assert json.loads((tmp_path / "vocabulary.json").read_text(encoding="utf-8")) == list(TOKENS.vocabulary)
