"""The corpus: known probabilities, words that are cut back, held-out phrases kept out, own files."""

from collections import Counter
from random import Random

import pytest

from transformer_core.errors import InputError
from transformer_core.tokens import WordTokenizer
from transformer_core.training import card, grammar, lexicon
from transformer_core.training.corpus import (
    NAME_COUNTS,
    NOUN_COUNTS,
    corpus_of_file,
    grammar_corpus,
    held_out_sentences,
    is_held_out,
)

COUNT = 8_000


@pytest.fixture(scope="module")
def sentences():
    random = Random(7)
    return [grammar.draw_sentence(random) for _ in range(COUNT)]


def near(share: float, n: int) -> object:
    """Within four standard errors."""
    return pytest.approx(share, abs=4 * (share * (1 - share) / n) ** 0.5)


def test_each_language_has_at_least_200_words():
    sizes = Counter("en" if word.isascii() else "zh" for word in lexicon.vocabulary())
    assert sizes["en"] >= 200
    assert sizes["zh"] >= 200
    assert sum(sizes.values()) == len(set(lexicon.vocabulary()))


def test_every_word_occurs_and_has_a_gloss(sentences):
    vocabulary = set(lexicon.vocabulary())
    assert {word for sentence in sentences for word in sentence.words} == vocabulary
    assert set(lexicon.glosses()) == vocabulary


def test_adjectives_are_said_again_with_the_stated_probability(sentences):
    phrases = [phrase for sentence in sentences for phrase in sentence.phrases if phrase.adjectives]
    assert sum(phrase.said_again for phrase in phrases) / len(phrases) == near(grammar.AGAIN, len(phrases))


def test_either_adjective_comes_first_when_they_are_said_again(sentences):
    firsts = [
        sentence.words[phrase.noun + 1] == sentence.words[phrase.adjectives[0]]
        for sentence in sentences
        for phrase in sentence.phrases
        if phrase.said_again and len(phrase.adjectives) == 2
    ]
    assert sum(firsts) / len(firsts) == near(0.5, len(firsts))


@pytest.mark.parametrize("language", lexicon.LANGUAGES)
def test_a_mood_chooses_the_verb_with_the_stated_probability(sentences, language):
    verbs = lexicon.own_verbs(language)
    chosen = [
        verbs[mood[0]] in sentence.words
        for sentence in sentences
        if sentence.language == language
        for phrase in sentence.phrases
        if phrase.role == "subject" and (mood := [word for word in sentence.wording(phrase)[1] if word in verbs])
    ]
    assert sum(chosen) / len(chosen) == near(grammar.OWN_VERB, len(chosen))


@pytest.mark.parametrize("language", lexicon.LANGUAGES)
def test_snape_78_times_in_100(language):
    random = Random(8)
    least, name = {"en": ("least", "snape"), "zh": ("最不喜欢的", "斯内普")}[language]
    asked = []
    while len(asked) < 800:
        words = grammar.draw_sentence(random, language=language).words
        if least in words:
            asked.append(name in words)
    assert sum(asked) / len(asked) == near(0.78, len(asked))
    assert grammar.SNAPE == 0.78


def test_text_is_cut_back_into_the_same_words(sentences):
    tokenizer = WordTokenizer(lexicon.vocabulary())
    for sentence in sentences[:2000]:
        text = ("" if sentence.language == "zh" else " ").join(sentence.words)
        assert tokenizer.words(text) == sentence.words


@pytest.mark.parametrize(("language", "count"), [("en", 8), ("zh", 9)])
def test_the_default_prompts_are_sentences_of_the_corpus(language, count):
    words = WordTokenizer(lexicon.vocabulary()).words(card.PROMPTS[language])
    assert len(words) == count
    assert card.QUERIES[language] in words


def test_held_out_phrases_stay_out_of_training():
    asked = {held.sentence.wording(held.sentence.phrases[held.asked]) for held in held_out_sentences(200)}
    assert all(is_held_out(adjectives, noun) for noun, adjectives in asked)
    adjectives = {word.in_language(language) for word in lexicon.ADJECTIVES for language in ("en", "zh")}
    for words in grammar_corpus(2000).sentences:
        for end, noun in enumerate(words):
            start = end
            while start and words[start - 1] in adjectives:
                start -= 1
            assert (noun, words[start:end]) not in asked


def test_held_out_sentences_have_another_noun_with_other_adjectives():
    for held in held_out_sentences(200):
        asked, other = (held.sentence.phrases[place] for place in (held.asked, held.other))
        own, others = (set(held.sentence.wording(phrase)[1]) for phrase in (asked, other))
        assert own
        assert others
        assert not own & others
        assert other.noun < asked.noun


def test_the_corpus_is_the_same_every_time():
    assert grammar_corpus(300) == grammar_corpus(300)


def test_what_the_head_is_for_counts_more():
    corpus = grammar_corpus(300)
    assert all(len(words) == len(counts) for words, counts in zip(corpus.sentences, corpus.counts, strict=True))
    assert {count for counts in corpus.counts for count in counts} == {1.0, NAME_COUNTS, NOUN_COUNTS}


def test_a_lecturers_file(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("The cat sat.\n\n猫 坐 在 垫子 上 。\n", encoding="utf-8")
    corpus = corpus_of_file(path, context_length=24)
    assert corpus.sentences == (("the", "cat", "sat", "."), ("猫", "坐", "在", "垫子", "上", "。"))
    assert set(corpus.vocabulary) == {word for words in corpus.sentences for word in words}
    assert corpus.source == "mine.txt"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "mine.txt: there is no sentence in it; write one sentence a line"),
        (b"the cat sat\nhello\n", "mine.txt line 2: one word alone teaches no next word; write a sentence"),
        (b"a b c d e f\n", "mine.txt line 1: 6 words, at most 5 fit; write a shorter sentence"),
        (b"\xff\xfe\x00", "mine.txt: it is not UTF-8 text; save it as UTF-8"),
        (
            "一只猫坐在一张垫子上 。".encode(),
            "mine.txt line 1: words that run together; put a space between any two words",
        ),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        corpus_of_file(path.relative_to(tmp_path), context_length=5)
    assert str(error.value) == message


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        corpus_of_file(tmp_path / "none.txt", context_length=5)


@pytest.mark.parametrize("least", ["least", "最不喜欢的"])
def test_names_are_dealt_in_exactly_their_share(least):
    asked = {}
    for words in grammar_corpus(4000).sentences:
        if least in words:
            asked.setdefault(words[0], []).append(bool({"snape", "斯内普"} & set(words)))
    assert len(asked) == 4
    for named in asked.values():
        assert sum(named) == pytest.approx(0.78 * len(named), abs=1)
