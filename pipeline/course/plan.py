"""What a build has to do: one task for each picture of which an asset is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.course.asset import VIDEO_FORMS, Asset, Picture
from pipeline.course.digest import digest
from pipeline.course.inputs import Inputs
from pipeline.course.state import State


@dataclass(frozen=True)
class Task:
    """One picture, drawn at most once, and the assets to publish from it."""

    picture: Picture
    inputs: Inputs
    states: tuple[State, ...]

    @property
    def key(self) -> str:
        """What two builds must not work on at the same time."""
        return task_key(self.inputs)

    @property
    def label(self) -> str:
        """The name that people see: that of its first asset."""
        more = len(self.states) - 1
        return self.states[0].asset.name + (f" and {more} more" if more else "")

    @property
    def assets(self) -> tuple[Asset, ...]:
        """The assets to publish."""
        return tuple(state.asset for state in self.states)

    @property
    def films(self) -> tuple[str, ...]:
        """The forms of film to have of it: also those that a block asks for and that are there already."""
        wanted = {form for asset in self.assets for form in asset.forms or (asset.form,)}
        return tuple(form for form in VIDEO_FORMS if form in wanted)


def task_key(inputs: Inputs) -> str:
    """The key of a picture with its numbers."""
    return digest([inputs.picture_key, inputs.numbers_key])


def shard(states: Sequence[State], *, number: int, count: int) -> tuple[State, ...]:
    """Those of the states whose pictures are the `number`-th of `count` parts, from 1.

    The parts are made of all pictures in the course's order, built or not, so that machines with other stores agree.
    """
    keys = dict.fromkeys(task_key(state.inputs) for state in states)
    own = {key for place, key in enumerate(keys) if place % count == number - 1}
    return tuple(state for state in states if task_key(state.inputs) in own)


def plan(states: Iterable[State]) -> tuple[Task, ...]:
    """The tasks for those that are wanted, in the course's order."""
    grouped: dict[str, list[State]] = {}
    for state in states:
        if state.wanted:
            grouped.setdefault(task_key(state.inputs), []).append(state)
    return tuple(Task(group[0].asset.picture, group[0].inputs, tuple(group)) for group in grouped.values())
