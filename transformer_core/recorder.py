"""The only way a tensor leaves a forward pass: identity taps."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from torch import Tensor

from transformer_core.stages import stage_of

Tap = Callable[[str, Tensor], Tensor]


def identity(name: str, tensor: Tensor) -> Tensor:
    """The tap that keeps nothing."""
    return tensor


class Recorder:
    """Keeps a copy of every tensor that passes, under its name, and hands the tensor itself back.

    A name may pass once; a weight that is read again must be the same weight.
    """

    def __init__(self) -> None:
        self._kept: dict[str, Tensor] = {}

    def tap(self, name: str, tensor: Tensor) -> Tensor:
        """Keep a copy and return the same tensor. Raises ValueError when the name is taken."""
        stage = stage_of(name)
        if name in self._kept:
            if stage.role == "weight" and self._kept[name].equal(tensor):
                return tensor
            raise ValueError(f"{name} was recorded before")
        self._kept[name] = tensor.detach().clone()
        return tensor

    @property
    def kept(self) -> Mapping[str, Tensor]:
        """What was recorded, read-only, in the order of computation."""
        return MappingProxyType(self._kept)
