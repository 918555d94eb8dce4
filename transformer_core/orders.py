"""Two sentences of the same words: 狗咬人 / 人咬狗."""

from transformer_core.errors import InputError
from transformer_core.sources.loaded import LoadedModel

BETWEEN = "/"


def read_orders(loaded: LoadedModel, prompt: str) -> tuple[str, tuple[int, ...]]:
    """The first sentence, and the order of its tokens that makes the second: token i of that is token order[i].

    `dog bites man/man bites dog` gives both; where there is one sentence, its first two different nouns (of
    the card's word groups) change places, or else all tokens are reversed. Raises InputError for a second
    sentence of other words, and for words that the model does not know.
    """
    first, between, second = prompt.partition(BETWEEN)
    words = loaded.tokenizer.words(first)
    if not between:
        return first, _exchanged(words, _nouns(loaded))
    others = loaded.tokenizer.words(second)
    if sorted(others) != sorted(words):
        raise InputError(
            f"prompt {prompt!r}", "the two sentences are not of the same words", "give the same words in another order"
        )
    return first, _order(words, others)


def _order(words: tuple[str, ...], others: tuple[str, ...]) -> tuple[int, ...]:
    left = list(range(len(words)))
    order = []
    for word in others:
        place = next(place for place in left if words[place] == word)
        left.remove(place)
        order.append(place)
    return tuple(order)


def _exchanged(words: tuple[str, ...], nouns: frozenset[str]) -> tuple[int, ...]:
    places = [place for place, word in enumerate(words) if word in nouns]
    second = next((place for place in places if words[place] != words[places[0]]), None)
    if second is None:
        return tuple(reversed(range(len(words))))
    order = list(range(len(words)))
    order[places[0]], order[second] = second, places[0]
    return tuple(order)


def _nouns(loaded: LoadedModel) -> frozenset[str]:
    return frozenset(word for words in loaded.card.get("word_groups", {}).get("noun", {}).values() for word in words)
