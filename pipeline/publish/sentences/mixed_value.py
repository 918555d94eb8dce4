"""Mixed values: what a token gets by its attention weights."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("blocks.{layer}.attn.z", "mixed value z", "混合值 z")
