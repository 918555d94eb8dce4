"""The encoding of a token's own position."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("embed.position", "position encoding", "位置编码")
