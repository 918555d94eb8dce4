"""What exactly changed: the model is run again, and the shown numbers are compared."""

from __future__ import annotations

from pathlib import Path

from pipeline.course.changes import Change, digit_changes
from pipeline.course.digest import digest
from pipeline.course.state import State
from pipeline.course.store import Kept, Store
from pipeline.course.work import request_of

UNCHANGED = "every shown number keeps its digits"
UNKNOWN = "the numbers it showed are not in the store, so they cannot be compared"


def shown_changes(state: State, store: Store, *, base: Path) -> tuple[Change, ...] | None:
    """The shown numbers whose text changed, largest change first; None where it is not known what was shown.

    Runs the model. Raises what `resolve` raises.
    """
    kept = kept_of(state, store)
    if kept is None:
        return None
    return tuple(digit_changes(kept.record(), request_of(state.asset.picture, base).trace))


def kept_of(state: State, store: Store) -> Kept | None:
    """The picture that the lock speaks of, if the store has it."""
    made = state.made
    if made is None:
        return None
    kept = store.kept(digest(dict(made.picture)), made.fonts)
    return next((each for each in kept if each.manifest.numbers_key == digest(dict(made.numbers))), None)


def why(state: State, store: Store, *, base: Path) -> str:
    """One line for people, after the components that changed."""
    changes = shown_changes(state, store, base=base)
    if changes is None:
        return UNKNOWN
    for largest in changes[:1]:
        return f"{largest} and {len(changes) - 1} more" if len(changes) > 1 else str(largest)
    return UNCHANGED
