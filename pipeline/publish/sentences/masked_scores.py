"""Scores with minus infinity where a token may not look."""

from __future__ import annotations

from pipeline.publish.sentences._grid import Grid

QUANTITY = Grid("blocks.{layer}.attn.masked", "masked scores of {}", "{}掩码后的分数")
