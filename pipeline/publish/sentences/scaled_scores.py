"""Scores divided by the square root of the head's width."""

from __future__ import annotations

from pipeline.publish.sentences._grid import Grid

QUANTITY = Grid("blocks.{layer}.attn.scaled", "scaled scores of {}", "{}缩放后的分数")
