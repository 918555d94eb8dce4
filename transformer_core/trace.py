"""The record of one forward pass: immutable, hashed, saved and loaded without a changed bit."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from transformer_core.cell import Cell
from transformer_core.errors import InputError
from transformer_core.other_runs import run_name, split_run
from transformer_core.sites import shape_of
from transformer_core.spec import TraceSpec
from transformer_core.stages import layer_of, stage_of

__all__ = ["Cell", "Trace", "TraceSpec"]

_METADATA_KEY = "trace"
_MASKABLE = frozenset({"mask", "masked", "shifted", "exp", "pattern"})


class Trace:
    """Every quantity of one forward pass as float64, under its stage's name.

    The numbers live in `bytes`. `array` hands out a fresh read-only copy each time, so that nothing that is
    done to one, by torch for instance, reaches the trace. Copies of a trace are the trace itself.
    """

    __slots__ = ("_bytes", "_digest", "_shapes", "_spec")
    _spec: TraceSpec
    _bytes: Mapping[str, bytes]
    _shapes: Mapping[str, tuple[int, ...]]
    _digest: str

    def __init__(self, spec: TraceSpec, arrays: Mapping[str, Any]) -> None:
        """Raises InputError for a name that is no stage and for a shape that is not the configuration's."""
        kept, shapes = {}, {}
        for name in sorted(arrays):
            array = np.asarray(arrays[name], dtype="<f8")
            expected = shape_of(name, spec.config, position_count=len(spec.ids))
            if array.shape != expected:
                raise InputError(
                    f"{name} in a trace",
                    f"its shape is {array.shape}, not {expected}",
                    "make the trace again",
                )
            if np.isnan(array).any():
                raise InputError(
                    f"{name} in a trace", "it holds a value that is not a number", "check the model's weights"
                )
            kept[name], shapes[name] = array.tobytes(), array.shape
        object.__setattr__(self, "_spec", spec)
        object.__setattr__(self, "_bytes", MappingProxyType(kept))
        object.__setattr__(self, "_shapes", MappingProxyType(shapes))
        object.__setattr__(self, "_digest", _digest(spec, kept, shapes))

    @property
    def spec(self) -> TraceSpec:
        """What this is a trace of."""
        return self._spec

    @property
    def digest(self) -> str:
        """64 hex digits: sha256 over the spec and, sorted, each name, axes, dtype, shape and bytes."""
        return self._digest

    def names(self) -> tuple[str, ...]:
        """The names of all quantities, sorted."""
        return tuple(self._bytes)

    def axes(self, name: str) -> tuple[str, ...]:
        """The axis names of a quantity, in order. Raises InputError when the trace does not hold it."""
        self._require(name)
        return stage_of(name).axes

    def array(self, name: str) -> np.ndarray:
        """A read-only float64 copy. Raises InputError when the trace does not hold the name."""
        self._require(name)
        # bytes(memoryview) copies; bytes(bytes) would hand out the trace's own memory, which torch can write
        # to.
        copy = bytes(memoryview(self._bytes[name]))
        return np.frombuffer(copy, dtype="<f8").reshape(self._shapes[name])

    def cell(self, name: str, **index: int) -> Cell:
        """The number at a place: `trace.cell("blocks.0.attn.pattern", head=0, query=3, key=2)`.

        0-based. Raises InputError for a missing, unknown or out-of-range index.
        """
        self._require(name)
        axes, shape = stage_of(name).axes, self._shapes[name]
        if set(index) != set(axes):
            raise InputError(f"{name}[{', '.join(index)}]", f"its axes are {', '.join(axes)}", "name each of them once")
        offset = 0
        for axis, size in zip(axes, shape, strict=True):
            place = index[axis]
            if not isinstance(place, (int, np.integer)) or isinstance(place, bool) or not 0 <= place < size:
                raise InputError(
                    f"{axis} = {place!r} in {name}",
                    "out of range",
                    f"give a whole number from 0 to {size - 1}",
                )
            offset = offset * size + int(place)
        value = float(np.frombuffer(self._bytes[name], dtype="<f8", count=1, offset=8 * offset)[0])
        place_of_axis = tuple((axis, int(index[axis])) for axis in axes)
        return Cell(name, place_of_axis, value, self._digest[:16], masked=self._is_masked(name, offset))

    def cells(self, name: str, **index: int) -> Iterator[Cell]:
        """The cells of a quantity in order, all axes that are not given running."""
        axes = self.axes(name)
        free = [axis for axis in axes if axis not in index]
        sizes = dict(zip(axes, self._shapes[name], strict=True))
        for places in np.ndindex(*(sizes[axis] for axis in free)):
            yield self.cell(name, **index, **dict(zip(free, map(int, places), strict=True)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one safetensors file, by renaming, so that no half-written file is ever seen at `path`.

        Raises InputError when the file cannot be written.
        """
        data = save({name: self.array(name) for name in self._bytes}, metadata={_METADATA_KEY: self._metadata()})
        target = Path(path)
        temporary = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            try:
                temporary.write_bytes(data)
                os.replace(temporary, target)
            finally:
                temporary.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(
                str(path), f"cannot be written ({error.strerror})", "name a file in a folder you can write to"
            ) from None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Trace":
        """Read what `save` wrote. Raises InputError for any other file and where the digest is wrong."""
        again = "make the trace again"
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise InputError(str(path), f"cannot be read ({error.strerror})", "name a trace file") from None
        try:
            header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
            stored = json.loads(header["__metadata__"][_METADATA_KEY])
            arrays = load(data)
            spec, digest = TraceSpec.from_json(stored["spec"]), stored["digest"]
        except (SafetensorError, ValueError, KeyError, TypeError, AttributeError, RecursionError, InputError):
            raise InputError(str(path), "not a trace, or damaged", again) from None
        if any(array.dtype != np.dtype("<f8") for array in arrays.values()):
            raise InputError(str(path), "a trace holds float64 only", again)
        trace = cls(spec, arrays)
        if trace.digest != digest:
            raise InputError(str(path), "its numbers do not match its digest", again)
        return trace

    def _metadata(self) -> str:
        return json.dumps({"digest": self._digest, "spec": self._spec.to_json()}, sort_keys=True)

    def _is_masked(self, name: str, offset: int) -> bool:
        if name.rsplit(".", 1)[-1] not in _MASKABLE:
            return False
        run, _ = split_run(name)
        mask = self._bytes.get(run_name(run.key if run else "", f"blocks.{layer_of(name)}.attn.mask"))
        return mask is not None and bool(np.frombuffer(mask, dtype="<f8", count=1, offset=8 * offset)[0] == -np.inf)

    def _require(self, name: str) -> None:
        if name not in self._bytes:
            stage_of(name)
            raise InputError(f"{name}", "this trace does not hold it", "see trace.names()")

    def __setattr__(self, _name: str, _value: object) -> NoReturn:
        raise AttributeError("a trace cannot be changed")

    def __delattr__(self, _name: str) -> NoReturn:
        raise AttributeError("a trace cannot be changed")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __copy__(self) -> "Trace":
        return self

    def __deepcopy__(self, _memo: object) -> "Trace":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (self._spec, dict(self._bytes), dict(self._shapes)))

    def __repr__(self) -> str:
        spec, numbers = self._spec, sum(prod(shape) for shape in self._shapes.values())
        cut = f", cut L{spec.cut[0] + 1}.H{spec.cut[1] + 1}" if spec.cut else ""
        return (
            f"<Trace of {spec.model_name} on {spec.prompt!r}: {len(spec.ids)} tokens, "
            f"{spec.config.layer_count} layer(s) × {spec.config.head_count} head(s), "
            f"{len(self._bytes)} quantities, {numbers:,} numbers, "
            f"{spec.dtype} on {spec.device}{cut}, {self._digest[:16]}>"
        )


def _rebuild(spec: TraceSpec, kept: dict[str, bytes], shapes: dict[str, tuple[int, ...]]) -> Trace:
    return Trace(spec, {name: np.frombuffer(kept[name], dtype="<f8").reshape(shapes[name]) for name in kept})


def _digest(spec: TraceSpec, kept: Mapping[str, bytes], shapes: Mapping[str, tuple[int, ...]]) -> str:
    running = hashlib.sha256()
    for part in [spec.to_json().encode()] + [
        piece
        for name in sorted(kept)
        for piece in (json.dumps([name, stage_of(name).axes, "<f8", shapes[name]]).encode(), kept[name])
    ]:
        running.update(len(part).to_bytes(8, "little"))
        running.update(part)
    return running.hexdigest()
