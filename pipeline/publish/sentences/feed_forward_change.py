"""The change that the feed-forward sublayer makes."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("blocks.{layer}.mlp.out", "feed-forward change ΔE", "前馈层改变 ΔE")
