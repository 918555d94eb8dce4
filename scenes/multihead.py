"""MultiHead: the same mechanism several times over, and what each copy looks at."""

from __future__ import annotations

from collections.abc import Mapping

from scenes.kit.head_scene import HeadScene
from scenes.kit.texts import Field


class MultiHead(HeadScene):
    """Several small heads read the same sentence, each in its own way; their changes are added up."""

    name = "multihead"
    beats = ("one", "copies", "grids", "relations", "concat", "why")
    default_model = "relations"

    @property
    def fields(self) -> Mapping[str, Field]:
        """What the captions may quote."""
        config = self.trace.spec.config
        return {
            "query": self.trace.spec.tokens[self.asking],
            "head": self.head + 1,
            "n_heads": config.head_count,
            "n_tokens": len(self.trace.spec.ids),
            "d_model": config.d_model,
            "d_head": config.d_head,
        }

    @property
    def facts(self) -> frozenset[str]:
        """Which caption variants hold."""
        stated = {
            "several": self.trace.spec.config.head_count > 1,
            "causal": self.trace.spec.config.causal,
        }
        return frozenset(name for name, holds in stated.items() if holds)

    def one(self) -> None:
        """One head's pattern as arcs over the sentence."""
        self.clear_stage()

    def copies(self) -> None:
        """The head several times over, each copy with its own small matrices."""
        self.clear_stage()

    def grids(self) -> None:
        """Every head's pattern as a small grid of dots."""
        self.clear_stage()

    def relations(self) -> None:
        """Three heads under each other as arcs."""
        self.clear_stage()

    def concat(self) -> None:
        """The heads' outputs side by side through W_O, and the same sum head by head."""
        self.clear_stage()

    def why(self) -> None:
        """Losses of models with different numbers of heads."""
        self.clear_stage()
