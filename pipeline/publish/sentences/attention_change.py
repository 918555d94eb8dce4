"""The change that all heads make together."""

from __future__ import annotations

from pipeline.publish.sentences._vectors import Vectors

QUANTITY = Vectors("blocks.{layer}.attn.out", "whole change ΔE", "总改变 ΔE")
