"""Token vectors between the attention and the feed-forward sublayer."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("blocks.{layer}.residual.mid", "vector E′", "向量 E′")
