"""Probabilities of the next word with one head's change left out."""

from __future__ import annotations

from pipeline.publish.sentences._per_word import Words

QUANTITY = Words(
    "cut.probabilities",
    "With ΔE = 0, after {token} the model gives {words}",
    "ΔE = 0 时，{token}之后下一个词的概率：{words}",
)
