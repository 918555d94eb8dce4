"""What a trace is a trace of."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from transformer_core.config import ModelConfig
from transformer_core.errors import InputError
from transformer_core.frozen import freeze
from transformer_core.other_runs import reordered
from transformer_core.sites import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSpec:
    """The model, the prompt and the circumstances. Everything here is part of the trace's digest.

    `ids`, `tokens`: the prompt's token ids and their labels; `vocabulary`: the label of each id; `cut`:
    0-based (layer, head) whose ΔE is 0 in the `cut.*` stages; `card`: the model card's data; `scope`:
    "model", or "attention" for a trace of plain queries, keys and values; `order`: the trace also holds the
    runs of `transformer_core.other_runs`, in which token i is the prompt's token order[i] (0-based); `companions`:
    by name the cards of further models that a scene compares; an empty one is not written and changes no digest.
    """

    model_name: str
    weights_hash: str
    tokenizer_hash: str
    prompt: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    vocabulary: tuple[str, ...]
    config: ModelConfig
    device: str = "cpu"
    dtype: str = "float64"
    versions: Mapping[str, str] = field(default_factory=dict)
    cut: tuple[int, int] | None = None
    card: Mapping[str, Any] = field(default_factory=dict)
    scope: Scope = "model"
    order: tuple[int, ...] | None = None
    companions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("ids", "tokens", "vocabulary", "versions", "card", "companions"):
            object.__setattr__(self, name, freeze(getattr(self, name)))
        if len(self.ids) != len(self.tokens) or not self.ids:
            raise InputError(
                "trace",
                "it needs one label for each of at least one token",
                "give ids and tokens of one length",
            )
        if self.order is not None:
            object.__setattr__(self, "order", tuple(self.order))
            if sorted(self.order) != list(range(len(self.ids))):
                raise InputError(f"order {self.order}", "it is no order of the prompt's tokens", "name each place once")

    @property
    def reordered_tokens(self) -> tuple[str, ...]:
        """The tokens in the other order; the prompt's own where there is none."""
        return self.tokens if self.order is None else reordered(self.tokens, self.order)

    def to_json(self) -> str:
        """Canonical JSON: sorted keys, no spaces, so that the same spec is the same text."""
        data = {item.name: getattr(self, item.name) for item in fields(self)} | {"config": self.config.to_dict()}
        if not self.companions:
            del data["companions"]
        return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> "TraceSpec":
        """The spec that `to_json` wrote. Raises ValueError, TypeError or KeyError for any other text."""
        data: dict[str, Any] = dict(freeze(json.loads(text)))
        data["config"] = ModelConfig.from_dict(data["config"])
        return cls(**data)
