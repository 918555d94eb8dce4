"""The head several times over, as a short story: one head reads the vector, copies of it do too, what that costs."""

from __future__ import annotations

from dataclasses import dataclass

from scenes.kit import frame, motion
from scenes.kit.carry import carry
from scenes.kit.count_table import CountTable
from scenes.kit.head_copies import HeadCopies
from scenes.kit.head_costs import head_costs
from scenes.kit.head_scene import HeadScene
from scenes.kit.text import Label, Prose


@dataclass
class CopiesStory:
    """Plays the copies in a scene that shows the sentence."""

    scene: HeadScene

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
        scene.play(motion.appear(panel.fans[self.first]))
        scene.play(motion.appear(panel.heads[self.first], panel.labels[self.first], panel.symbols), run_time=0.6)
        config = scene.trace.spec.config
        note = Label(
            scene.word("copies_reads", d_model=config.d_model, d_head=config.d_head),
            size=frame.LABEL_SIZE,
            color=scene.theme.text,
        )
        scene.play(motion.appear(note.place(*panel.layout.note(), "left")))
        scene.rest()

    def _other_heads(self, panel: HeadCopies) -> None:
        origin = panel.heads[self.first]
        for place, head in enumerate(panel.places):
            if place == self.first:
                continue
            new = panel.heads[place]
            arrive = carry(origin, new, leave=True) if head is not None else motion.appear(new)
            self.scene.play(arrive, motion.appear(panel.labels[place], panel.fans[place]))

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
        below = table.bottom + 0.4
        for place, head in enumerate(panel.places):
            if head is None:
                mark = Prose("⋯", size=frame.TITLE_SIZE, color=self.scene.theme.note)
                self.scene.play(motion.appear(mark.place(*panel.layout.grid(place, below).centre)))
                continue
            self.scene.play(carry(panel.heads[place], panel.grid(place, head, below=below), leave=True))
