"""Logits less the largest."""

from __future__ import annotations

from pipeline.publish.sentences._per_word import Words

QUANTITY = Words(
    "logits_shifted", "Logits after {token} less the largest: {words}", "{token}之后各词的 logit 减去最大值：{words}"
)
