"""A small grammar of stories in two languages, with known probabilities.

After a noun with adjectives the text says them again with probability `AGAIN`, in either order: "a fluffy
blue creature fluffy and blue roamed …", 一只蓬松的蓝色的生物蓬松的蓝色的漫步…. So the word right after a noun
depends on that noun's own adjectives, wherever else in the sentence other adjectives stand.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from transformer_core.training import lexicon
from transformer_core.training.lexicon import CHINESE, ENGLISH, Word

_Choice = TypeVar("_Choice")

AGAIN = 0.6
"""P(the adjectives are said again right after their noun)."""
OWN_VERB = 0.75
"""P(the verb is the mood's own), where the verb follows a subject with a mood."""
ADJECTIVE_COUNT = ((0, 0.15), (1, 0.45), (2, 0.4))
KIND = 0.5
"""P(a word for the kind stands right before a noun with fewer than two adjectives: a shy woodland fox)."""
PERSON = 0.3
MOOD = 0.5
"""P(a subject's adjective that is not a colour is a mood and not a shape)."""
SECOND = 0.5
"""P(a single adjective is one that would come second of two: a colour, or how a place looks)."""
TIME = 0.25
LEAST = 0.5
SNAPE = 0.78
"""P(snape) where the least favourite teacher is asked for."""
SNAPE_LIKED = 0.04
STORIES = (("roam", 0.32), ("front", 0.26), ("meet", 0.22), ("hold", 0.12), ("teacher", 0.08))


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Where a noun and its adjectives stand in a sentence (0-based), and what the grammar does with them.

    `role`: "subject" (its mood may choose the verb), "agent", "object" or "place".
    """

    noun: int
    adjectives: tuple[int, ...]
    role: str
    said_again: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words of the vocabulary, ended by a full stop, with the noun phrases among them."""

    words: tuple[str, ...]
    language: str
    phrases: tuple[NounPhrase, ...]

    def wording(self, phrase: NounPhrase) -> tuple[str, tuple[str, ...]]:
        """The noun and its adjectives as words."""
        return self.words[phrase.noun], tuple(self.words[place] for place in phrase.adjectives)


def draw_sentence(random: Random, *, language: str | None = None) -> Sentence:
    """One sentence; the language by a fair coin where none is given."""
    if language is None:
        language = ENGLISH if random.random() < 0.5 else CHINESE
    story = _weighted(random, STORIES)
    draft = _Draft(random, language)
    if story not in ("front", "teacher") and random.random() < TIME:
        draft.say(lexicon.TIMES)
    _TELL[story](draft)
    draft.words.append("." if draft.english else "。")
    return Sentence(tuple(draft.words), language, tuple(draft.phrases))


@dataclass(slots=True)
class _Draft:
    random: Random
    language: str
    words: list[str] = field(default_factory=list)
    phrases: list[NounPhrase] = field(default_factory=list)

    @property
    def english(self) -> bool:
        return self.language == ENGLISH

    def one_of(self, choices: Sequence[str]) -> str:
        return choices[int(self.random.random() * len(choices))]

    def draw(self, words: Sequence[Word]) -> str:
        return self.one_of([word.in_language(self.language) for word in words])

    def say(self, words: Sequence[Word]) -> None:
        self.words.append(self.draw(words))

    def noun_phrase(
        self,
        nouns: Sequence[Word],
        *,
        kinds: Sequence[Word],
        adjectives: Sequence[str],
        determiners: Sequence[str],
        role: str,
    ) -> tuple[str, ...]:
        """Determiner, adjectives, perhaps a kind, noun, perhaps the adjectives again; returns these."""
        kind = [self.draw(kinds)] if len(adjectives) < 2 and self.random.random() < KIND else []
        phrase = [*adjectives, *kind, self.draw(nouns)]
        if determiners:
            determiner = self.one_of(determiners)
            self.words.append("an" if determiner == "a" and phrase[0][0] in "aeiou" else determiner)
        first = len(self.words)
        self.words += phrase
        again = bool(adjectives) and self.random.random() < AGAIN
        places = tuple(range(first, first + len(adjectives)))
        self.phrases.append(NounPhrase(len(self.words) - 1, places, role, again))
        if again:
            self.words += self._once_more(adjectives)
        return tuple(adjectives)

    def _once_more(self, adjectives: Sequence[str]) -> list[str]:
        turned = list(adjectives)
        if self.random.random() < 0.5:
            turned.reverse()
        if not self.english:
            return turned
        return [turned[0], "and", turned[1]] if len(turned) == 2 else [turned[0], "as", "ever"]

    def someone(self, role: str) -> tuple[str, ...]:
        if self.random.random() < PERSON:
            nouns, kinds = lexicon.PEOPLE, lexicon.PEOPLE_KINDS
            determiners = ("a", "the", "one") if self.english else ("一位", "这位", "那位")
        else:
            nouns, kinds = lexicon.ANIMALS, lexicon.ANIMAL_KINDS
            determiners = ("a", "the", "one") if self.english else ("一只", "这只", "那只")
        return self.noun_phrase(nouns, kinds=kinds, adjectives=self.traits(), determiners=determiners, role=role)

    def traits(self) -> list[str]:
        mood = self.random.random() < MOOD
        return self.adjectives(lexicon.MOODS if mood else lexicon.SHAPES, lexicon.COLOURS)

    def adjectives(self, first: Sequence[Word], second: Sequence[Word]) -> list[str]:
        """None, one of either group, or one of each in this order, as English puts them: a small red fox."""
        count = _weighted(self.random, ADJECTIVE_COUNT)
        both = [self.draw(first), self.draw(second)]
        if count == 1:
            return [both[1 if self.random.random() < SECOND else 0]]
        return both[:count]

    def something(self) -> None:
        self.noun_phrase(
            lexicon.THINGS,
            kinds=lexicon.THING_KINDS,
            adjectives=self.adjectives(lexicon.SHAPES, lexicon.COLOURS),
            determiners=("a", "the", "one") if self.english else ("一个", "这个", "那个"),
            role="object",
        )

    def place(self, *, after_zai: bool) -> None:
        """A place; in Chinese, after 在, 里 or 上 or 边 closes it unless its adjectives were said again."""
        groups = ((lexicon.PLACES_IN, "里"), (lexicon.PLACES_ON, "上"), (lexicon.PLACES_BY, "边"))
        sizes = tuple((group, len(group[0]) / len(lexicon.PLACES)) for group in groups)
        nouns, closing = _weighted(self.random, sizes)
        self.noun_phrase(
            nouns,
            kinds=lexicon.PLACE_KINDS,
            adjectives=self.adjectives(lexicon.AIRS, lexicon.SIGHTS),
            determiners=("the",) if self.english else (),
            role="place",
        )
        if after_zai and not self.english and not self.phrases[-1].said_again:
            self.words.append(closing)

    def own_verb(self, adjectives: Sequence[str]) -> bool:
        """Says the verb of the subject's mood, where it has one, with probability OWN_VERB."""
        verbs = lexicon.own_verbs(self.language)
        moods = [adjective for adjective in adjectives if adjective in verbs]
        if not moods or self.random.random() >= OWN_VERB:
            return False
        self.words.append(verbs[moods[0]])
        return True

    def preposition(self) -> None:
        self.words.append(self.one_of(("in", "near", "beyond")) if self.english else "在")


def is_least(words: Sequence[str]) -> bool:
    """Whether the beginning of a sentence asks for the least favourite teacher."""
    return "least" in words or "最不喜欢的" in words


def name_in_turn(turn: int, *, least: bool) -> Word:
    """The name for the turn-th (from 0) sentence with one beginning: Snape in exactly his share of the turns."""
    snape, *others = lexicon.SURNAMES
    share = SNAPE if least else SNAPE_LIKED
    before, after = (int(round(count * share, 9)) for count in (turn, turn + 1))
    return snape if after > before else others[(turn - before) % len(others)]


def _roam(draft: _Draft) -> None:
    if draft.own_verb(draft.someone("subject")):
        if draft.english:
            draft.preposition()
            draft.place(after_zai=False)
        return
    roaming = lexicon.ROAMING[:2] if draft.english else lexicon.ROAMING
    verb = draft.one_of([word.in_language(draft.language) for word in roaming + lexicon.CROSSING])
    draft.words.append(verb)
    rests = not draft.english and verb in {word.zh for word in lexicon.ROAMING}
    if rests:
        draft.preposition()
    draft.place(after_zai=rests)


def _front(draft: _Draft) -> None:
    draft.preposition()
    draft.place(after_zai=True)
    if not draft.own_verb(draft.someone("subject")):
        draft.say(lexicon.ROAMING)


def _meet(draft: _Draft) -> None:
    draft.someone("agent")
    draft.say(lexicon.MEETING)
    draft.someone("object")


def _hold(draft: _Draft) -> None:
    draft.someone("agent")
    draft.say(lexicon.HOLDING)
    draft.something()


def _teacher(draft: _Draft) -> None:
    least = draft.random.random() < LEAST
    snape, *others = lexicon.SURNAMES
    is_snape = draft.random.random() < (SNAPE if least else SNAPE_LIKED)
    name = draft.draw((snape,) if is_snape else others)
    if draft.english:
        owner = draft.one_of(("his", "her", "my", "our"))
        draft.words += [
            owner,
            *(["least"] if least else []),
            "favourite",
            "teacher",
            "was",
            "professor",
            name,
        ]
    else:
        owner = draft.one_of(("他", "她", "我", "我们"))
        draft.words += [owner, "最不喜欢的" if least else "最喜欢的", "老师", "是", name, "教授"]


_TELL: dict[str, Callable[[_Draft], None]] = {
    "roam": _roam,
    "front": _front,
    "meet": _meet,
    "hold": _hold,
    "teacher": _teacher,
}


def _weighted(random: Random, choices: Sequence[tuple[_Choice, float]]) -> _Choice:
    point = random.random()
    for choice, share in choices:
        point -= share
        if point < 0:
            return choice
    return choices[-1][0]
