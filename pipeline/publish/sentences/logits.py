"""Logits of the next word."""

from __future__ import annotations

from pipeline.publish.sentences._per_word import Words

QUANTITY = Words("logits", "Logits after {token}: {words}", "{token}之后各词的 logit：{words}")
