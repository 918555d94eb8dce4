"""A lecture scene with one of each: a grid of scores, weights, numbers, a dot, a bar, words and a formula."""

from manim import Circle, Rectangle

from scenes.kit import frame
from scenes.kit.brief import SceneBrief
from scenes.kit.encoding import Encoding, LinearScale
from scenes.kit.flow import Flow
from scenes.kit.formula import Formula
from scenes.kit.frame import Box
from scenes.kit.grid import ScoreGrid
from scenes.kit.matrix import NumberMatrix
from scenes.kit.scene import LectureScene
from scenes.kit.text import BoundNumber, Captioned, Label, Prose
from scenes.kit.tokens import TokenBox
from tests.core.small_models import PROMPT, small_model
from transformer_core import derive
from transformer_core.capture import capture

AREA = LinearScale("area", "area", full=0.6)
LENGTH = LinearScale("length", "length", full=2.0)
OPACITY = LinearScale("opacity", "opacity", full=1.0)


def small_trace():
    return capture(small_model(), PROMPT)


class SmallScene(LectureScene):
    name = "small"
    beats = ("show",)

    def __init__(self, trace, **brief):
        super().__init__(SceneBrief(trace=trace, layer=1, head=2, **brief))
        self.layer, self.head = 1, 2
        self.flow = Flow(self.brief.layout, len(trace.spec.ids))
        self.setup()

    @property
    def fields(self):
        return {"weight": self.attention("pattern", 3, 2)}

    def attention(self, stage, query, key, *, head=2):
        return self.trace.cell(f"blocks.1.attn.{stage}", head=head, query=query, key=key)

    def score_grid(self, **settings):
        cell = settings.pop("cell", lambda query, key: self.attention("masked", query, key))
        return ScoreGrid(cell, flow=self.flow, theme=self.theme, **settings)

    def show(self):
        """Put everything on screen, as the beat leaves it."""
        spec, theme = self.trace.spec, self.theme
        self.tokens = [
            TokenBox(text, box=self.flow.label(i), theme=theme, position=i) for i, text in enumerate(spec.tokens)
        ]
        self.keys = [
            TokenBox(text, box=self.flow.key_label(i), theme=theme, position=i, role="key")
            for i, text in enumerate(spec.tokens)
        ]
        self.grid = self.score_grid()
        weights = [
            [self.trace.cell("blocks.1.attn.W_O", head=2, d_head=row, d_model=column) for column in range(3)]
            for row in range(2)
        ]
        self.weights = NumberMatrix(
            weights, box=Box(12.9, 3.2, 1.9, 0.6), role="weight", theme=theme, down="d_head", across="d_model"
        )
        self.number = self.bound(self.attention("pattern", 3, 2), 13.0, 4.3)
        self.other = self.bound(self.attention("pattern", 3, 1), 14.2, 4.3)
        self.derived = self.bound(derive.product(self.number.cell, self.attention("scaled", 3, 2)), 13.0, 4.8)
        self.words = Prose("every query meets every key", size=frame.NUMBER_SIZE, color=theme.note)
        self.words.place(4.5, 2.4, "left")
        self.label = Label("layer 2, head 3", size=frame.NUMBER_SIZE, color=theme.note).place(13.6, 2.4)
        self.formula = Formula("S = @query(Q) @key(K)^top \\/ sqrt(d_k)", size=0.4, theme=theme)
        self.formula.move_to(frame.at(12.5, 0.9))
        self.dot = self.carrier(Circle(), self.number.cell, AREA)
        self.dot.scale_to_fit_width(AREA.drawn(self.number.cell.value)).move_to(frame.at(13.0, 5.4))
        length = LENGTH.drawn(self.number.cell.value)
        self.bar = self.carrier(Rectangle(width=length, height=0.05), self.number.cell, LENGTH)
        self.bar.move_to(frame.at(14.0, 5.9))
        self.patch = self.carrier(Rectangle(width=0.5, height=0.3), self.number.cell, OPACITY)
        self.patch.set_fill(opacity=self.number.cell.value).move_to(frame.at(13.0, 6.4))
        self.add(*self.tokens, *self.keys, self.grid, self.weights, self.number, self.other, self.derived)
        self.add(self.words, self.label, self.formula, self.dot, self.bar, self.patch, self.legend)
        return self

    def bound(self, cell, x, y, **settings):
        number = BoundNumber(cell, size=frame.NUMBER_SIZE, color=self.theme.text, **settings)
        return number.place(x, y)

    def carrier(self, shape, cell, scale):
        shape.set_stroke(width=0).set_fill(self.theme.role("pattern"), opacity=1)
        shape.encodings = (Encoding(cell, scale),)
        return shape

    def caption(self, text=None):
        filled = self.texts.beats["show"].captions[0].fill(self.language, self.fields)
        settings = {"size": frame.NUMBER_SIZE, "color": self.theme.text}
        self.burnt = Captioned(text or filled.text, filled.quoted, **settings).place(*frame.CAPTION.centre)
        return self.burnt
