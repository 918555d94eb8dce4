"""PositionalEncoding: attention has no order until one is added."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from manim import VGroup, VMobject, linear

from scenes.kit import frame, motion
from scenes.kit.comparison import Comparison
from scenes.kit.doer import answers_of, roles_of
from scenes.kit.entry_map import Entry, EntryMap
from scenes.kit.fingerprint import Fingerprints
from scenes.kit.fixed import FixedLegend, dashed
from scenes.kit.frame import Box
from scenes.kit.one_vector import OneVector
from scenes.kit.pair import SENTENCES, Pair, PairPicture
from scenes.kit.pen import Pen
from scenes.kit.place_apart import PlacesApart
from scenes.kit.read_off import ReadOff
from scenes.kit.reading import Reading
from scenes.kit.shift_story import ShiftStory
from scenes.kit.staged_scene import StagedScene
from scenes.kit.text import Prose
from scenes.kit.texts import Field
from transformer_core.errors import InputError
from transformer_core.trace import Cell


class PositionalEncoding(StagedScene):
    """Attention has no order until one is added: the same words in another order give the same vectors."""

    name = "positional"
    beats = ("same", "need", "waves", "fingerprint", "unique", "shift", "add", "later")
    default_model = "order"
    reorders = True
    poster = "fingerprint"

    def setup(self) -> None:
        """Find the word that is followed. Raises InputError for a trace without a second order or without waves."""
        super().setup()
        spec = self.trace.spec
        if spec.order is None or spec.config.positions != "sinusoidal" or spec.config.causal:
            raise InputError(
                f"model {spec.model_name} for the scene {self.name}",
                "it compares two orders with sinusoidal positions and without; a mask would tell them apart",
                "give a model with sinusoidal positions and no mask, such as 'order'",
            )
        self.layer = self.brief.layer
        self.followed = self._followed() if self.brief.query is None else self.brief.query
        self.bare, self.stamped = (Pair(self.trace, self.layer, placed, self.followed) for placed in (False, True))
        self.places = Reading(self.trace)

    def _followed(self) -> int:
        moved = [token for token, place in enumerate(self.trace.spec.order or ()) if token != place]
        return moved[0] if moved else 0

    @property
    def fields(self) -> Mapping[str, Field]:
        """What the captions may quote."""
        spec, places = self.trace.spec, self.places
        names = {f"{who}_{language}": text for (who, language), text in self._roles.items()}
        return {
            "word": spec.tokens[self.followed],
            "n_tokens": len(spec.ids),
            "d_model": spec.config.d_model,
            "apart_bare": self.bare.apart[self.followed],
            "apart_stamped": self.stamped.apart[self.followed],
            "p": places.read,
            "pairs": spec.config.d_model // 2,
            "itself": places.apart(0, 0),
            "least": places.least,
            "twin": places.twin,
            "alone": places.apart_alone(0, places.twin),
            "together": places.apart(0, places.twin),
            "k": places.step,
            **names,
            **dict(zip(("answer", "answer_reordered"), self._answers or ("", ""), strict=True)),
        }

    @property
    def facts(self) -> frozenset[str]:
        """Which caption variants hold."""
        stated = {
            "roles": bool(self._roles),
            "asks": self._answers is not None,
            "differs": self.stamped.apart[self.followed].value > 0.0,
        }
        return frozenset(name for name, holds in stated.items() if holds)

    @cached_property
    def _roles(self) -> Mapping[tuple[str, str], str]:
        return roles_of(self.bare)

    @cached_property
    def _answers(self) -> tuple[str, str] | None:
        return answers_of(self.trace) if self._roles else None

    def _picture(self, pair: Pair) -> PairPicture:
        return PairPicture(pair, layout=self.brief.layout, theme=self.theme)

    def _comparison(self, picture: PairPicture) -> Comparison:
        columns = self.flow.columns
        names = ("same_above", "same_below") if columns else ("same_left", "same_right")
        return Comparison(
            picture,
            headings=[self.word(name) for name in (*names, "same_difference")],
            note=self.word("same_distance"),
            more=self.word("same_more", n=picture.pair.tokens),
        )

    def same(self) -> None:
        """Two orders of the same words through one attention: the same vectors in another order."""
        picture = self._picture(self.bare)
        large = self.legend.large(Box(0.88, 7.2 if self.flow.columns else 8.0, 14.4, 0.4))
        self.play(motion.appear(large), run_time=0.6)
        labels = [picture.labels(sentence, "in") for sentence in SENTENCES]
        inputs = [picture.vectors(sentence, "in") for sentence in SENTENCES]
        self.play(motion.appear(*labels[0], lag=0.2), motion.appear(*inputs[0], lag=0.2), run_time=0.8)
        self.rest()
        self.play(motion.vanish(large, run_time=0.3), motion.appear(self.legend))
        self.play(motion.appear(*labels[1], lag=0.2), motion.appear(*inputs[1], lag=0.2), run_time=0.8)
        crossing = picture.crossings("in")
        self.play(motion.appear(*crossing, lag=0.2), run_time=0.8)
        self.show_formula("same")
        order = Prose(self.word("same_order"), size=frame.NOTE_SIZE, color=self.theme.note)
        self.play(motion.appear(order.place(frame.FORMULA.right, 1.22, "right")))
        self.machine = picture.machine([self.word("same_attention"), self.word("same_no_mask")])
        self.play(motion.appear(self.machine))
        self._through(picture)
        self.comparison = self._comparison(picture)
        self._compare(self.comparison)
        self.picture, self.labels, self.inputs, self.crossing = picture, labels, inputs, crossing

    def _through(self, picture: PairPicture) -> None:
        """Both sentences pass the machine, and their words are joined again behind it."""
        outputs = [picture.vectors(sentence, "out") for sentence in SENTENCES]
        labels = [picture.labels(sentence, "out") for sentence in SENTENCES]
        self.play(motion.appear(*(picture.arrows(sentence) for sentence in SENTENCES)))
        for out, names in zip(outputs, labels, strict=True):
            self.play(motion.appear(*out, lag=0.2), motion.appear(*names, lag=0.2), run_time=0.6)
        self.play(motion.appear(*picture.crossings("out"), lag=0.2), run_time=0.8)

    def _compare(self, panel: Comparison) -> None:
        first, second, rest = panel.vectors
        self.play(motion.appear(panel.title, first, panel.headings[0]))
        self.play(motion.appear(panel.signs[0], second, panel.headings[1]))
        self.play(motion.appear(panel.signs[1], rest, panel.headings[2]))
        self.play(motion.appear(panel.note, *panel.lines, lag=0.2), run_time=0.8)

    def need(self) -> None:
        """One still: the word has one vector, whatever it does in the sentence."""
        self.clear_stage()
        names = [self._roles.get((who, self.language), self.word(f"need_{who}")) for who in ("first", "second")]
        panel = OneVector(
            self._picture(self.bare),
            roles=names,
            note=self.word("need_vector"),
            difference=self.word("need_difference"),
        )
        self.play(motion.appear(*panel.sentences, *panel.roles))
        self.play(motion.appear(panel.vector, panel.note, panel.arrows))
        self.play(motion.appear(panel.difference))

    def waves(self) -> None:
        """Waves from fast to slow, and a line that reads them off at one position."""
        self.clear_stage()
        self.show_formula("waves")
        self.panel = self.places.panel(self.brief.layout, self.theme, self.word)
        lanes = self.panel.lanes
        self.play(motion.appear(*self.panel.names, lanes.axis, self.panel.axis_name, self.panel.key))
        self.play(Pen(VGroup(*lanes.lanes), rate_func=linear), run_time=1.4)
        start, end = (self.panel.reading(position) for position in (0, self.places.read))
        self.play(motion.appear(*start))
        self.rest(0.6)
        self.remove(start[0])
        along = ReadOff(lanes, end[0], start=0, end=self.places.read, run_time=0.8)
        self.play(along, motion.replace(start[1:], end[1:], run_time=0.8))
        self.play(motion.appear(self.panel.links, self._fixed_legend()))
        self.column = self.panel.column
        self.say()
        slow = self.panel.zoomed_out()
        if slow:
            near = [lanes, *self.panel.names, end[0], end[1], self.panel.links]
            self.play(motion.replace(near, slow), motion.dim(self.column), run_time=0.6)
            self.rest(4.0)
            self.play(motion.replace(slow, near), motion.light(self.column), run_time=0.6)

    def fingerprint(self) -> None:
        """The values at one position as a column; all positions as a table of tones."""
        self.clear_stage(self.column)
        panel = Fingerprints(self.places, layout=self.brief.layout, theme=self.theme, word=self.word)
        self.play(motion.replace([self.column], [panel.column]), motion.appear(panel.column_name))
        self.play(motion.appear(panel.ends, panel.position_names))
        lines = panel.lines
        self.play(motion.appear(*lines, lag=0.25), run_time=1.6)
        self.play(motion.appear(panel.frame, panel.mark, panel.link))
        self.play(motion.appear(panel.legend))

    def unique(self) -> None:
        """How far apart the fingerprints of any two positions are; one wave alone nearly repeats."""
        self.clear_stage()
        self.show_formula("unique")
        panel = PlacesApart(self.places, theme=self.theme, word=self.word)
        self.play(motion.appear(panel.names, panel.heat, panel.heat_legend), run_time=0.6)
        self.play(motion.appear(panel.least))
        self.say()
        self.play(motion.appear(panel.plot.axes, panel.plot_names))
        self.play(motion.appear(panel.plot.rings, panel.key[2:]), run_time=0.6)
        self.play(motion.appear(panel.plot.dots, panel.key[:2]), run_time=0.6)
        self.play(motion.appear(panel.mark))

    def shift(self) -> None:
        """k positions on: every pair turns by its own angle, wherever it starts."""
        self.clear_stage()
        self.show_formula("shift")
        ShiftStory(self, self.places).play()

    def add_(self) -> None:
        """The fingerprint is stamped on, and the same attention gives the word two different vectors."""
        self.clear_stage()
        self.show_formula("add")
        picture = self._picture(self.stamped)
        bare = self._picture(self.bare)
        inputs = [bare.vectors(sentence, "in") for sentence in SENTENCES]
        labels = [bare.labels(sentence, "in") for sentence in SENTENCES]
        flat = [each for group in (*inputs, *labels) for each in group]
        self.play(motion.appear(*flat), motion.appear(self.machine))
        stamped = [picture.vectors(sentence, "in") for sentence in SENTENCES]
        stamps = [self._stamp(picture, sentence) for sentence in SENTENCES]
        away = [0, 0.9, 0] if self.flow.columns else [-0.9, 0, 0]
        for group, sign in zip(stamps, (1, -1), strict=True):
            group.shift([sign * part for part in away])
        self.play(motion.appear(*stamps))
        self.play(
            *(
                group.animate.shift([-sign * part for part in away])
                for group, sign in zip(stamps, (1, -1), strict=True)
            ),
            run_time=0.8,
        )
        old = [each for group in inputs for each in group]
        marks = [mark for sentence in SENTENCES for mark in self._fixed_outlines(picture, sentence)]
        self.play(motion.replace([*old, *stamps], [each for group in stamped for each in group] + marks))
        self._through(picture)
        self._compare(self._comparison(picture))

    def drop_formula(self) -> None:
        """Empty the formula's corner."""
        if self.formula is not None:
            self.play(motion.vanish(self.formula))
            self.formula = None

    def _stamp(self, picture: PairPicture, sentence: int) -> VGroup:
        """The fingerprints of the first positions, each over the vector of the token that stands there."""
        group = VGroup()
        for position in range(picture.pair.tokens):
            cells: list[Cell] = list(self.trace.cells("embed.PE", position=position))
            box = picture.geometry.vector(sentence, "in", position)
            group.add(picture.matrix(cells, box, brackets=False))
        return group.add(*self._fixed_outlines(picture, sentence))

    def _fixed_outlines(self, picture: PairPicture, sentence: int) -> list[VMobject]:
        """A dashed outline around every vector, or around all where they stand close."""
        geometry = picture.geometry
        if geometry.crowded:
            return [dashed(geometry.block(sentence, "in"), self.theme, pad=0.05)]
        boxes = [geometry.vector(sentence, "in", position) for position in range(picture.pair.tokens)]
        return [dashed(box, self.theme, pad=0.05) for box in boxes]

    def later(self) -> None:
        """Where positions enter in later models."""
        self.clear_stage()
        self.drop_formula()
        added = (('+ "PE"', False), ("+ @weight(W_P)", True))
        kinds = (
            Entry(self.word("later_added"), self.word("later_added_how"), 0, added),
            Entry("T5", self.word("later_bias_how"), 2, (("+ @weight(b_(j - i))", True),)),
            Entry("ALiBi", self.word("later_slope_how"), 2, (("- m abs(i - j)", False),)),
            Entry("RoPE", self.word("later_turn_how"), 1, (("R_i @query(q) , R_j @key(k)", False),)),
        )
        stations = [self.word(f"later_{name}") for name in ("vector", "asked", "score", "weight")]
        panel = EntryMap(kinds, stations=stations, top=1.95, pitch=1.36, theme=self.theme)
        self.play(motion.appear(panel.heads))
        for lane, mark in zip(panel.lanes, panel.marks, strict=True):
            self.play(motion.appear(lane))
            self.play(motion.appear(mark, shift=[0, -0.2, 0]))
        self.play(motion.appear(self._fixed_legend()))

    def _fixed_legend(self) -> FixedLegend:
        place = (frame.WIDTH - frame.MARGIN_X, 7.53)
        return FixedLegend(self.word("fixed"), place=place, theme=self.theme, right=True)
