"""All heads of a layer side by side as small grids of dots, on one scale; none is picked."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup

from scenes.kit import frame, glyphs
from scenes.kit.dots import DotGrid, DotLegend
from scenes.kit.flow import Flow
from scenes.kit.frame import Box
from scenes.kit.mark import outline
from scenes.kit.text import Glyphs, Label, Prose, TokenText
from scenes.kit.theme import Theme
from transformer_core.trace import Trace

ROOM = Box(0.8, 1.35, 14.4, 5.55)
"""The room of the grids with their names."""

HEAD, FOOT, NOTE = 0.36, 0.4, 0.36
"""What stands above and below a grid, and what a note under its name takes more."""

BETWEEN, APART = 0.36, 0.9
"""The gap between two grids side by side: at least, and at most where there is room."""

LARGEST = 0.6
"""The place of one dot at most, so that the legend's largest dot keeps to its line."""

TALL = 1.45
"""So many times as high as wide a grid may be, where that lets the words beside it be read."""

NOTE_SIZE = frame.CONTEXT_SIZE * 1.1
"""The size at which the notes of neighbours keep apart."""

WORD = 0.72
"""The size of a word beside a grid, as a share of its line."""

LEGEND = 7.15
"""The y of the legend."""


class HeadGrids:
    """The grids, their names, the words beside the first grid of each line, and what area stands for.

    ``notes`` are a line for each head, to be brought under its name later.
    """

    def __init__(
        self,
        trace: Trace,
        *,
        layer: int,
        flow: Flow,
        theme: Theme,
        asking: int,
        names: Sequence[str],
        notes: Sequence[str] = (),
    ) -> None:
        self.flow, self.theme, self.tokens, self.asking = flow, theme, trace.spec.tokens, asking
        self.foot = FOOT + (NOTE if notes else 0.0)
        self.note_width = max((glyphs.width(text, NOTE_SIZE) for text in notes), default=0.0)
        self.boxes = self._boxes(len(names))
        self.grids = [self._grid(trace, layer, head, box) for head, box in enumerate(self.boxes)]
        self.names = [self._name(text, box) for text, box in zip(names, self.boxes, strict=True)]
        self.notes = self._notes(notes)
        self.marks = [self._mark(grid) for grid in self.grids]

    @property
    def labelled(self) -> bool:
        """Whether the lines of a grid are high enough for the words beside them."""
        return self._readable(self.boxes[0].height)

    def _readable(self, height: float) -> bool:
        return height / self.flow.tokens >= frame.CONTEXT_SIZE * 1.1

    def _size(self, height: float) -> float:
        """The size of the words beside a grid of that height: context size at least."""
        return max(frame.CONTEXT_SIZE, min(frame.LABEL_SIZE, height / self.flow.tokens * WORD))

    def _margin(self, height: float) -> float:
        """The room for the words at the left of the grids, were they that high."""
        if not self._readable(height):
            return 0.0
        return max(glyphs.width(text, self._size(height)) for text in self.tokens) + 0.14

    def _boxes(self, count: int) -> list[Box]:
        """The arrangement in lines and columns that makes the dots largest; of equal ones the most even."""
        most, wanted = self.flow.tokens * LARGEST, self.flow.tokens * frame.LABEL_SIZE / WORD
        between = max(BETWEEN, 1.2 - most, self.note_width + 0.2 - most)
        options = []
        for columns in range(1, count + 1):
            lines = -(-count // columns)
            high = ROOM.height / lines - HEAD - self.foot
            wide = (ROOM.width - self._margin(min(high, wanted)) - between * (columns - 1)) / columns
            options.append((min(high, wide, most), -lines, -columns, high))
        side, lines, columns, high = max(options)
        lines, columns = -lines, -columns
        tall = max(side, min(high, side * TALL, wanted))
        margin = self._margin(tall)
        if columns > 1:
            spare = (ROOM.width - margin - side * columns) / (columns - 1)
            between = max(between, min(APART, spare))
        left = (frame.WIDTH - margin - side * columns - between * (columns - 1)) / 2 + margin
        height = tall + HEAD + self.foot
        top = ROOM.top + (ROOM.height - height * lines) / 2 + HEAD
        places = [divmod(head, columns) for head in range(count)]
        return [Box(left + c * (side + between), top + r * height, side, tall) for r, c in places]

    def _grid(self, trace: Trace, layer: int, head: int, box: Box) -> DotGrid:
        name = f"blocks.{layer}.attn.pattern"
        grid = DotGrid(
            lambda query, key: trace.cell(name, head=head, query=query, key=key),
            flow=self.flow,
            theme=self.theme,
            box=box,
        )
        for each in grid.get_family():
            each.all_heads = True
        return grid

    def _name(self, text: str, box: Box) -> Label:
        size = _fitting(text, frame.NUMBER_SIZE, max(box.width, 1.0), "strong")
        name = Label(text, size=size, color=self.theme.text, weight="strong")
        return name.place(box.centre[0], box.bottom + FOOT * 0.62)

    def _notes(self, texts: Sequence[str]) -> list[Label]:
        """A line under each name, at one size; nothing where that size would be too small to be read."""
        apart = self.boxes[1].left - self.boxes[0].left - 0.2 if len(self.boxes) > 1 else frame.WORK.width
        size = min((_fitting(text, frame.LABEL_SIZE, apart) for text in texts), default=0.0)
        if size < frame.CONTEXT_SIZE:
            return []
        return [
            Label(text, size=size, color=self.theme.note).place(box.centre[0], box.bottom + FOOT * 0.62 + NOTE)
            for text, box in zip(texts, self.boxes, strict=True)
        ]

    def _mark(self, grid: DotGrid) -> VGroup:
        """Around what the asking word looks at, in every head."""
        mark = VGroup(outline(grid.line_box(self.asking), self.theme.role("query"), pad=0.0))
        if self.flow.columns and self.labelled:
            mark.add(grid.heading(self.asking, self.tokens[self.asking]))
        return mark

    @property
    def words(self) -> list[Glyphs]:
        """The words beside the first grid of each line: what is looked at (columns), or who asks (rows)."""
        if not self.labelled:
            return []
        first = [grid for grid in self.grids if grid.box.left == self.boxes[0].left]
        role = self.theme.note if self.flow.columns else self.theme.role("query")
        found: list[Glyphs] = []
        for grid in first:
            for token, text in enumerate(self.tokens):
                place = grid.cell_box(0, token) if self.flow.columns else grid.cell_box(token, 0)
                asks = not self.flow.columns and token == self.asking
                word = TokenText(text, size=self._size(grid.box.height), color=role if asks else self.theme.note)
                found.append(word.place(grid.box.left - 0.12, place.centre[1], "right"))
        return found

    def legend(self, text: str, axes: str) -> VGroup:
        """What area stands for, and which way queries and keys run."""
        note = Prose(axes, size=frame.NOTE_SIZE, color=self.theme.note)
        note.place(frame.WIDTH - frame.MARGIN_X, LEGEND, "right")
        return VGroup(DotLegend(self.grids[0], text, place=(frame.WORK.left, LEGEND), size=frame.NOTE_SIZE), note)


def _fitting(text: str, size: float, room: float, weight: str = "regular") -> float:
    """That size, or the one at which the text keeps to the room."""
    return min(size, size * room / glyphs.width(text, size, weight))
