"""A scene about one attention head: which token asks, its cells, the sentence on its rail.

What ``qkv`` and its neighbours share. The scene's own beats are methods of the subclass.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scenes.kit.grid import ScoreGrid
from scenes.kit.matrix import NumberMatrix
from scenes.kit.projection import Projection
from scenes.kit.staged_scene import StagedScene
from scenes.kit.texts import Field
from transformer_core import derive
from transformer_core.errors import InputError
from transformer_core.trace import Cell

LARGEST = 9999.5
"""A number with more digits does not fit its place."""


class HeadScene(StagedScene):
    """The base of scenes that follow one head and the question of one token."""

    def setup(self) -> None:
        """Choose the token that asks."""
        super().setup()
        self.layer, self.head = self.brief.layer, self.brief.head
        self._require_readable()
        self.asking = self.brief.query if self.brief.query is not None else self._default_query()

    def _require_readable(self) -> None:
        for name in self.trace.names():
            if not name.startswith((f"blocks.{self.layer}.attn.", f"blocks.{self.layer}.residual.")):
                continue
            values = self.trace.array(name)
            if (np.abs(values[np.isfinite(values)]) > LARGEST).any():
                spec, what = self.trace.spec, name.split(".", 2)[2]
                why = f"in layer {self.layer + 1} its {what} goes beyond {LARGEST:g}"
                raise InputError(f"model {spec.model_name}", why, "take one whose numbers can be read")

    def _default_query(self) -> int:
        spec = self.trace.spec
        for word in spec.card.get("default_query", {}).values():
            if word in spec.tokens:
                return spec.tokens.index(word)
        return max(range(len(spec.ids)), key=lambda token: 1 - self.attention("pattern", token, token).value)

    def attention(self, stage: str, query: int, key: int) -> Cell:
        """One cell of a query × key stage of this head."""
        return self.trace.cell(f"blocks.{self.layer}.attn.{stage}", head=self.head, query=query, key=key)

    @property
    def visible_keys(self) -> list[int]:
        """The keys that the asking token may see."""
        return [key for key in range(self.flow.tokens) if not self.attention("pattern", self.asking, key).masked]

    @property
    def best_key(self) -> int:
        """The key with the largest weight; another token than the asking one where there is one."""
        others = [key for key in self.visible_keys if key != self.asking] or self.visible_keys
        return max(others, key=lambda key: self.attention("pattern", self.asking, key).value)

    @property
    def weights(self) -> list[Cell]:
        """The asking token's weights, one for each key."""
        return [self.attention("pattern", self.asking, key) for key in range(self.flow.tokens)]

    @property
    def strongest_key(self) -> int:
        """The key with the largest weight, be it the asking token itself."""
        return max(self.visible_keys, key=lambda key: self.attention("pattern", self.asking, key).value)

    @property
    def fields(self) -> Mapping[str, Field]:
        """What the captions may quote."""
        tokens, config = self.trace.spec.tokens, self.trace.spec.config
        return {
            "query": tokens[self.asking],
            "key": tokens[self.best_key],
            "first": tokens[0],
            "n_tokens": self.flow.tokens,
            "d_model": config.d_model,
            "d_head": config.d_head,
            "score": self.attention("scores", self.asking, self.best_key),
            "score_first": self.attention("scores", self.asking, 0),
            "scaled": self.attention("scaled", self.asking, self.best_key),
            "weight": self.attention("pattern", self.asking, self.best_key),
            "strongest": tokens[self.strongest_key],
            "weight_strongest": self.attention("pattern", self.asking, self.strongest_key),
            "weight_sum": derive.sum_of(self.weights),
            "query_entry": self.projection("W_Q", "query").result_cell(self.asking, 0),
        }

    @property
    def facts(self) -> frozenset[str]:
        """Which caption variants hold for this model and prompt."""
        stated = {
            "causal": self.trace.spec.config.causal,
            "masks": self.trace.spec.config.causal and self.flow.tokens > 1,
            "alone": self.trace.spec.config.causal and self.flow.tokens == 1,
            "columns": self.flow.columns,
            "first_is_best": self.best_key == 0,
            "claimed": self._claimed(),
        }
        return frozenset(name for name, holds in stated.items() if holds)

    def _claimed(self) -> bool:
        card, tokens = self.trace.spec.card, self.trace.spec.tokens
        nouns = {word for words in card.get("word_groups", {}).get("noun", {}).values() for word in words}
        return tokens[self.asking] in nouns and any(
            (claim["id"], claim.get("layer"), claim.get("head")) == ("binding", self.layer, self.head)
            for claim in card.get("claims", ())
        )

    def projection(self, weight: str, result: str) -> Projection:
        """W · E of this head for the asking token."""
        return Projection(self.trace, self.flow, self.theme, self.layer, self.head, self.asking, weight, result)

    def score_grid(self, stage: str) -> ScoreGrid:
        """The grid of a query × key stage; a long sentence shows the digits of the asking token alone."""
        return ScoreGrid(
            lambda query, key: self.attention(stage, query, key),
            flow=self.flow,
            theme=self.theme,
            only=None if self.flow.full_grid else self.asking,
        )

    def strip(self, matrix: NumberMatrix, token: int, order: int, role: str) -> NumberMatrix:
        """A token's vector as a small barcode on the rail: E first, then its query and key."""
        starts, thickness = ((1.82, 2.30, 2.44), 0.026) if self.flow.columns else ((2.02, 2.5, 2.64), 0.026)
        length = len(matrix.grid) if self.flow.columns else len(matrix.grid[0])
        cell = (0.5, thickness) if self.flow.columns else (thickness, 0.25)
        box = self.flow.vector(token, length, start=starts[order], cell=cell)
        strip = matrix.part(digits=False, brackets=False, box=box)
        strip.plate.set_fill(self.theme.faint(role, 0.55))
        return strip
