"""Probabilities of the next word."""

from __future__ import annotations

from pipeline.publish.sentences._per_word import Words

QUANTITY = Words("probabilities", "After {token} the model gives {words}", "{token}之后，下一个词的概率：{words}")
