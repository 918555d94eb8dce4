"""A lecture scene small enough to be rendered many times in a test."""

from __future__ import annotations

from manim import FadeIn, Square

from scenes.kit import frame
from scenes.kit.scene import LectureScene
from scenes.kit.text import BoundNumber

SWATCH = "#58C4DD"


class TinyLecture(LectureScene):
    """One weight and one share."""

    name = "tiny"
    beats = ("weight", "share", "end")
    default_model = "no-such-model"

    @property
    def fields(self):
        return {"share": self._share()}

    def _share(self):
        query = self.brief.query or 0
        return self.trace.cell(f"blocks.{self.brief.layer}.attn.pattern", head=self.brief.head, query=query, key=0)

    def weight(self):
        swatch = Square(2.0, stroke_width=0, fill_opacity=1, fill_color=SWATCH).move_to(frame.at(4, 4))
        cell = self.trace.cell("blocks.0.attn.W_Q", head=0, d_model=0, d_head=0)
        number = BoundNumber(cell, size=0.6, color=self.theme.role("weight")).place(8, 4)
        self.play(FadeIn(swatch, number), run_time=0.4)

    def share(self):
        self.number = BoundNumber(self._share(), size=0.6, color=self.theme.text).place(10, 6)
        self.play(FadeIn(self.number), run_time=0.4)

    def end(self):
        self.play(self.number.animate.set_opacity(0.5), run_time=0.2)
