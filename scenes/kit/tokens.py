"""Tokens in rounded boxes of one height, in one place through a scene."""

from __future__ import annotations

from manim import VGroup

from scenes.kit import frame, glyphs
from scenes.kit.frame import Box
from scenes.kit.rounded import Rounded
from scenes.kit.text import TokenText
from scenes.kit.theme import Theme


class TokenBox(VGroup):
    """One token in a rounded box; its text shrinks to fit, down to context size, then is cut with "…"."""

    def __init__(
        self, text: str, *, box: Box, theme: Theme, position: int, role: str = "data", size: float = frame.LABEL_SIZE
    ) -> None:
        super().__init__()
        self.position = position
        self.theme = theme
        self.role = role
        self.outline = Rounded(
            width=box.width,
            height=box.height,
            radius=min(0.1, box.height / 3),
            centre=box.centre,
            stroke_width=2.0,
            stroke_color=theme.faint(role),
            fill_color=theme.shade(role, 1),
            fill_opacity=1,
        )
        fitted, shown = fit(text, box, size)
        self.token = TokenText(shown, size=fitted, color=theme.text).place(*box.centre)
        self.token.position = position
        self.add(self.outline, self.token)

    def marked(self, role: str) -> TokenBox:
        """The same token with the outline of a role: the one that asks, one that is found."""
        copy = self.copy()
        copy.outline.set_stroke(self.theme.role(role), width=4.0)
        return copy


def fit(text: str, box: Box, size: float) -> tuple[float, str]:
    """The size at which a text fits a box, and the text, cut with "…" where context size is too large still."""
    size = min(size, max(box.height * 0.76, min(frame.CONTEXT_SIZE, box.height * 0.95)))
    room = box.width - 0.1
    smallest = min(size, frame.CONTEXT_SIZE)
    fitted = min(size, size * room / glyphs.width(text, size))
    if fitted >= smallest:
        return fitted, text
    while len(text) > 1 and glyphs.width(text + "…", smallest) > room:
        text = text[:-1]
    return smallest, text + "…"
