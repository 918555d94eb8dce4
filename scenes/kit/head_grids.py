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

ROOM = Box(0.8, 1.35, 14.4, 5.5)
"""The room of the grids with their names."""

HEAD, FOOT, BETWEEN = 0.4, 0.5, 0.36
"""What stands above and below a grid, and the gap between two at least."""

LARGEST = 0.6
"""The place of one dot at most, so that the legend's largest dot keeps to its line."""

LEGEND = 7.15
"""The y of the legend."""


class HeadGrids:
    """The grids, their names, the words beside the first grid of each line, and what area stands for."""

    def __init__(
        self, trace: Trace, *, layer: int, flow: Flow, theme: Theme, asking: int, names: Sequence[str]
    ) -> None:
        self.flow, self.theme, self.tokens, self.asking = flow, theme, trace.spec.tokens, asking
        self.side, self.boxes = self._boxes(len(names))
        self.grids = [self._grid(trace, layer, head, box) for head, box in enumerate(self.boxes)]
        self.names = [self._name(text, box) for text, box in zip(names, self.boxes, strict=True)]
        self.marks = [self._mark(grid) for grid in self.grids]

    @property
    def labelled(self) -> bool:
        """Whether the lines of a grid are high enough for the words beside them."""
        return self.side / self.flow.tokens >= frame.CONTEXT_SIZE * 1.1

    @property
    def _size(self) -> float:
        """The size of the words beside a grid: context size at least."""
        return max(frame.CONTEXT_SIZE, min(frame.LABEL_SIZE, self.side / self.flow.tokens * 0.72))

    def _margin(self, side: float) -> float:
        """The room for the words at the left of the grids, were their side that long."""
        pitch = side / self.flow.tokens
        if pitch < frame.CONTEXT_SIZE * 1.1:
            return 0.0
        size = max(frame.CONTEXT_SIZE, min(frame.LABEL_SIZE, pitch * 0.72))
        return max(glyphs.width(text, size) for text in self.tokens) + 0.14

    def _boxes(self, count: int) -> tuple[float, list[Box]]:
        """The arrangement in lines and columns that makes the grids largest."""
        most = self.flow.tokens * LARGEST
        between = max(BETWEEN, 1.2 - most)
        options = []
        for columns in range(1, count + 1):
            lines = -(-count // columns)
            high = min(most, ROOM.height / lines - HEAD - FOOT)
            wide = (ROOM.width - self._margin(high) - between * (columns - 1)) / columns
            options.append((min(high, wide), -lines, columns))
        side, lines, columns = max(options)
        margin = self._margin(side)
        left = (frame.WIDTH - margin - side * columns - between * (columns - 1)) / 2 + margin
        height = side + HEAD + FOOT
        top = ROOM.top + (ROOM.height + height * lines) / 2 + HEAD
        places = [divmod(head, columns) for head in range(count)]
        return side, [Box(left + c * (side + between), top + r * height, side, side) for r, c in places]

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
        room = max(self.side, 1.0)
        size = min(frame.NUMBER_SIZE, frame.NUMBER_SIZE * room / glyphs.width(text, frame.NUMBER_SIZE, "strong"))
        name = Label(text, size=size, color=self.theme.text, weight="strong")
        return name.place(box.centre[0], box.bottom + FOOT * 0.62)

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
                word = TokenText(text, size=self._size, color=role if asks else self.theme.note)
                found.append(word.place(grid.box.left - 0.12, place.centre[1], "right"))
        return found

    def legend(self, text: str, axes: str) -> VGroup:
        """What area stands for, and which way queries and keys run."""
        note = Prose(axes, size=frame.NOTE_SIZE, color=self.theme.note)
        note.place(frame.WIDTH - frame.MARGIN_X, LEGEND, "right")
        return VGroup(DotLegend(self.grids[0], text, place=(frame.WORK.left, LEGEND), size=frame.NOTE_SIZE), note)
