"""JSON-able data that cannot be changed after it was made."""

from collections.abc import Mapping
from typing import Any, NoReturn


class FrozenDict(dict[str, Any]):
    """A dict whose contents stay. Copies of it are itself; JSON, `==` and reading work as for any dict."""

    def _refuse(self, *_arguments: object, **_named: object) -> NoReturn:
        raise TypeError("this mapping cannot be changed; build a new one")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse  # type: ignore[assignment]

    def __copy__(self) -> "FrozenDict":
        return self

    def __deepcopy__(self, _memo: object) -> "FrozenDict":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (FrozenDict, (dict(self),))

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(sorted((key, hash(value)) for key, value in self.items())))


def freeze(data: Any) -> Any:
    """The same JSON-able data with mappings as FrozenDict and lists as tuples, all the way down."""
    if isinstance(data, Mapping):
        return FrozenDict({str(key): freeze(value) for key, value in data.items()})
    if isinstance(data, (list, tuple)):
        return tuple(freeze(value) for value in data)
    return data
