"""The guess: the likeliest next words, all others as one, and the same at other temperatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from transformer_core import derive
from transformer_core.display import show
from transformer_core.trace import Cell, Trace

COUNTS = (6, 5, 7, 4, 3)
"""How many words are named, the best first."""
DECIMALS = (2, 3)
TEMPERATURES = (0.5, 1.0, 2.0)


@dataclass(frozen=True)
class Shares:
    """Probabilities of the named words and of all others together, with the decimals they are shown at."""

    words: tuple[Cell, ...]
    other: Cell | None
    decimals: int
    temperature: Cell

    @property
    def parts(self) -> tuple[Cell, ...]:
        """The named words' shares, then that of the others."""
        return (*self.words, self.other) if self.other is not None else self.words

    @property
    def total(self) -> Cell:
        """Σ of everything that is shown."""
        return derive.sum_of(self.parts)


@dataclass(frozen=True)
class NextWord:
    """The softmax over the vocabulary at one position."""

    trace: Trace
    position: int

    @cached_property
    def ranking(self) -> tuple[int, ...]:
        """The words' ids, likeliest first."""
        return tuple(cell.at("vocab") for cell in derive.top_k(self.logits, count=len(self.logits)))

    @cached_property
    def logits(self) -> tuple[Cell, ...]:
        """The logits of the whole vocabulary."""
        return tuple(self.trace.cells("logits", position=self.position))

    @cached_property
    def count(self) -> int:
        """How many words are named: so many that the shares as shown add up to 1 wherever that can be."""
        most = len(self.logits)
        options = [count for count in COUNTS if count < most - 1] if most > max(COUNTS) else [most]
        return min(options, key=self._misses)

    def _misses(self, count: int) -> int:
        """How many of the panels do not add up to 1 as shown."""
        return sum(not _adds_up(each) for each in self._panels(count))

    @property
    def named(self) -> tuple[int, ...]:
        """The ids of the named words, likeliest first."""
        return self.ranking[: self.count]

    @property
    def best(self) -> int:
        """The id of the likeliest word."""
        return self.ranking[0]

    @property
    def others(self) -> int:
        """How many words are not named."""
        return len(self.logits) - self.count

    def cells(self, stage: str) -> tuple[Cell, ...]:
        """A stage over the vocabulary (logits, logits_shifted, logits_exp, probabilities) at the named words."""
        return tuple(self.trace.cell(stage, position=self.position, vocab=word) for word in self.named)

    def rest(self, stage: str) -> Cell | None:
        """Σ of a stage over the words that are not named."""
        return self._rest(stage, self.cells(stage))

    def _rest(self, stage: str, shown: Sequence[Cell]) -> Cell | None:
        everything = tuple(self.trace.cells(stage, position=self.position))
        return derive.rest_sum(everything, shown=shown) if len(shown) < len(everything) else None

    @property
    def not_best(self) -> Cell | None:
        """The probability of all words but the likeliest."""
        return self._rest("probabilities", [self.probability(self.best)])

    def probability(self, word: int) -> Cell:
        """The model's own probability of a word."""
        return self.trace.cell("probabilities", position=self.position, vocab=word)

    @cached_property
    def panels(self) -> tuple[Shares, ...]:
        """The shares at each temperature, the model's own in the middle."""
        return self._panels(self.count)

    def _panels(self, count: int) -> tuple[Shares, ...]:
        return tuple(self._shares(count, temperature) for temperature in TEMPERATURES)

    def _shares(self, count: int, temperature: float) -> Shares:
        words, t = self.ranking[:count], derive.constant(self.trace, temperature)
        if temperature == 1.0:
            cells = tuple(self.probability(word) for word in words)
            other = self._rest("probabilities", cells)
        else:
            own = [self.logits[word] for word in words]
            cells = tuple(derive.tempered(self.logits, own=[each], temperature=t) for each in own)
            chosen = set(own)
            left = [each for each in self.logits if each not in chosen]
            other = derive.tempered(self.logits, own=left, temperature=t) if left else None
        options = [Shares(cells, other, decimals, t) for decimals in DECIMALS]
        return next((each for each in options if _adds_up(each)), options[0])


def _adds_up(shares: Shares) -> bool:
    texts = [show(cell, decimals=shares.decimals).text for cell in shares.parts]
    if any(text.startswith(">") for text in texts):
        return False
    return sum(Decimal(text.replace("≈", "")) for text in texts) == 1
