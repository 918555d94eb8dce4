"""The head several times over, as a short story: one head reads the vector, copies of it do too, what that costs."""

from __future__ import annotations

from dataclasses import dataclass, field

from manim import LaggedStart

from scenes.kit import frame, motion
from scenes.kit.carry import carry
from scenes.kit.count_table import CountTable
from scenes.kit.dots import DotGrid
from scenes.kit.head_copies import HeadCopies
from scenes.kit.head_costs import head_costs
from scenes.kit.head_scene import HeadScene
from scenes.kit.pen import Reach
from scenes.kit.text import Label, Prose


@dataclass
class CopiesStory:
    """Plays the copies in a scene that shows the sentence; ``grids`` are then the small grids by head."""

    scene: HeadScene
    grids: dict[int, DotGrid] = field(default_factory=dict)

    def play(self) -> None:
        """The vector, the head, its copies; then the table of costs, line by line."""
        panel = self._panel()
        self._first_head(panel)
        self._other_heads(panel)
        self.scene.say()
        self._costs(panel)

    def _panel(self) -> HeadCopies:
        scene = self.scene
        return HeadCopies(
            scene.trace,
            flow=scene.flow,
            layer=scene.layer,
            token=scene.asking,
            theme=scene.theme,
            name=lambda number: scene.word("copies_head", i=number),
        )

    def _first_head(self, panel: HeadCopies) -> None:
        """The head that was shown before comes first, where it is among those that are drawn."""
        scene = self.scene
        self.first = panel.places.index(scene.head) if scene.head in panel.places else 0
        arrive = carry(scene.rail[scene.asking], panel.vector, leave=True)
        scene.play(arrive, motion.appear(panel.letter), run_time=0.8)
        edge, weights, results = panel.heads[self.first]
        letters = panel.symbols if scene.flow.columns else [panel.symbols[self.first]]
        frames = motion.appear(edge, weights, panel.labels[self.first], *letters)
        scene.play(Reach(panel.fans[self.first]), frames, run_time=0.6)
        scene.play(*(carry(weight, result, leave=True) for weight, result in zip(weights, results, strict=True)))
        config = scene.trace.spec.config
        note = Label(
            scene.word("copies_reads", d_model=config.d_model, d_head=config.d_head),
            size=frame.LABEL_SIZE,
            color=scene.theme.text,
        )
        scene.play(motion.appear(note.place(*panel.layout.note(), "left")))
        scene.rest()

    def _other_heads(self, panel: HeadCopies) -> None:
        """Copies of it come out of it, all at once; then every entry of the vector reaches each of them."""
        scene, origin = self.scene, panel.heads[self.first]
        others = [place for place in range(len(panel.places)) if place != self.first]
        if not others:
            return
        arrive = [
            motion.appear(panel.heads[place])
            if panel.places[place] is None
            else carry(origin, panel.heads[place], leave=True)
            for place in others
        ]
        scene.play(LaggedStart(*arrive, lag_ratio=0.12), run_time=1.0)
        fans = [Reach(panel.fans[place]) for place in others if panel.places[place] is not None]
        names = [panel.labels[place] for place in others]
        names += [] if scene.flow.columns else [panel.symbols[place] for place in others]
        scene.play(*fans, motion.appear(*names), run_time=0.6)

    def _costs(self, panel: HeadCopies) -> None:
        scene, costs = self.scene, head_costs(self.scene.trace)
        names = ("copies_h", "copies_d_head", "copies_weights", "copies_products", "copies_cells")
        table = CountTable(
            [scene.word(name) for name in names],
            [(cost.heads, cost.d_head, cost.weights, cost.products, cost.grid_cells) for cost in costs],
            box=panel.layout.table(),
            theme=scene.theme,
            decimals=(0, 0, 0, 0, 0),
            marked=frozenset({len(costs) - 1}),
        )
        scene.play(motion.dim(*panel.fans, share=0.6), motion.appear(table.heading))
        for line in table.lines:
            scene.play(motion.appear(line))
            scene.rest(0.6)
        self._grids(panel, table)

    def _grids(self, panel: HeadCopies, table: CountTable) -> None:
        """Out of every head comes its own grid."""
        below, arrive = table.bottom + 0.4, []
        for place, head in enumerate(panel.places):
            if head is None:
                mark = Prose("⋯", size=frame.TITLE_SIZE, color=self.scene.theme.note)
                arrive.append(motion.appear(mark.place(*panel.layout.grid(place, below).centre)))
                continue
            self.grids[head] = panel.grid(place, head, below=below)
            arrive.append(carry(panel.heads[place], self.grids[head], leave=True))
        self.scene.play(LaggedStart(*arrive, lag_ratio=0.25), run_time=1.2)
