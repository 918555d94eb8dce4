"""The part of JSON Schema that the ledger's schema uses: types, constants, required and known properties, items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def fault(value: Any, form: Mapping[str, Any], definitions: Mapping[str, Any], where: str = "") -> str:
    """The first thing that is not as the schema says, in words; empty where all is."""
    form = definitions[form["$ref"].rsplit("/", 1)[1]] if "$ref" in form else form
    if "const" in form and value != form["const"]:
        return f"{where} is not {form['const']}"
    names = form.get("type", [])
    allowed = [kind for name in ([names] if isinstance(names, str) else names) for kind in TYPES[name]]
    if allowed and type(value) not in allowed:
        return f"{where or 'it'} is no {names if isinstance(names, str) else ' or '.join(names)}"
    if isinstance(value, list) and "items" in form:
        parts = ((each, form["items"], f"{where}[]") for each in value)
    elif isinstance(value, dict):
        missing = [name for name in form.get("required", ()) if name not in value]
        if missing:
            return f"it lacks {_below(where, missing[0])}"
        known = form.get("properties", {})
        parts = ((value[name], known[name], _below(where, name)) for name in known if name in value)
    else:
        return ""
    return next(filter(None, (fault(part, below, definitions, place) for part, below, place in parts)), "")


def _below(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
