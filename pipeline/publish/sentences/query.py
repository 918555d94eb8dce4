"""Queries: what a token looks for."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("blocks.{layer}.attn.query", "query", "查询")
