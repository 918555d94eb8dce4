"""The change that one head makes."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("blocks.{layer}.attn.head_out", "change ΔE", "改变 ΔE")
