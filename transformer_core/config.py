"""The shape and the choices of one Transformer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any, Literal, get_args

from transformer_core.errors import InputError

NormOrder = Literal["post", "pre", "none"]
Positions = Literal["sinusoidal", "learned", "none"]
Activation = Literal["relu", "gelu", "gelu_tanh"]

_CHOICES = {"norm_order": NormOrder, "positions": Positions, "activation": Activation}
_SIZES = ("vocabulary_size", "context_length", "d_model", "head_count", "d_head", "layer_count")
_SWITCHES = ("causal", "attention_bias", "mlp_bias", "tied", "final_norm", "unembed_bias", "exact_sums")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """Frozen and validated when made; change it with `dataclasses.replace`.

    `norm_order`: "post" normalises each sum of the residual stream (the paper), "pre" normalises what a
    block reads (GPT-2), "none" has no normalisation in the blocks. `d_mlp` 0 leaves the feed-forward block
    out. `tied`: the unembedding is the transposed embedding. `final_norm`: one more LayerNorm before it.
    `exact_sums`: the sums of attention are correctly rounded (`transformer_core.exact_sums`).

    Raises InputError for a size below 1, an unknown choice or an ε that is not a small positive number.
    """

    vocabulary_size: int
    context_length: int
    d_model: int
    head_count: int
    d_head: int
    layer_count: int
    d_mlp: int
    norm_order: NormOrder = "post"
    positions: Positions = "sinusoidal"
    causal: bool = True
    attention_bias: bool = False
    mlp_bias: bool = True
    activation: Activation = "relu"
    tied: bool = True
    final_norm: bool = False
    unembed_bias: bool = False
    layer_norm_epsilon: float = 1e-5
    exact_sums: bool = False

    def __post_init__(self) -> None:
        for name in (*_SIZES, "d_mlp"):
            size, least = getattr(self, name), 0 if name == "d_mlp" else 1
            if type(size) is not int or size < least:
                raise InputError(
                    f"{name} = {size!r}", f"a model needs a whole number ≥ {least} there", "give such a size"
                )
        for name, choice in _CHOICES.items():
            if getattr(self, name) not in get_args(choice):
                raise InputError(
                    f"{name} = {getattr(self, name)!r}",
                    "no such choice",
                    "use one of " + ", ".join(get_args(choice)),
                )
        for name in _SWITCHES:
            if type(getattr(self, name)) is not bool:
                raise InputError(f"{name} = {getattr(self, name)!r}", "it is a switch", "use true or false")
        epsilon = self.layer_norm_epsilon
        if type(epsilon) is not float or not isfinite(epsilon) or not 0.0 < epsilon < 1.0:
            raise InputError(f"layer_norm_epsilon = {epsilon!r}", "it must lie between 0 and 1", "use 1e-5")
        if self.positions == "sinusoidal" and self.d_model % 2:
            raise InputError(
                f"d_model = {self.d_model}",
                "sinusoidal positions come in pairs of sine and cosine",
                "use an even d_model",
            )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "ModelConfig":
        """The configuration that `to_dict` wrote. Raises InputError for a missing or unknown entry."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(data) - known)
        missing = sorted({*_SIZES, "d_mlp"} - set(data))
        if unknown:
            raise InputError(f"model configuration entry {unknown[0]!r}", "unknown", "use " + ", ".join(sorted(known)))
        if missing:
            raise InputError("model configuration", f"{missing[0]} is missing", "add it")
        return cls(**dict(data))
