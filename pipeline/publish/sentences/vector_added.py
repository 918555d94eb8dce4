"""Token vectors with the change of the attention added."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("blocks.{layer}.residual.attn_sum", "sum E + ΔE", "E + ΔE")
