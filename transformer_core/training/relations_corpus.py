"""Sentences whose next words need three relations: a noun's modifier, a verb's subject, a pronoun's referent.

"small dogs near the cat sleep because they dream". After a noun may come a participle that its adjective
decides (small … hiding), after the verb a place that its subject decides (dogs … indoors), after the pronoun
a verb that its referent decides (dogs … dream). A verb has the number of its subject, whatever noun stands
between; `they` and `it` stand for the noun of their number, and for the subject where both have that number.
"""

from dataclasses import dataclass
from random import Random

from transformer_core.training.relations_words import (
    ARTICLE,
    JOINTS,
    MODIFIERS,
    NOUNS,
    ORIGINS,
    PREPOSITIONS,
    PRONOUNS,
    VERBS,
    Noun,
)

DEFAULT = "small dogs near the cat sleep because they dream"
DISTRACTOR, BARE, MODIFIED, ORIGIN = 0.75, 0.5, 0.7, 0.4
"""P(a second noun between), P(many without an article), P(an adjective), P(a word between it and the noun)."""
PARTICIPLE, HOME = 0.6, 0.6
"""P(the participle of the adjective follows the noun), P(the place of the subject follows the verb)."""
TO_DISTRACTOR = 0.4
"""P(the pronoun stands for the noun between), where its number tells which noun is meant."""
RELATIONS = ("modifier", "subject", "referent")
TRAINING, CHOOSING, REPORTING = "training", "choosing", "reporting"


@dataclass(frozen=True, slots=True)
class Link:
    """From the token `source` to the token `target` (0-based), because the word after `source` depends on it.

    `rivals`: how many words of the target's kind can be seen, the target among them; `first`: it is the first of
    them. `dependents`: the words that only the target brings, `share` how often one of them comes next.
    """

    relation: str
    source: int
    target: int
    rivals: int
    first: bool
    dependents: tuple[str, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Linked:
    """A sentence and its links; `verb` is the place of its first verb; `other_many` of the noun between, if any."""

    words: tuple[str, ...]
    links: tuple[Link, ...]
    verb: int
    many: bool
    other_many: bool | None
    part: str


def part_of(subject: Noun, other: Noun | None) -> str:
    """Training, choosing or reporting: a subject with its noun between belongs to one of them only."""
    if other is None:
        return TRAINING
    number = (3 * NOUNS.index(subject) + NOUNS.index(other)) % len(NOUNS)
    return {0: CHOOSING, 1: REPORTING}.get(number, TRAINING)


def draw(random: Random) -> Linked:
    """One sentence of any part."""
    words: list[str] = []
    links: list[Link] = []
    subject, between = random.sample(NOUNS, 2)
    many, other_many = random.random() < 0.5, random.random() < 0.5
    other = between if random.random() < DISTRACTOR else None
    nouns = [(subject, _phrase(random, words, links, subject, many=many), many)]
    if other is not None:
        words.append(random.choice(PREPOSITIONS)[0])
        nouns.append((other, _phrase(random, words, links, other, many=other_many), other_many))
    verb, rivals = len(words), len(nouns)
    links.append(Link("subject", verb, nouns[0][1], rivals, True, (subject.home[0],), HOME))
    words.append(random.choice(VERBS)[many][0])
    if random.random() < HOME:
        words.append(subject.home[0])
    words.append(random.choice(JOINTS)[0])
    told_apart = other is not None and many != other_many
    meant, at, meant_many = nouns[told_apart and random.random() < TO_DISTRACTOR]
    deeds = meant.deeds(many=meant_many)
    links.append(Link("referent", len(words), at, rivals, at == nouns[0][1], deeds, 1.0))
    words += [PRONOUNS[meant_many][0], random.choice(deeds)]
    return Linked(
        tuple(words), tuple(links), verb, many, other_many if other is not None else None, part_of(subject, other)
    )


def _phrase(random: Random, words: list[str], links: list[Link], noun: Noun, *, many: bool) -> int:
    """Adds a noun phrase and says where its noun stands."""
    if not (many and random.random() < BARE):
        words.append(ARTICLE[0])
    modifier = random.choice(MODIFIERS) if random.random() < MODIFIED else None
    adjective_at = len(words)
    if modifier is not None:
        words.append(modifier[0][0])
    if random.random() < ORIGIN:
        words.append(random.choice(ORIGINS)[0])
    at = len(words)
    words.append(noun.form(many=many))
    if modifier is not None:
        participle = modifier[1][0]
        before = sum(link.relation == "modifier" for link in links)
        links.append(Link("modifier", at, adjective_at, before + 1, before == 0, (participle,), PARTICIPLE))
        if random.random() < PARTICIPLE:
            words.append(participle)
    return at


def draws(count: int, part: str, *, seed: int) -> list[Linked]:
    """So many sentences of a part, the same for a seed."""
    random, found = Random(seed), []
    while len(found) < count:
        sentence = draw(random)
        if sentence.part == part:
            found.append(sentence)
    return found
