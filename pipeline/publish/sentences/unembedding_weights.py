"""The weights of one word in W_U."""

from __future__ import annotations

from pipeline.publish.sentences._word_weights import WordWeights

QUANTITY = WordWeights("unembed.W_U", "weights", "参数")
