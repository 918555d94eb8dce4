"""What a model's card must look like where it is read: every entry may be missing, none may be of another form."""

from collections.abc import Mapping
from typing import Any

from transformer_core.errors import InputError

TEXTS = {"": str}
"""A text for each language."""

FORMS: Mapping[str, Any] = {
    "title": TEXTS,
    "default_query": TEXTS,
    "word_groups": {"": {"": [str]}},
    "dependents": {"": {"": [str]}},
    "gloss": TEXTS,
    "roles": {"": {"": [str]}},
    "claims": [{"id": str}],
    "validation": {"losses": [float], "seeds": [int]},
}
"""The form of each entry that scenes and commands read; entries that end in `_prompt` are texts too."""


def check_card(path: str, card: Mapping[str, Any]) -> None:
    """Raises InputError that names the first entry of another form than its own."""
    for name, value in card.items():
        form = TEXTS if name.endswith("_prompt") else FORMS.get(name)
        fault = _fault(name, value, form) if form is not None else ""
        if fault:
            raise InputError(path, fault, "mend the card")


def _fault(name: str, value: Any, form: Any) -> str:
    if isinstance(form, type):
        kind = "text" if form is str else "whole number" if form is int else "number"
        return "" if isinstance(value, form) else f"{name} is no {kind}"
    if isinstance(form, list):
        if not isinstance(value, (list, tuple)):
            return f"{name} is no list"
        return next(filter(None, (_fault(f"an entry of {name}", each, form[0]) for each in value)), "")
    if not isinstance(value, Mapping):
        return f"{name} is no object"
    if "" in form:
        return next(filter(None, (_fault(f"{name}.{key}", each, form[""]) for key, each in value.items())), "")
    missing = [key for key in form if key not in value]
    if missing:
        return f"{name} lacks {missing[0]!r}"
    return next(filter(None, (_fault(f"{name}.{key}", value[key], form[key]) for key in form)), "")
