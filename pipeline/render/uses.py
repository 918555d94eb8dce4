"""What a scene used and came to: the quantities that it read from its trace, the fonts of its texts, its pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline.render.job import USES, write_json
from transformer_core.trace import Trace, TraceSpec


class ObservedTrace(Trace):
    """A trace that notes which of its quantities are read."""

    __slots__ = ("_observing", "_read")
    _observing: bool
    _read: set[str]

    def __init__(self, spec: TraceSpec, arrays: Mapping[str, Any]) -> None:
        super().__init__(spec, arrays)
        object.__setattr__(self, "_read", set())
        object.__setattr__(self, "_observing", True)

    @property
    def read(self) -> tuple[str, ...]:
        """The names that were read, sorted."""
        return tuple(sorted(self._read))

    @contextmanager
    def unobserved(self) -> Iterator[None]:
        """What is read inside does not count."""
        object.__setattr__(self, "_observing", False)
        try:
            yield
        finally:
            object.__setattr__(self, "_observing", True)

    def _require(self, name: str) -> None:
        super()._require(name)
        if self._observing:
            self._read.add(name)


def write_uses(trace: ObservedTrace, looks: Mapping[str, str]) -> None:
    """Write what the process used so far into its job folder, and the digest of the picture after each beat."""
    from scenes.kit.glyphs import used_fonts

    write_json(Path(USES), {"quantities": trace.read, "fonts": used_fonts(), "looks": looks})
