"""The models that can be made again: every module of this folder with a `recipe`, or with several as its `family`."""

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from transformer_core import training
from transformer_core.errors import InputError
from transformer_core.sources import LoadedModel
from transformer_core.training import card, card_text


@dataclass(frozen=True, slots=True)
class Recipe:
    """`make(folder, seeds=…, corpus_file=…, progress=…)` writes a model folder, of `seeds` unless others are asked for.

    `check(loaded)` measures the claims of the model's card again, `page(card)` is the card for people; where they are
    not given, those of glass serve.
    """

    name: str
    seeds: tuple[int, ...]
    make: Callable[..., dict[str, Any]]
    check: Callable[[LoadedModel], list[dict[str, Any]]] = card.check
    page: Callable[[Mapping[str, Any]], str] = card_text.card_text


def recipes() -> dict[str, Recipe]:
    """All recipes by name."""
    found = {}
    for each in pkgutil.iter_modules(training.__path__):
        module = importlib.import_module(f"{training.__name__}.{each.name}")
        for one in (getattr(module, "recipe", None), *getattr(module, "family", ())):
            if isinstance(one, Recipe):
                found[one.name] = one
    return found


def recipe_of(card_data: Mapping[str, Any]) -> Recipe:
    """The recipe that a card is of, by its name; for any other name, that of glass."""
    known = recipes()
    return known.get(card_data.get("name", ""), known["glass"])


def recipe(name: str) -> Recipe:
    """The recipe of that name. Raises InputError with the nearest one."""
    known = recipes()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
        raise InputError(f"model {name!r}", "there is no recipe for it", f"try {near!r}")
    return known[name]
