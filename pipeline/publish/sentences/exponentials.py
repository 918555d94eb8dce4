"""The exponentials of the scores, before they are divided by their sum."""

from __future__ import annotations

from pipeline.publish.sentences._grid import Grid

QUANTITY = Grid("blocks.{layer}.attn.exp", "exponentials of {}", "{}的指数")
