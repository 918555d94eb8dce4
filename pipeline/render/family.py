"""The mobjects to draw and their order, found in one walk."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from manim import Mobject
from manim.utils.family import extract_mobject_family_members


def family_with_points(mobjects: Iterable[Mobject], *, use_z_index: bool) -> list[Mobject]:
    """Manim's `extract_mobject_family_members(mobjects, use_z_index, only_those_with_points=True)`.

    That one writes out the family of each mobject, of its submobjects again, and so on, and keeps the last place
    of each; scenes give it families in full, so the same is written many times. From the end, what was met once
    need not be entered again: everything below it was met then.
    """
    mobjects = list(mobjects)
    backwards: list[Mobject] = []
    met: set[int] = set()
    for mobject in reversed(mobjects):
        if id(mobject) not in met and not _walk(mobject, met, backwards):
            return extract_mobject_family_members(mobjects, use_z_index=use_z_index, only_those_with_points=True)
    found = [each for each in reversed(backwards) if each.get_num_points() > 0]
    return sorted(found, key=lambda each: each.z_index) if use_z_index else found


def _walk(mobject: Mobject, met: set[int], backwards: list[Mobject]) -> bool:
    """Append the mobject's family from its end; False where it has a way of its own to tell its family."""
    if not _tells_family_as_usual(type(mobject)):
        return False
    met.add(id(mobject))
    for each in reversed(mobject.submobjects):
        if id(each) not in met and not _walk(each, met, backwards):
            return False
    backwards.append(mobject)
    return True


@cache
def _tells_family_as_usual(kind: type[Mobject]) -> bool:
    usual = ("get_family", "_iter_family", "family_members_with_points")
    return all(getattr(kind, name, None) is getattr(Mobject, name) for name in usual)
