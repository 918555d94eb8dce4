"""Things fade in and out where they are: their colours alone change.

Manim's FadeIn and FadeOut allow for a way and a change of size, and so make two copies of everything and move every
point in every frame. Where neither is asked for, the same picture costs a product per colour.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, Mobject, Scene, VMobject

COLOURS = ("fill_rgbas", "stroke_rgbas", "background_stroke_rgbas")


class Appear(Animation):
    """Fade a mobject in, from fully transparent to its own opacity."""

    def __init__(self, mobject: Mobject, **kwargs: Any) -> None:
        super().__init__(mobject, introducer=True, **kwargs)

    def create_starting_mobject(self) -> Mobject:
        """The mobject itself: nothing but the colours kept by `begin` is needed."""
        return self.mobject  # type: ignore[return-value]

    def begin(self) -> None:
        """Keep every colour as it is now."""
        self._own = [
            (part, name, np.array(getattr(part, name)))
            for part in self.mobject.family_members_with_points()
            if isinstance(part, VMobject)
            for name in COLOURS
            if getattr(part, name)[:, 3].any()
        ]
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        """Show `alpha`, eased, of every opacity."""
        self._show(self.get_sub_alpha(alpha, 0, 1))

    def _show(self, share: float) -> None:
        for part, name, own in self._own:
            # A new array: copies of a mobject may share the one before.
            setattr(part, name, own * (1.0, 1.0, 1.0, share))


class Vanish(Appear):
    """Fade a mobject out and take it off the screen; off the screen it has its own opacity again."""

    def __init__(self, mobject: Mobject, **kwargs: Any) -> None:
        super().__init__(mobject, **kwargs)
        self.introducer, self.remover = False, True

    def interpolate_mobject(self, alpha: float) -> None:
        """Take `alpha`, eased, of every opacity away."""
        self._show(1.0 - self.get_sub_alpha(alpha, 0, 1))

    def clean_up_from_scene(self, scene: Scene) -> None:
        """Take it off the screen."""
        super().clean_up_from_scene(scene)
        self._show(1.0)
