"""The files of this folder, and which of them takes a row."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from pipeline.publish.sentences._row import Row
from pipeline.publish.sentences._speech import Speech
from pipeline.publish.sentences._table import Block


class Quantity(Protocol):
    """What a file of this folder gives."""

    def takes(self, row: Row) -> bool:
        """Whether it tells this row. No two files take the same one."""
        ...

    def tell(self, rows: Sequence[Row], speech: Speech) -> Iterator[Block]:
        """The rows, all of one beat, as sentences and tables."""
        ...


@cache
def quantities() -> dict[str, Quantity]:
    """Every file's quantity by the file's name."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
    package = __name__.rpartition(".")[0]
    return {name: importlib.import_module(f"{package}.{name}").QUANTITY for name in names}


def taker(row: Row) -> str:
    """The name of the file that takes a row; "" where none does."""
    return next((name for name, quantity in quantities().items() if quantity.takes(row)), "")
