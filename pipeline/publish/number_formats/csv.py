"""The numbers as a table for spreadsheets, with a column for each axis. Places count from 0."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

from pipeline.publish.number_formats import COLUMNS, axes_of


def write(data: Mapping[str, Any]) -> bytes:
    """CSV in UTF-8, a line for each number and beat."""
    axes = axes_of(data)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*COLUMNS, *axes])
    for row in data["numbers"]:
        known = {**row, "value": repr(float.fromhex(row["hex"]))}
        table.writerow([*(known.get(name, "") for name in COLUMNS), *(row["index"].get(axis, "") for axis in axes)])
    return text.getvalue().encode()
