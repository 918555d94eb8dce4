"""What the models with 1 to 16 heads learn and are judged on: sentences of the grammar of relations, split in two.

How likely each sentence is follows from the grammar, so the loss of whoever knows the grammar is known too: no model
can be below it but by luck.
"""

import zlib
from collections.abc import Sequence
from math import log
from random import Random

from transformer_core.training import relations_corpus as grammar
from transformer_core.training.relations_corpus import TRAINING, Linked

HELD_OUT_SHARE = 10
"""One sentence in this many never occurs in training."""
SENTENCES, HELD_OUT_SENTENCES = 40_000, 2_000
_TRAINING_SEED, _HELD_OUT_SEED = 1, 3
_ONE = 0.5
"""P(a noun stands for one)."""


def is_held_out(words: Sequence[str]) -> bool:
    """Whether this very sentence is kept out of the training corpus."""
    return zlib.crc32(" ".join(words).encode()) % HELD_OUT_SHARE == 0


def training_sentences(count: int) -> list[Linked]:
    """`count` sentences of which none is held out. The same ones every time."""
    return _split(count, held_out=False, seed=_TRAINING_SEED)


def held_out_sentences(count: int) -> list[Linked]:
    """`count` sentences that training never has. The same ones every time."""
    return _split(count, held_out=True, seed=_HELD_OUT_SEED)


def floor(sentences: Sequence[Linked]) -> float:
    """−ln P(next word) of the grammar itself, averaged over every word of the sentences but the first; in nats."""
    total = sum(log(first_word(one.words[0])) - log(probability(one.words) / share_of_training()) for one in sentences)
    return total / predicted(sentences)


def predicted(sentences: Sequence[Linked]) -> int:
    """How many words are predicted: all but the first of each sentence."""
    return sum(len(one.words) - 1 for one in sentences)


def probability(words: Sequence[str]) -> float:
    """P(these words) in `relations_corpus.draw`, of all parts. Raises ValueError for what is no sentence of it."""
    reader = _Reader(words)
    nouns = [reader.phrase(choices=len(grammar.NOUNS))]
    if reader.take([form for form, _ in grammar.PREPOSITIONS], grammar.DISTRACTOR):
        nouns.append(reader.phrase(choices=len(grammar.NOUNS) - 1))
    subject, many = nouns[0]
    reader.take([pair[many][0] for pair in grammar.VERBS])
    reader.take([subject.home[0]], grammar.HOME)
    reader.take([form for form, _ in grammar.JOINTS])
    meant, meant_many = subject, many
    if len(nouns) == 2 and nouns[1][1] != many:
        pronoun = grammar.PRONOUNS[nouns[1][1]][0]
        if reader.take([pronoun], grammar.TO_DISTRACTOR):
            meant, meant_many = nouns[1]
        else:
            reader.take([grammar.PRONOUNS[many][0]])
    else:
        reader.take([grammar.PRONOUNS[many][0]])
    reader.take(meant.deeds(many=meant_many))
    reader.end()
    return reader.probability


def share_of_training() -> float:
    """P(a drawn sentence is of the part that training is drawn from)."""
    return sum(map(_stays, grammar.NOUNS)) / len(grammar.NOUNS)


def first_word(word: str) -> float:
    """P(the word begins a sentence), in the part that training is drawn from."""
    bare = (1 - _ONE) * grammar.BARE
    if word == grammar.ARTICLE[0]:
        return 1 - bare
    if word in _adjectives():
        return bare * grammar.MODIFIED / len(grammar.MODIFIERS)
    if word in {form for form, _ in grammar.ORIGINS}:
        return bare * (1 - grammar.MODIFIED) * grammar.ORIGIN / len(grammar.ORIGINS)
    noun = next(noun for noun in grammar.NOUNS if noun.form(many=True) == word)
    at_once = bare * (1 - grammar.MODIFIED) * (1 - grammar.ORIGIN) / len(grammar.NOUNS)
    return at_once * _stays(noun) / share_of_training()


def _split(count: int, *, held_out: bool, seed: int) -> list[Linked]:
    random, found = Random(seed), []
    while len(found) < count:
        sentence = grammar.draw(random)
        if sentence.part == TRAINING and is_held_out(sentence.words) == held_out:
            found.append(sentence)
    return found


def _adjectives() -> dict[str, str]:
    return {adjective: participle for (adjective, _), (participle, _) in grammar.MODIFIERS}


def _stays(subject: grammar.Noun) -> float:
    """P(of the part that training is drawn from), given the subject."""
    others = [noun for noun in grammar.NOUNS if noun != subject]
    allowed = sum(grammar.part_of(subject, other) == TRAINING for other in others) / len(others)
    return 1 - grammar.DISTRACTOR + grammar.DISTRACTOR * allowed


class _Reader:
    """Goes through the words in the order in which they were drawn, with the probability of what was drawn so far."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words, self.at, self.probability = words, 0, 1.0

    def take(self, forms: Sequence[str], share: float = 1.0) -> str:
        """The next word where it is one of these, which come with P = `share` in all, each alike; else ""."""
        word = self.words[self.at] if self.at < len(self.words) else ""
        found = word in forms
        self.probability *= share / len(forms) if found else 1 - share
        if not self.probability:
            raise ValueError(f"{word!r} where one of {', '.join(forms)} must stand")
        self.at += found
        return word if found else ""

    def phrase(self, *, choices: int) -> tuple[grammar.Noun, bool]:
        """A noun, one of so many, and whether it stands for many."""
        article = self.at < len(self.words) and self.words[self.at] == grammar.ARTICLE[0]
        self.at += article
        adjective = self.take(list(_adjectives()), grammar.MODIFIED)
        self.take([form for form, _ in grammar.ORIGINS], grammar.ORIGIN)
        forms = {noun.form(many=many): (noun, many) for noun in grammar.NOUNS for many in (False, True)}
        noun, many = forms[self.take(list(forms))]
        self.probability *= len(forms) / choices * ((1 - _ONE) if many else _ONE)
        self.probability *= (1 - grammar.BARE if article else grammar.BARE) if many else article
        if adjective:
            self.take([_adjectives()[adjective]], grammar.PARTICIPLE)
        return noun, many

    def end(self) -> None:
        """Raises ValueError where words are left."""
        if self.at < len(self.words) or not self.probability:
            raise ValueError(f"{' '.join(self.words)!r} is no sentence of the grammar")
