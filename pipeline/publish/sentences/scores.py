"""Scores: the dot product of a query and a key."""

from __future__ import annotations

from pipeline.publish.sentences._grid import Grid

QUANTITY = Grid("blocks.{layer}.attn.scores", "scores of {}", "{}的分数")
