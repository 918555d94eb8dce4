r"""The numbers as a LaTeX `tabular` without any package: address, text as shown, exact value.

Each number that looks the same in several beats has one line. Words of the prompt stand as they are:
Chinese ones need a class or an engine that has the characters, such as ctex with XeLaTeX.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

SIGNS = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\(<\)",
    ">": r"\(>\)",
    '"': r"\char34{}",
    "|": r"\textbar{}",
    "−": r"\(-\)",
    "≈": r"\(\approx\)",
    "∞": r"\(\infty\)",
    "·": r"\(\cdot\)",
    "×": r"\(\times\)",
    "÷": r"\(\div\)",
    "√": r"\(\surd\)",
    "Σ": r"\(\Sigma\)",
    "Δ": r"\(\Delta\)",
    "→": r"\(\to\)",
    "≤": r"\(\le\)",
    "≥": r"\(\ge\)",
    "…": r"\ldots{}",
    "␣": r"\(\sqcup\)",
    "⏎": r"\(\hookleftarrow\)",
}
"""What TeX takes for something else, or has no letter for."""


def write(data: Mapping[str, Any]) -> bytes:
    """LaTeX in UTF-8."""
    rows = dict.fromkeys((row["address"], row["text"], row["hex"]) for row in data["numbers"])
    lines = [
        f"% {_one_line(data['command'])}",
        f"% numbers sha256:{data['digest']}",
        r"\begin{tabular}{lrr}",
        r"\hline",
        r"address & shown & exact \\",
        r"\hline",
        *(f"{_first(escape(address))} & {escape(text)} & {_exact(bits)} \\\\" for address, text, bits in rows),
        r"\hline",
        r"\end{tabular}",
    ]
    return ("\n".join(lines) + "\n").encode()


def escape(text: str) -> str:
    """The text with every sign that TeX would take for a command written out."""
    return "".join(SIGNS.get(character, character) for character in _one_line(text))


def _first(text: str) -> str:
    """Text after the end of a line, where TeX would take a bracket for how far down the next one lies."""
    return f"{{}}{text}" if text.startswith(("[", "*")) else text


def _exact(bits: str) -> str:
    """The shortest decimal that is this float64 and no other."""
    value = float.fromhex(bits)
    return escape(repr(value).replace("-", "−") if math.isfinite(value) else ("−∞" if value < 0 else "∞"))


def _one_line(text: str) -> str:
    return " ".join(text.split())
