"""The forms of a table of numbers: one file each, found by looking into this folder.

A file `some.py` makes `numbers --format some` and has `write(data) -> bytes`: the ledger of a scene in that
form. Nothing heavy is imported here: `--help` lists the names.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

COLUMNS = ("beat", "time_in", "time_out", "text", "kind", "address", "value", "hex", "name", "formula")
"""What every number has in the forms that are tables; a column for each axis follows."""


def names() -> tuple[str, ...]:
    """The forms there are, in alphabetical order."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")))


def write(data: Mapping[str, Any], *, form: str) -> bytes:
    """The ledger in that form."""
    return importlib.import_module(f"{__name__}.{form}").write(data)


def axes_of(data: Mapping[str, Any]) -> list[str]:
    """The axes that any of a ledger's numbers has a place on."""
    return sorted({axis for row in data["numbers"] for axis in row["index"]})
