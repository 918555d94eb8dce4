"""Embeddings: the vector that a token's number picks."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("embed.token", "embedding", "词嵌入")
