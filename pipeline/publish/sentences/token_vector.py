"""Token vectors as the heads read them."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("blocks.{layer}.attn.input", "vector E", "向量 E")
