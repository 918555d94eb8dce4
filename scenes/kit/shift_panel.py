"""A step of k positions: dials that turn by the same angle from any start, their blocks, and the products."""

from __future__ import annotations

from collections.abc import Callable

from manim import VGroup

from scenes.kit import frame
from scenes.kit.dots import disc
from scenes.kit.frame import Box
from scenes.kit.mark import outline
from scenes.kit.matrix import NumberMatrix
from scenes.kit.reading import Reading
from scenes.kit.text import Label, Prose, Tick
from scenes.kit.theme import Theme
from scenes.kit.turns import Dial, TurnBlock

DIALS, STARTS, PRODUCTS = 3, (2, 7), 6
LEFT, PITCH, RADIUS, MIDDLE = 2.05, 2.95, 1.15, 3.05
BLOCK = (2.2, 1.0)
TABLE = Box(10.45, 2.4, 4.35, 3.72)


class ShiftPanel:
    """Two starts of the same step on a few dials; the blocks below stay. ``columns`` writes R_k, else R_kᵀ."""

    def __init__(self, reading: Reading, *, columns: bool, theme: Theme, word: Callable[..., str]) -> None:
        self.of, self.theme, self.word, self.columns = reading, theme, word, columns
        pairs = min(DIALS, reading.d_model // 2)
        self.dials = [
            Dial(reading.trace, pair, centre=(LEFT + pair * PITCH, MIDDLE), radius=RADIUS, theme=theme)
            for pair in range(pairs)
        ]
        self.dial_names = self._dial_names()
        places = [min(start, reading.context - 1 - reading.step) for start in STARTS]
        self.places = places
        self.starts = [self._hands(place, 0) for place in places]
        self.ends = [self._hands(place, reading.step) for place in places]
        self.start_names = [self._hand_name(place, 0) for place in places]
        self.end_names = [self._hand_name(place, reading.step) for place in places]
        self.turns = [VGroup(*(dial.turn(place, reading.step) for dial in self.dials)) for place in places]
        self.blocks = [
            TurnBlock(dial, reading.step, box=self._block_box(dial), transposed=not columns) for dial in self.dials
        ]
        self.block_name = self._block_name()
        self.products = self._products()
        self.product_names = self._product_names()
        self.marks = self._marks()

    def _hands(self, place: int, step: int) -> VGroup:
        return VGroup(*(dial.hand(place + step, strong=step > 0) for dial in self.dials))

    def _hand_name(self, place: int, step: int) -> VGroup:
        name, colour = ("shift_end", self.theme.text) if step else ("shift_start", self.theme.role("data"))
        label = Label(self.word(name, p=place + step), size=frame.NUMBER_SIZE, color=colour)
        x, y = LEFT - RADIUS + (2.4 if step else 0.1), MIDDLE + RADIUS + 0.42
        sample = disc(0.2, (x, y), colour)
        if not step:
            sample.set_fill(self.theme.ground, 1).set_stroke(colour, width=3)
        return VGroup(sample, label.place(x + 0.22, y, "left"))

    def _dial_names(self) -> VGroup:
        group = VGroup()
        for pair, dial in enumerate(self.dials):
            x, _ = frame.place_of(dial.middle)
            name = Label(self.word("waves_pair", i=pair + 1), size=frame.LABEL_SIZE, color=self.theme.text)
            group.add(name.place(x, MIDDLE - RADIUS - 0.34))
        return group

    def _block_box(self, dial: Dial) -> Box:
        x, _ = frame.place_of(dial.middle)
        return Box(x - BLOCK[0] / 2, 5.2, *BLOCK)

    def _block_name(self) -> VGroup:
        text = Label(self.word("shift_block", k=self.of.step), size=frame.LABEL_SIZE, color=self.theme.text)
        note = Prose(self.word("shift_any"), size=frame.NOTE_SIZE, color=self.theme.note)
        left = LEFT - BLOCK[0] / 2
        return VGroup(text.place(left, 6.68, "left"), note.place(left, 7.1, "left"))

    def _products(self) -> NumberMatrix:
        count = min(PRODUCTS, self.of.shown)
        cells = [[self.of.product(p, q) for q in range(count)] for p in range(count)]
        return NumberMatrix(
            cells,
            box=TABLE,
            role="data",
            theme=self.theme,
            down="none",
            across="none",
            size=frame.LABEL_SIZE * 0.85,
            shades=False,
        )

    def _product_names(self) -> VGroup:
        group, size, colour = VGroup(), frame.NOTE_SIZE, self.theme.note
        for place in range(self.products.rows):
            cell = self.products.cell_box(place, place)
            group.add(Tick(str(place), size=size, color=colour).place(cell.centre[0], TABLE.top - 0.24))
            group.add(Tick(str(place), size=size, color=colour).place(TABLE.left - 0.22, cell.centre[1], "right"))
        group.add(Prose("q", size=frame.LABEL_SIZE, color=colour).place(TABLE.right + 0.25, TABLE.top - 0.24))
        group.add(Prose("p", size=frame.LABEL_SIZE, color=colour).place(TABLE.left - 0.3, TABLE.top - 0.24))
        title = Prose(self.word("shift_product"), size=frame.LABEL_SIZE, color=self.theme.text)
        return group.add(title.place(TABLE.left, TABLE.top - 0.62, "left"))

    def _marks(self) -> VGroup:
        step, count = self.of.step, self.products.rows
        places = [(p, q) for p in range(count) for q in range(count) if abs(p - q) == step]
        boxes = VGroup(*(outline(self.products.cell_box(*place), self.theme.text, pad=-0.03) for place in places))
        note = Label(self.word("shift_even", k=step), size=frame.LABEL_SIZE, color=self.theme.text)
        quiet = Prose(self.word("shift_side"), size=frame.NOTE_SIZE, color=self.theme.note)
        note.place(TABLE.left, TABLE.bottom + 0.42, "left")
        return VGroup(boxes, note, quiet.place(TABLE.left, TABLE.bottom + 0.82, "left"))
