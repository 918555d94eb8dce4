"""Scores less the largest of their query."""

from __future__ import annotations

from pipeline.publish.sentences._grid import Grid

QUANTITY = Grid("blocks.{layer}.attn.shifted", "scores of {} less the largest", "{}的分数减去最大值")
