"""Token vectors as a layer receives them."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("blocks.{layer}.residual.before", "vector E", "向量 E")
