"""Token vectors as a layer hands them on."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("blocks.{layer}.residual.after", "vector E″", "向量 E″")
