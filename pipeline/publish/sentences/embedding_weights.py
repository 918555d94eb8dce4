"""The weights of one word in W_E."""

from __future__ import annotations

from pipeline.publish.sentences._word_weights import WordWeights

QUANTITY = WordWeights("embed.W_E", "weights", "参数")
