"""A model ready to run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from transformer_core.frozen import freeze
from transformer_core.model import Transformer
from transformer_core.tokens import WordTokenizer


@dataclass(frozen=True, slots=True, eq=False)
class LoadedModel:
    """A model with its tokenizer, its card's data and the hash of its weights (64 hex digits)."""

    name: str
    model: Transformer
    tokenizer: WordTokenizer
    card: Mapping[str, Any] = field(default_factory=dict)
    weights_hash: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "card", freeze(self.card))


@runtime_checkable
class ModelSource(Protocol):
    """Where models come from. A module of this folder with an attribute `source` is found by it."""

    def names(self) -> tuple[str, ...]:
        """The models that can be asked for by name."""
        ...

    def accepts(self, reference: str) -> bool:
        """Whether the reference is this source's to load."""
        ...

    def load(self, reference: str) -> LoadedModel:
        """The model. Raises InputError when it cannot be had."""
        ...
