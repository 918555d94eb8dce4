"""The exponentials of the logits, before they are divided by their sum."""

from __future__ import annotations

from pipeline.publish.sentences._per_word import Words

QUANTITY = Words(
    "logits_exp", "Exponentials of the logits after {token}: {words}", "{token}之后各词 logit 的指数：{words}"
)
