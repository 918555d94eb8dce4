"""One position's vector on its way through the layers: what it is, what is added, what rescales it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from transformer_core import derive
from transformer_core.trace import Cell, Trace

Kind = Literal["state", "change", "sum"]
Step = Literal["start", "attention", "feed_forward", "add", "norm", "final_norm"]


@dataclass(frozen=True)
class Stop:
    """One vector of the journey. ``step`` says how it came about, ``layer`` counts from 0."""

    kind: Kind
    step: Step
    layer: int
    cells: tuple[Cell, ...]
    primes: int = 0

    @property
    def size(self) -> Cell:
        """‖x‖."""
        return derive.norm(self.cells)

    @property
    def symbol(self) -> str:
        """The vector's letter as a formula: ΔE, or E with a prime for each sublayer behind it."""
        return "@delta(Delta E)" if self.kind == "change" else "E" + "'" * self.primes


@dataclass(frozen=True)
class Journey:
    """All stops of one position, and how any of them reads as scores of words."""

    trace: Trace
    position: int

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """From what the first layer receives to what W_U reads."""
        return tuple(self._stops())

    def _stops(self) -> Iterator[Stop]:
        config, primes = self.trace.spec.config, 0
        step: Step = "norm" if config.norm_order == "post" else "add"
        yield Stop("state", "start", 0, self._cells("blocks.0.residual.before"))
        for layer in range(config.layer_count):
            block = f"blocks.{layer}"
            middle = "residual.mid" if config.norm_order == "post" else "residual.attn_sum"
            parts: list[tuple[Step, str, str]] = [("attention", "attn.out", middle)]
            if config.d_mlp:
                parts.append(("feed_forward", "mlp.out", "residual.after"))
            for name, change, after in parts:
                primes += 1
                cells = self._written(layer) if name == "attention" else self._cells(f"{block}.{change}")
                yield Stop("change", name, layer, cells)
                yield Stop("state", step, layer, self._cells(f"{block}.{after}"), primes)
        if config.final_norm:
            yield Stop("state", "final_norm", config.layer_count - 1, self._cells("final_norm.out"), primes + 1)

    def _written(self, layer: int) -> tuple[Cell, ...]:
        """The change of attention: that of its head where there is one head and no bias, else the sum of all."""
        config = self.trace.spec.config
        if config.head_count == 1 and not config.attention_bias:
            return tuple(self.trace.cells(f"blocks.{layer}.attn.head_out", head=0, position=self.position))
        return self._cells(f"blocks.{layer}.attn.out")

    def _cells(self, name: str) -> tuple[Cell, ...]:
        return tuple(self.trace.cells(name, position=self.position))

    @cached_property
    def walk(self) -> tuple[Stop, ...]:
        """The states, and where each sum is rescaled, the sum before it."""
        found: list[Stop] = []
        for stop in self.states:
            if stop.step == "norm":
                part = (
                    "attn_sum" if stop.cells[0].name.endswith("mid") or not self.trace.spec.config.d_mlp else "mlp_sum"
                )
                cells = self._cells(f"blocks.{stop.layer}.residual.{part}")
                found.append(Stop("sum", "add", stop.layer, cells))
            found.append(stop)
        return tuple(found)

    @property
    def states(self) -> tuple[Stop, ...]:
        """The vectors themselves, without the changes."""
        return tuple(stop for stop in self.stops if stop.kind == "state")

    @property
    def last(self) -> Stop:
        """What W_U reads."""
        return self.stops[-1]

    def score(self, stop: Stop, word: int) -> Cell:
        """What W_U makes of a state for one word: its logit for the last one, a stage of the trace where it is one."""
        if stop is self.last:
            return self.trace.cell("logits", position=self.position, vocab=word)
        config = self.trace.spec.config
        if stop.cells[0].name.endswith("residual.after") and not config.final_norm:
            return self.trace.cell(f"blocks.{stop.layer}.lens.logits", position=self.position, vocab=word)
        read = derive.dot(stop.cells, tuple(self.trace.cells("unembed.W_U", vocab=word)))
        if config.unembed_bias:
            return derive.sum_of([read, self.trace.cell("unembed.b_U", vocab=word)])
        return read


def shortened(stops: tuple[Stop, ...], *, most: int = 10) -> list[Stop | None]:
    """The stops that are drawn; ``None`` stands for the layers between the first and the last."""
    last = stops[-1].layer
    if len(stops) <= most or last < 2:
        return list(stops)
    first = [stop for stop in stops if stop.layer == 0]
    return [*first, None, *(stop for stop in stops if stop.layer == last)]
