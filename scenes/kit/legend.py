"""The colour convention, on screen: blue is learned, grey is data, the shade of a cell is the size of its value."""

from __future__ import annotations

from manim import Rectangle, VGroup

from scenes.kit import frame
from scenes.kit.brief import SceneBrief
from scenes.kit.encoding import SHADE
from scenes.kit.frame import Box
from scenes.kit.matrix import flattened
from scenes.kit.rounded import Rounded
from scenes.kit.text import Label, Prose, Tick
from scenes.kit.theme import Theme

WORDS = {
    "weight": {"en": "weights: learned", "zh": "权重：学来的"},
    "data": {"en": "data: flows through", "zh": "数据：流过的"},
    "shade": {"en": "shade: size of a value", "zh": "深浅：数值大小"},
    "flat": {"en": "flat: negative", "zh": "扁格：负"},
}


class Legend(VGroup):
    """The legend: a quiet strip at the foot of the frame, and the same, large, for the first beat."""

    def __init__(self, theme: Theme, language: str, brief: SceneBrief, *, about_head: bool = True) -> None:
        super().__init__()
        self.theme, self.language = theme, language
        self.strip = VGroup(*self._swatches(frame.LEGEND.left, frame.LEGEND.centre[1], 0.2, frame.CONTEXT_SIZE))
        self.source = Label(_source(brief, language, about_head=about_head), size=frame.CONTEXT_SIZE, color=theme.note)
        self.source.place(frame.LEGEND.right, frame.LEGEND.centre[1], "right")
        self.add(self.strip, self.source)

    def large(self, box: Box) -> VGroup:
        """The legend at reading size, for the start of a video."""
        return VGroup(*self._swatches(box.left, box.centre[1], 0.34, frame.NUMBER_SIZE))

    def _swatches(self, left: float, middle: float, side: float, size: float) -> list[VGroup]:
        pen, parts = left, []
        for role in ("weight", "data"):
            swatch = _swatch(pen, middle, side, self.theme.role(role))
            text = Prose(WORDS[role][self.language], size=size, color=self.theme.text)
            text.place(pen + side * 1.4, middle, "left")
            pen += side * 1.4 + text.advance + size * 2
            parts.append(VGroup(swatch, text))
        parts.append(self._shade_scale(pen, middle, side, size))
        if self.theme.sign_by_shape:
            parts.append(self._flat(frame.place_of(parts[-1].get_right())[0] + size * 2, middle, side, size))
        return parts

    def _flat(self, left: float, middle: float, side: float, size: float) -> VGroup:
        """What a negative weight without digits looks like where its hue may not be seen."""
        box = flattened(Box(left, middle - side / 2, side, side))
        swatch = Rectangle(width=box.width, height=box.height, stroke_width=0, fill_opacity=1)
        swatch.set_fill(self.theme.role("weight_negative")).move_to(frame.at(*box.centre))
        text = Prose(WORDS["flat"][self.language], size=size, color=self.theme.text)
        return VGroup(swatch, text.place(left + side * 1.4, middle, "left"))

    def _shade_scale(self, left: float, middle: float, side: float, size: float) -> VGroup:
        group, pen = VGroup(), left
        for level in range(len(SHADE.thresholds) + 1):
            group.add(_swatch(pen, middle, side, self.theme.shade("data", level, bare=True), radius=0.0))
            pen += side
            if level < len(SHADE.thresholds):
                small = max(size * 0.8, frame.CONTEXT_SIZE)
                tick = Tick(f"{SHADE.thresholds[level]:g}", size=small, color=self.theme.note)
                group.add(tick.place(pen + tick.advance / 2 + side * 0.15, middle))
                pen += tick.advance + side * 0.3
        text = Prose(WORDS["shade"][self.language], size=size, color=self.theme.text)
        group.add(text.place(pen + side * 0.4, middle, "left"))
        return group


def _swatch(left: float, middle: float, side: float, colour: str, radius: float = 0.03) -> Rounded:
    centre = left + side / 2, middle
    style = {"stroke_width": 0, "fill_color": colour, "fill_opacity": 1}
    return Rounded(width=side, height=side, radius=radius, centre=centre, **style)


def _source(brief: SceneBrief, language: str, *, about_head: bool) -> str:
    words = {"en": ("model", "layer", "head"), "zh": ("模型", "层", "头")}[language]
    if not about_head:
        return f"{words[0]} {brief.trace.spec.model_name}"
    return f"{words[0]} {brief.trace.spec.model_name} · {words[1]} {brief.layer + 1} · {words[2]} {brief.head + 1}"
