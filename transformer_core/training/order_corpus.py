"""Short sentences about who does what to whom, in two languages, with the doer of every verb known.

A clause is active (dog bites man, 狗咬人) or passive (man bitten by dog, 人被狗咬); a word for the time may stand
in front, and up to three clauses follow one another. Doer and done-to are drawn alike, so that nothing but
the order of the words says which is which.
"""

from dataclasses import dataclass
from itertools import permutations
from random import Random

NOUNS = (
    ("dog", "狗"), ("man", "人"), ("cat", "猫"), ("mouse", "老鼠"), ("girl", "女孩"), ("boy", "男孩"),
    ("horse", "马"), ("bird", "鸟"), ("fox", "狐狸"), ("bear", "熊"), ("wolf", "狼"), ("goose", "鹅"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb in English (active, passive, and the names of who does it and to whom it is done) and in Chinese."""

    active: str
    passive: str
    doer: str
    done_to: str
    chinese: str


VERBS = (
    Verb("bites", "bitten", "biter", "bitten", "咬"),
    Verb("chases", "chased", "chaser", "chased", "追"),
    Verb("sees", "seen", "seer", "seen", "看"),
    Verb("helps", "helped", "helper", "helped", "帮"),
    Verb("hits", "struck", "hitter", "hit", "打"),
    Verb("kisses", "kissed", "kisser", "kissed", "亲"),
    Verb("follows", "followed", "follower", "followed", "跟"),
    Verb("feeds", "fed", "feeder", "fed", "喂"),
)
TIMES = (("today", "今天"), ("yesterday", "昨天"), ("often", "常常"))
JOINTS = (("and", "而"), (",", "，"))
BY = ("by", "被")
LANGUAGES = ("en", "zh")
LONGEST = 16
PASSIVE, TIME, SECOND, THIRD = 0.35, 0.3, 0.5, 0.4
"""P(a clause is passive), P(a time in front), P(a second clause), P(a third after the second)."""
_HELD_OUT = 7
"""One in so many pairs of nouns with a verb is never in the training sentences, in either order."""


@dataclass(frozen=True, slots=True)
class Question:
    """At the verb in this place (0-based): which word names the doer, and which the one it is done to."""

    verb: int
    doer: str
    done_to: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A sentence's words and what is asked of it."""

    words: tuple[str, ...]
    language: str
    questions: tuple[Question, ...]


def vocabulary() -> tuple[str, ...]:
    """Every word, English first."""
    english = [word for word, _ in (*NOUNS, *TIMES, *JOINTS)] + [BY[0]]
    english += [form for verb in VERBS for form in (verb.active, verb.passive)]
    chinese = [word for _, word in (*NOUNS, *TIMES, *JOINTS)] + [BY[1]] + [verb.chinese for verb in VERBS]
    return (*sorted(set(english)), *sorted(set(chinese)))


def held_out(first: int, second: int, verb: int) -> bool:
    """Whether two nouns and a verb (by their places above) are kept for measuring; the same in both orders."""
    return (first + second + verb) % _HELD_OUT == 1


def draw(random: Random, *, language: str | None = None) -> Scene:
    """One training sentence; the language by a fair coin where none is given."""
    if language is None:
        language = LANGUAGES[random.random() < 0.5]
    place = LANGUAGES.index(language)
    words: list[str] = [random.choice(TIMES)[place]] if random.random() < TIME else []
    questions: list[Question] = []
    clauses = 1 + (random.random() < SECOND)
    clauses += clauses == 2 and random.random() < THIRD
    nouns = random.sample(range(len(NOUNS)), 2 * clauses)
    for number in range(clauses):
        if number:
            words.append(random.choice(JOINTS)[place])
        doer, done_to = nouns[2 * number : 2 * number + 2]
        verbs = [verb for verb in range(len(VERBS)) if not held_out(doer, done_to, verb)]
        verb, passive = VERBS[random.choice(verbs)], random.random() < PASSIVE
        _add_clause(words, questions, (NOUNS[doer][place], verb, NOUNS[done_to][place]), place, passive=passive)
    return Scene(tuple(words), language, tuple(questions))


def _add_clause(
    words: list[str], questions: list[Question], roles: tuple[str, Verb, str], place: int, *, passive: bool
) -> None:
    doer, verb, done_to = roles
    if place == 0:
        said = [done_to, verb.passive, BY[0], doer] if passive else [doer, verb.active, done_to]
        at = 1
    else:
        said = [done_to, BY[1], doer, verb.chinese] if passive else [doer, verb.chinese, done_to]
        at = 3 if passive else 1
    questions.append(Question(len(words) + at, doer, done_to))
    words.extend(said)


def draws(count: int, *, seed: int) -> list[Scene]:
    """So many training sentences, the same for a seed."""
    random = Random(seed)
    return [draw(random) for _ in range(count)]


def held_out_scenes() -> list[Scene]:
    """Every clause that training never has, active and passive, in both languages: each with its reverse."""
    scenes = []
    for place, language in enumerate(LANGUAGES):
        for first, second in permutations(range(len(NOUNS)), 2):
            for number, verb in enumerate(VERBS):
                for passive in (False, True):
                    if held_out(first, second, number):
                        words: list[str] = []
                        questions: list[Question] = []
                        roles = (NOUNS[first][place], verb, NOUNS[second][place])
                        _add_clause(words, questions, roles, place, passive=passive)
                        scenes.append(Scene(tuple(words), language, tuple(questions)))
    return scenes
