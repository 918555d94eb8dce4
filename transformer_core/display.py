"""The only formatter: a cell becomes text, and a kind that says how the text stands for the number."""

import math
import re
from dataclasses import dataclass
from typing import Literal

from transformer_core.cell import Cell
from transformer_core.errors import CheckFailed
from transformer_core.other_runs import split_run

Kind = Literal["exact", "rounded", "tiny", "bounded", "masked"]

MINUS = "\u2212"
INFINITY = "\u221e"
NEARLY = "\u2248"
_SHARE = re.compile(r"(blocks\.\d+\.attn\.pattern|(cut\.)?probabilities|derived\.tempered)$")


@dataclass(frozen=True, slots=True)
class Shown:
    """`text` as drawn.

    `kind`: exact (the text is the number), rounded, tiny ("≈0"), bounded (">0.99") or masked.
    """

    text: str
    kind: Kind


def show(cell: Cell, *, decimals: int = 2) -> Shown:
    """The correctly rounded text of the float64 (half to even on exact ties), with a true minus.

    A closed place of the mask is "−∞" or "0", kind masked. Zero of either sign is "0". What would round to
    zero is "≈0"; a share or probability below 1 that would round to 1 is ">0.99", with one 9 for each
    decimal. Raises CheckFailed for a number that is not finite and not masked.
    """
    return show_value(
        cell.value,
        decimals=decimals,
        masked=cell.masked,
        share=_SHARE.match(split_run(cell.name)[1]) is not None,
        where=cell.name,
    )


def show_value(
    value: float, *, decimals: int, masked: bool = False, share: bool = False, where: str = "number"
) -> Shown:
    """`show` for a plain float; `share`: whether it is a part of one."""
    if value == -math.inf and masked:
        return Shown(MINUS + INFINITY, "masked")
    if not math.isfinite(value):
        raise CheckFailed(where, f"{value} cannot be shown")
    if value == 0.0:
        return Shown("0", "masked" if masked else "exact")
    text = f"{value:.{decimals}f}"
    if float(text) == 0.0:
        return Shown(f"{NEARLY}0", "tiny")
    if share and value < 1.0 and float(text) >= 1.0:
        return Shown(">0." + "9" * decimals if decimals else ">0", "bounded")
    return Shown(text.replace("-", MINUS), "exact" if float(text) == value else "rounded")
