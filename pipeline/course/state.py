"""What is stale, and why: the lock against the inputs as they are now. Nothing is computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pipeline.course.asset import Asset
from pipeline.course.course import Course
from pipeline.course.inputs import InputReader, Inputs
from pipeline.course.lock import Lock, Made
from pipeline.course.published import what_lies_there
from pipeline.course.store import Store

Condition = Literal["current", "accepted", "absent", "altered", "unsure", "stale", "missing"]
STALE: tuple[Condition, ...] = ("altered", "unsure", "stale", "missing")
"""What `status --check` objects to. An asset that is current but whose files are not here is not stale."""
WORDS: Mapping[Condition, str] = {
    "current": "current",
    "accepted": "accepted as it is",
    "absent": "current, files not here",
    "altered": "other files in its place",
    "unsure": "not yet recomputed",
    "stale": "stale",
    "missing": "never built",
}
MOST_PARTS = 3


@dataclass(frozen=True)
class State:
    """An asset, its inputs now, and how it stands. `reasons` name the components that changed, or the altered files."""

    asset: Asset
    inputs: Inputs
    made: Made | None
    condition: Condition
    reasons: tuple[str, ...] = ()

    @property
    def stale(self) -> bool:
        """Whether it shows, or may show, what is no longer so."""
        return self.condition in STALE

    @property
    def why(self) -> str:
        """One line: the reasons, or what speaks for itself."""
        return "; ".join(self.reasons) or WORDS[self.condition]

    @property
    def wanted(self) -> bool:
        """Whether a build has something to do for it."""
        return self.stale or self.condition == "absent"


def states(course: Course, assets: Iterable[Asset], lock: Lock, store: Store) -> list[State]:
    """How each asset stands. Raises InputError for a model or source that cannot be read."""
    reader = InputReader(course.folder, cache=store.sources)
    found = [
        state_of(asset, reader.read(asset.picture), lock.get(asset.name), store, course.output) for asset in assets
    ]
    reader.save()
    return found


def state_of(asset: Asset, inputs: Inputs, made: Made | None, store: Store, output: Path) -> State:
    """How one asset stands."""
    if made is None:
        return State(asset, inputs, made, "missing")
    picture = tuple(_picture_reasons(made, inputs, store))
    numbers = tuple(_numbers_reasons(made, inputs, store))
    keys = (inputs.picture_key, inputs.numbers_key)
    if picture or numbers:
        if made.accepted and (made.accepted["picture"], made.accepted["numbers"]) == keys:
            return State(asset, inputs, made, "accepted", (made.accepted["because"],))
        return State(asset, inputs, made, "stale" if picture else "unsure", (*picture, *numbers))
    condition, others = what_lies_there(store, asset.name, made, output)
    return State(asset, inputs, made, condition, (_listed(others),) if others else ())


def _picture_reasons(made: Made, inputs: Inputs, store: Store) -> Iterator[str]:
    for name, now in inputs.picture.items():
        then = made.picture.get(name, "")
        if then == now:
            continue
        if name == "scene":
            yield "code changed: " + _parts(store.details(then), inputs.details[now], otherwise="the scene or its kit")
        elif name in ("look", "programs", "renderer"):
            yield f"{name} changed: {_words(then, now, apart=', ' if name == 'programs' else ' ')}"
        else:
            yield f"{name} changed"
    for name, then in made.fonts.items():
        if inputs.fonts.get(name) != then:
            yield f"font changed: {name}"


def _numbers_reasons(made: Made, inputs: Inputs, store: Store) -> Iterator[str]:
    for name, now in inputs.numbers.items():
        then = made.numbers.get(name, "")
        if then == now:
            continue
        if name in ("weights", "core"):
            what = _parts(store.details(then), inputs.details[now], otherwise="")
            yield f"{name} changed" + (f": {what}" if what else "")
        elif name in ("question", "computed_by", "model"):
            yield f"{name.replace('_', ' ')} changed: {_words(then, now, apart=' ' if name == 'question' else ', ')}"
        else:
            yield f"{name} changed"


def _parts(then: Mapping[str, str], now: Mapping[str, str], *, otherwise: str) -> str:
    """The files or tensors that differ, the first few by name."""
    if not then:
        return otherwise
    return _listed(sorted(name for name in then.keys() | now.keys() if then.get(name) != now.get(name)))


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_PARTS
    return ", ".join(names[:MOST_PARTS]) + (f" and {more} more" if more > 0 else "")


def _words(then: str, now: str, *, apart: str) -> str:
    """The words of two texts that differ: `pace=1.0 → pace=2.0`."""
    old, new = then.split(apart), now.split(apart)
    gone = [word for word in old if word not in new]
    come = [word for word in new if word not in old]
    return f"{apart.join(gone) or '–'} → {apart.join(come) or '–'}"
