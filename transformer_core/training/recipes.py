"""The models that can be made again: every module of this folder that has an attribute `recipe`."""

import difflib
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from transformer_core import training
from transformer_core.errors import InputError


@dataclass(frozen=True, slots=True)
class Recipe:
    """`make(folder, seeds=…, corpus_file=…, progress=…)` writes a model folder; `seed` is the shipped one."""

    name: str
    seed: int
    make: Callable[..., dict[str, Any]]


def recipes() -> dict[str, Recipe]:
    """All recipes by name."""
    modules = (
        importlib.import_module(f"{training.__name__}.{found.name}")
        for found in pkgutil.iter_modules(training.__path__)
    )
    found = (module.recipe for module in modules if isinstance(getattr(module, "recipe", None), Recipe))
    return {recipe.name: recipe for recipe in found}


def recipe(name: str) -> Recipe:
    """The recipe of that name. Raises InputError with the nearest one."""
    known = recipes()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
        raise InputError(f"model {name!r}", "there is no recipe for it", f"try {near!r}")
    return known[name]
