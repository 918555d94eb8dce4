"""What a model is trained on: sentences of known words, with how much each next word counts in the loss."""

import re
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from transformer_core.errors import InputError
from transformer_core.tokens import WordTokenizer
from transformer_core.training import lexicon
from transformer_core.training.grammar import Sentence, draw_sentence, is_least, name_in_turn
from transformer_core.training.lexicon import CHINESE, ENGLISH

TRAINING_SEED = 1
HELD_OUT_SEED = 2
HELD_OUT_SHARE = 10
"""One noun phrase in this many never occurs in training."""
NOUN_COUNTS = 10.0
"""How many times the word after a noun with adjectives counts in the loss: it is what the head is for."""
NAME_COUNTS = 3.0
"""How many times a teacher's name counts: few sentences have one, and its probability is shown."""
_SURNAMES = {name for word in lexicon.SURNAMES for name in (word.en, word.zh)}
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Corpus:
    """`sentences[n]` are words; `counts[n][p]` is how much the word after position p counts."""

    vocabulary: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]
    counts: tuple[tuple[float, ...], ...]
    source: str = "grammar"


def is_held_out(adjectives: tuple[str, ...], noun: str) -> bool:
    """Whether this noun with these adjectives, in any order, is kept out of the training corpus."""
    phrase = " ".join((*sorted(adjectives), noun))
    return bool(adjectives) and zlib.crc32(phrase.encode()) % HELD_OUT_SHARE == 0


def grammar_corpus(count: int) -> Corpus:
    """`count` sentences of the grammar without any held-out noun phrase. The same ones every time."""
    random, kept = Random(TRAINING_SEED), []
    while len(kept) < count:
        sentence = draw_sentence(random)
        if not any(_held_out(sentence, place) for place in range(len(sentence.phrases))):
            kept.append(sentence)
    return Corpus(
        vocabulary=lexicon.vocabulary(),
        sentences=_names_dealt([sentence.words for sentence in kept]),
        counts=tuple(_counts(sentence) for sentence in kept),
    )


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A sentence with an asked noun phrase that training never had, after another with other adjectives."""

    sentence: Sentence
    asked: int
    other: int


def held_out_sentences(count: int) -> tuple[HeldOut, ...]:
    """`count` sentences whose second noun phrase is held out and whose first has none of its adjectives."""
    random, found = Random(HELD_OUT_SEED), []
    while len(found) < count:
        sentence = draw_sentence(random)
        if len(sentence.phrases) != 2 or not _held_out(sentence, 1):
            continue
        first, second = (set(sentence.wording(phrase)[1]) for phrase in sentence.phrases)
        if first and not first & second:
            found.append(HeldOut(sentence, asked=1, other=0))
    return tuple(found)


def corpus_of_file(path: Path, *, context_length: int) -> Corpus:
    """A lecturer's own sentences, one a line, Chinese with spaces between words; the vocabulary is theirs.

    Raises InputError, naming the line, for a file that cannot be read, has no sentence, has a sentence of one
    word or one that is too long, and for Chinese without spaces.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(str(path), "it is not UTF-8 text", "save it as UTF-8") from None
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})", "give a text file") from None
    sentences = []
    for number, line in enumerate(text.lower().splitlines(), start=1):
        words = tuple(re.findall(r"[^\W_]+(?:['’-][^\W_]+)*|[^\s]", line))
        if not words:
            continue
        where = f"{path} line {number}"
        if len(words) < 2:
            raise InputError(where, "one word alone teaches no next word", "write a sentence")
        if len(words) > context_length:
            raise InputError(where, f"{len(words)} words, at most {context_length} fit", "write a shorter sentence")
        stuck = next((word for word in words if len(word) > 8 and "\u4e00" <= word[0] <= "\u9fff"), None)
        if stuck is not None or max(map(len, words)) > _LONGEST:
            raise InputError(where, "words that run together", "put a space between any two words")
        sentences.append(words)
    if not sentences:
        raise InputError(str(path), "there is no sentence in it", "write one sentence a line")
    vocabulary = tuple(sorted({word for words in sentences for word in words}))
    WordTokenizer(vocabulary)
    return Corpus(
        vocabulary=vocabulary,
        sentences=tuple(sentences),
        counts=tuple((1.0,) * len(words) for words in sentences),
        source=path.name,
    )


def _names_dealt(sentences: list[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """The same sentences, the teachers' names dealt evenly instead of drawn.

    Drawn names would leave 0.78 ± 0.02 after each beginning, and the model would learn that.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    dealt = []
    for words in sentences:
        place = next((place for place, word in enumerate(words) if word in _SURNAMES), None)
        if place is not None:
            beginning = words[:place]
            language = ENGLISH if words[place].isascii() else CHINESE
            name = name_in_turn(seen[beginning], least=is_least(beginning)).in_language(language)
            seen[beginning] += 1
            words = (*beginning, name, *words[place + 1 :])
        dealt.append(words)
    return tuple(dealt)


def _held_out(sentence: Sentence, place: int) -> bool:
    noun, adjectives = sentence.wording(sentence.phrases[place])
    return is_held_out(adjectives, noun)


def _counts(sentence: Sentence) -> tuple[float, ...]:
    counts = [1.0] * len(sentence.words)
    for phrase in sentence.phrases:
        if phrase.adjectives:
            counts[phrase.noun] = NOUN_COUNTS
    for place, word in enumerate(sentence.words):
        if word in _SURNAMES:
            counts[place - 1] = NAME_COUNTS
    return tuple(counts)
