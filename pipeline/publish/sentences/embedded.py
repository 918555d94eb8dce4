"""Token vectors as they enter the first layer: embedding and position."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("embed.out", "vector E", "向量 E")
