"""Values: what a token hands over."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("blocks.{layer}.attn.value", "value", "值")
