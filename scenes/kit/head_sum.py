"""The numbers of [z_1 … z_h] W_O = Σ_i z_i W_O,i for one token: what is drawn of them, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from scenes.kit.flow import SHOWN, window
from transformer_core import derive
from transformer_core.display import show
from transformer_core.trace import Cell, Trace

HEADS = 4
"""So many heads are drawn; of more, the first and the last, and the sum of the others' changes."""

Place = int | None


@dataclass(frozen=True)
class HeadSum:
    """One token's results of all heads, W_O in blocks, and the change that they make together."""

    trace: Trace
    layer: int
    token: int

    def _name(self, stage: str) -> str:
        return f"blocks.{self.layer}.attn.{stage}"

    @property
    def _all_heads(self) -> range:
        return range(self.trace.spec.config.head_count)

    @cached_property
    def heads(self) -> list[Place]:
        """The heads that are drawn; ``None`` stands for those in between."""
        return window(len(self._all_heads), shown=HEADS)

    @cached_property
    def left_out(self) -> list[int]:
        """The heads that are not drawn one by one."""
        return [head for head in self._all_heads if head not in self.heads]

    @cached_property
    def dimensions(self) -> list[Place]:
        """The entries of each head's result that are drawn."""
        real = sum(head is not None for head in self.heads)
        return window(self.trace.spec.config.d_head, shown=max(4, SHOWN // real))

    @cached_property
    def features(self) -> list[Place]:
        """The entries of the change that are drawn."""
        return window(self.trace.spec.config.d_model)

    def result(self, head: int) -> list[Cell | None]:
        """z of one head."""
        cells = list(self.trace.cells(self._name("z"), head=head, query=self.token))
        return [None if d is None else cells[d] for d in self.dimensions]

    def block(self, head: int) -> list[list[Cell | None]]:
        """W_O of one head: a line for every feature, an entry for every dimension of the head."""
        return [[self._weight(head, f, d) for d in self.dimensions] for f in self.features]

    def _weight(self, head: int, feature: Place, dimension: Place) -> Cell | None:
        if feature is None or dimension is None:
            return None
        return self.trace.cell(self._name("W_O"), head=head, d_head=dimension, d_model=feature)

    def change(self, head: Place) -> list[Cell | None]:
        """ΔE of one head; for ``None`` the sum over the heads that are left out."""
        return [None if f is None else self._change(head, f) for f in self.features]

    def _change(self, head: Place, feature: int) -> Cell:
        index = {"position": self.token, "d_model": feature}
        if head is not None:
            return self.trace.cell(self._name("head_out"), head=head, **index)
        return derive.sum_of([self.trace.cell(self._name("head_out"), head=each, **index) for each in self.left_out])

    @cached_property
    def bias(self) -> list[Cell | None] | None:
        """b_O, which is added once; nothing for a model without."""
        if not self.trace.spec.config.attention_bias:
            return None
        return [None if f is None else self.trace.cell(self._name("b_O"), d_model=f) for f in self.features]

    @cached_property
    def product(self) -> list[Cell | None]:
        """W_O times all z at once, and b_O: every entry is one long dot product; of one head the model's own ΔE."""
        if len(self._all_heads) == 1:
            return self.total if self.trace.spec.config.attention_bias else self.change(0)
        return [None if f is None else self._product(f) for f in self.features]

    def _product(self, feature: int) -> Cell:
        results = [z for h in self._all_heads for z in self.trace.cells(self._name("z"), head=h, query=self.token)]
        weights = [w for h in self._all_heads for w in self.trace.cells(self._name("W_O"), head=h, d_model=feature)]
        product = derive.dot(results, weights)
        if not self.trace.spec.config.attention_bias:
            return product
        return derive.sum_of([product, self.trace.cell(self._name("b_O"), d_model=feature)])

    @cached_property
    def total(self) -> list[Cell | None]:
        """ΔE as the model has it: the changes of all heads added up, and b_O."""
        name = self._name("out")
        return [None if f is None else self.trace.cell(name, position=self.token, d_model=f) for f in self.features]

    @property
    def apart(self) -> Cell:
        """‖one way − other way‖ over the entries that are drawn: nothing but the rounding of two orders of adding."""
        return derive.distance(_present(self.product), _present(self.total))

    @property
    def same_digits(self) -> bool:
        """Whether both ways show the same digits."""
        pairs = zip(_present(self.product), _present(self.total), strict=True)
        return all(show(one).text == show(other).text for one, other in pairs)


def _present(cells: Sequence[Cell | None]) -> list[Cell]:
    return [cell for cell in cells if cell is not None]
