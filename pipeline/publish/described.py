"""The text alternative of one picture: what was written of it, and numbers that this leaves out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pipeline.publish.sentences import brief

NUMBER = re.compile(r"[−≈>]?\d+\.\d+")


def described(data: Mapping[str, Any], beat: Mapping[str, Any], language: str) -> str:
    """The alt text of a beat of a ledger with the largest weights and probabilities that stand in its last picture.

    What the alt text says already is not said again.
    """
    alt = beat["alt"].get(language, "")
    more = [each for each in brief(data, beat, language) if not set(NUMBER.findall(each)) <= set(NUMBER.findall(alt))]
    return ("" if language == "zh" else " ").join(filter(None, (alt, *more)))
