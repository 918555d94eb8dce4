"""Three heads under each other: the same sentence, other arcs; each with what the model's card has measured."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from manim import Animation, Create, LaggedStart, VGroup

from scenes.kit import frame, motion
from scenes.kit.arc_legend import ArcLegend
from scenes.kit.carry import carry
from scenes.kit.frame import Box
from scenes.kit.head_scene import HeadScene
from scenes.kit.lane import SENTENCE, SIZE, Lane, Share, ShareBar
from scenes.kit.relation import Relation, different_heads, relations_of, told
from scenes.kit.rule_path import RulePath
from scenes.kit.text import BoundNumber, Glyphs, Label, Prose
from scenes.kit.texts import Field
from transformer_core import derive
from transformer_core.trace import Cell

TOP, BOTTOM, BETWEEN, TALLEST = 1.2, 7.12, 0.14, 2.9
"""The room of the lanes, the gap between two, and the height of a lane at most."""

NOTES = (7.34, 7.56)
"""The y of the two lines below."""


class RelationStory:
    """Plays the lanes in a scene: by the card's relations, or, without any, the heads that differ most."""

    def __init__(self, scene: HeadScene) -> None:
        self.scene, self.theme, self.word = scene, scene.theme, scene.word
        self.tokens = scene.trace.spec.tokens
        self.relations = relations_of(scene.trace)
        self.layers = scene.trace.spec.config.layer_count
        self.path: RulePath | None = None

    @cached_property
    def heads(self) -> list[tuple[int, int]]:
        """(layer, head) of each lane."""
        if self.relations:
            return [(each.layer, each.head) for each in self.relations]
        return [(self.scene.layer, head) for head in different_heads(self.scene.trace, self.scene.layer)]

    @cached_property
    def lanes(self) -> list[Lane]:
        """The lanes from top to bottom."""
        count = len(self.heads)
        step = min(TALLEST + BETWEEN, (BOTTOM - TOP + BETWEEN) / count)
        top = TOP + (BOTTOM - TOP + BETWEEN - step * count) / 2
        return [self._lane(place, top + place * step, step - BETWEEN) for place in range(count)]

    def _lane(self, place: int, top: float, height: float) -> Lane:
        layer, head = self.heads[place]
        relation = self.relations[place] if self.relations else None
        pattern = self.scene.trace.array(f"blocks.{layer}.attn.pattern")[head]

        def lit(cell: Cell) -> bool:
            if relation:
                return relation.links(cell, self.tokens)
            return len(self.heads) > 1 or cell.at("key") == pattern[cell.at("query")].argmax()

        return Lane(
            lambda query, key: self.scene.trace.cell(f"blocks.{layer}.attn.pattern", head=head, query=query, key=key),
            tokens=self.tokens,
            box=Box(frame.WORK.left, top, frame.WORK.width, height),
            theme=self.theme,
            title=self._kind(relation.kind, self.scene.language) if relation else self.name_of(layer, head),
            lit=lit,
        )

    def name_of(self, layer: int, head: int) -> str:
        """What a head is called, both counted from 0; with its layer where there are several."""
        name = "layer_head" if self.layers > 1 else "head"
        return self.word(name, layer=layer + 1, head=head + 1)

    def _kind(self, kind: str, language: str) -> str:
        """A relation's name; one that the scene has no words for is called as the card calls it."""
        name = f"relation_{kind}"
        return self.scene.texts.word(name, language) if name in self.scene.texts.words else kind

    def kinds_of(self, layer: int) -> list[str]:
        """For every head of a layer the relation that the card claims of it; nothing where it claims none of any."""
        kinds: dict[int, list[str]] = {}
        for each in self.relations:
            if each.layer == layer:
                kinds.setdefault(each.head, []).append(self._kind(each.kind, self.scene.language))
        heads = range(self.scene.trace.spec.config.head_count) if kinds else ()
        return [", ".join(kinds.get(head, ())) or self.word("grids_unnamed") for head in heads]

    @property
    def spoken(self) -> dict[str, Field]:
        """What the lanes show, for the alt texts."""
        found: dict[str, Field] = {"n_lanes": len(self.heads)}
        for language, comma in (("en", ", "), ("zh", "、")):
            kinds = [self._kind(each.kind, language) for each in self.relations]
            found[f"kinds_{language}"] = comma.join(kinds) or self.scene.texts.word("relation_none", language)
        return found

    def _text(self, text: str, kind: Callable[..., Glyphs] = Prose, *, own: bool = False) -> Glyphs:
        return kind(text, size=SIZE, color=self.theme.text if own else self.theme.note)

    def _number(self, cell: Cell, *, own: bool = False) -> BoundNumber:
        colour = self.theme.text if own else self.theme.note
        return BoundNumber(cell, size=SIZE, color=colour, decimals=0)

    def _shares(self, relation: Relation) -> list[Share]:
        own = self._text(self.name_of(relation.layer, relation.head) + self.word("relation_n"), Label, own=True)
        shares = [Share((own, self._number(relation.count, own=True)), relation.share, own=True)]
        if relation.other is not None:
            head, share = relation.other
            shares.append(Share((self._text(self.name_of(relation.layer, head), Label),), share))
        before, after = self.word("relation_back"), self.word("relation_back_end")
        shares.append(
            Share((self._text(before), self._number(relation.offset), self._text(after)), relation.fixed),
        )
        first = f"first_{relation.target}"
        name = self.word(first if first in self.scene.texts.words else "first_other")
        return [*shares, Share((self._text(name),), relation.first)]

    def _legend(self) -> ArcLegend:
        left_out = [lane.arcs.undrawn for lane in self.lanes if lane.arcs.undrawn is not None]
        return ArcLegend(
            self.lanes[0].arcs.scale_of_width,
            derive.sum_of(left_out) if left_out else None,
            text=self.word("arc_width"),
            left_out=(self.word("arc_below"), self.word("arc_left_out")),
            place=(SENTENCE, NOTES[0] + 0.1),
            theme=self.theme,
            size=frame.CONTEXT_SIZE * 1.05,
            all_heads=True,
        )

    def _notes(self) -> VGroup:
        notes = VGroup()
        for name, y in zip(("relation_bar", "relation_chosen"), NOTES, strict=True):
            note = Prose(self.word(name), size=frame.CONTEXT_SIZE * 1.05, color=self.theme.note)
            notes.add(note.place(frame.WORK.left, y, "left"))
        return notes

    def play(self) -> None:
        """Head by head: the sentence again, its arcs, and what was measured; what was told before steps back."""
        scene, told_before = self.scene, VGroup()
        for place, lane in enumerate(self.lanes):
            self._arrive(place, told_before)
            told_before.add(lane.whole, *self._play_lane(lane, self.relations[place] if self.relations else None))
            scene.rest(0.6)
            scene.say()
        if len(self.lanes) > 1:
            scene.play(motion.light(told_before, run_time=motion.MOVE), *self._path_goes())

    def _arrive(self, place: int, told_before: VGroup) -> None:
        """The sentence of the first lane; that of every other one comes down from the lane above."""
        scene, lane = self.scene, self.lanes[place]
        if not place:
            scene.play(motion.appear(*lane.tokens, lag=0.1), run_time=0.8)
            scene.play(motion.appear(self._legend(), *([self._notes()] if self.relations else [])))
            return
        copies = zip(self.lanes[place - 1].tokens, lane.tokens, strict=True)
        moves = [carry(old, new, leave=True) for old, new in copies]
        scene.play(LaggedStart(*moves, lag_ratio=0.04), motion.dim(told_before), *self._path_goes(), run_time=0.8)

    def _play_lane(self, lane: Lane, relation: Relation | None) -> list[ShareBar]:
        """Name, arcs, and the readings, which are returned."""
        scene = self.scene
        scene.play(motion.appear(lane.title, *lane.marks))
        for arcs, seconds in ((lane.arcs.quiet, 0.8), (lane.arcs.lit, 1.0)):
            if arcs:
                scene.play(LaggedStart(*(Create(arc) for arc in arcs), lag_ratio=0.1), run_time=seconds)
        if relation is None:
            return []
        readings = lane.readings(self._shares(relation))
        self._play_readings(lane, readings, relation)
        return readings

    def _play_readings(self, lane: Lane, readings: list[ShareBar], relation: Relation) -> None:
        """The head's own reading and what it is compared with: the captions of the one told of bring theirs."""
        scene = self.scene
        own, compared = readings[:-2], readings[-2:]
        for reading in own:
            scene.play(reading.arrive(run_time=0.7))
        is_told = relation is told(self.relations)
        has_line = (relation.beats_counting, relation.first_as_good)
        for reading, path, spoken in zip(compared, self._paths(lane, relation), has_line, strict=True):
            if not (is_told and spoken):
                scene.play(reading.arrive(run_time=0.5))
                continue
            scene.say()
            gone = self._path_goes()
            if path:
                scene.play(path.walk(run_time=min(2.4, 0.8 + 0.3 * len(path.hops))), *gone)
                self.path = path
            scene.play(reading.arrive(run_time=0.9))

    def _path_goes(self) -> list[Animation]:
        """The path that stands under a lane leaves, if there is one."""
        path, self.path = self.path, None
        return [] if path is None else [motion.vanish(path)]

    def _paths(self, lane: Lane, relation: Relation) -> tuple[RulePath | None, RulePath | None]:
        """What a fixed number of words back and the first word of the kind would be here, seen from a lit arc."""
        asking = max((cell.at("query") for cell in lane.strong), default=None)
        first = next((place for place, text in enumerate(self.tokens) if text in relation.on), None)
        if asking is None or first is None or first >= asking:
            return None, None
        steps = RulePath.of_steps(lane.boxes, asking, int(relation.offset.value), theme=self.theme)
        return steps, RulePath(lane.boxes, (asking, first), theme=self.theme)
