"""The numbers as NumPy arrays of one length, for a notebook: `numpy.load(file)["value"]`.

`value` is float64, bit for bit; an array for each axis holds places that count from 0, −1 where a number has
none; the rest is text. `digest` and `command` say what the numbers are of. Nothing in it needs pickle.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from pipeline.publish.number_formats import COLUMNS, axes_of

NO_PLACE = -1


def write(data: Mapping[str, Any]) -> bytes:
    """The bytes of an npz file; the same for the same numbers."""
    import numpy as np

    rows = data["numbers"]
    columns: dict[str, Any] = {
        name: np.array([str(row.get(name, "")) for row in rows], dtype=str)
        for name in COLUMNS
        if name not in ("value", "time_in", "time_out")
    }
    for name in ("time_in", "time_out"):
        columns[name] = np.array([row[name] for row in rows], dtype=float)
    columns["value"] = np.array([float.fromhex(row["hex"]) for row in rows], dtype=float)
    for axis in axes_of(data):
        columns[f"place_{axis}"] = np.array([row["index"].get(axis, NO_PLACE) for row in rows], dtype=int)
    file = io.BytesIO()
    np.savez(file, digest=np.array(data["digest"]), command=np.array(data["command"]), **columns)
    return file.getvalue()
