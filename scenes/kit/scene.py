"""A lecture scene: beats with titles, captions and rests, and a record of every number on screen.

A scene is a plain ``manim.Scene``; each beat is a method of its name and a Manim section, so figures, chapter
marks, slide stops and captions can point at it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from manim import Scene
from manim.utils.exceptions import EndSceneEarlyException

from scenes.kit import frame, motion
from scenes.kit.brief import LANGUAGES, SceneBrief
from scenes.kit.ledger import Ledger
from scenes.kit.legend import Legend
from scenes.kit.record import BeatRecord, CaptionLine, SceneRecord
from scenes.kit.text import Captioned, Prose
from scenes.kit.texts import Field, SceneTexts, reading_seconds
from scenes.kit.theme import THEMES

REST = 1.6
"""Seconds of stillness after every beat, at least."""


class LectureScene(Scene):
    """The base of all lecture scenes; subclasses give ``name``, ``beats`` and one method per beat.

    ``prompt_key`` names the entry of a model's card that holds the scene's own prompt; ``about_head`` says whether
    the scene follows one head, which its legend then names.
    """

    name: ClassVar[str] = ""
    beats: ClassVar[tuple[str, ...]] = ()
    default_model: ClassVar[str] = "glass"
    reorders: ClassVar[bool] = False
    """Whether the scene compares the prompt with the same tokens in another order."""
    default_claim: ClassVar[str] = ""
    """The claim of the model's card whose head is told of where nobody asks for another; head 1 without one."""
    companions: ClassVar[tuple[str, ...]] = ()
    """The bundled models whose cards the scene shows beside its own model's: `trace.spec.companions`."""
    prompt_key: ClassVar[str] = "default_prompt"
    about_head: ClassVar[bool] = True

    def __init__(
        self,
        brief: SceneBrief | None = None,
        *,
        after_beat: Callable[[LectureScene, str], list[str]] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.brief = brief or default_brief(type(self))
        self.trace = self.brief.trace
        self.theme = THEMES[self.brief.theme]
        self.language = self.brief.language
        self.texts = SceneTexts.load(Path(inspect.getfile(type(self))).with_suffix(".toml"))
        self.after_beat = after_beat
        self.ledger = Ledger(self.trace)
        self.findings: list[str] = []
        self.stills: dict[str, np.ndarray] = {}
        self.beat_records: list[BeatRecord] = []
        self.heading: Prose | None = None
        self.burnt: Captioned | None = None
        self._captions: list[CaptionLine] = []

    @property
    def fields(self) -> Mapping[str, Field]:
        """What captions and alt texts may quote: Cells, tokens, counts."""
        return {}

    @property
    def facts(self) -> frozenset[str]:
        """The facts that choose between caption lines."""
        return frozenset()

    def word(self, key: str, **fields: Field) -> str:
        """A short label of the picture in the scene's language."""
        return self.texts.word(key, self.language, **fields)

    def setup(self) -> None:
        """Give the scene's own camera the 16 × 9 frame and the theme's ground."""
        self.camera.frame_width, self.camera.frame_height = frame.WIDTH, frame.HEIGHT
        self.camera.background_color = self.theme.ground
        self.camera.reset()
        self.legend = Legend(self.theme, self.language, self.brief, about_head=self.about_head)

    def construct(self) -> None:
        """Play the beats in their order."""
        for beat in self.beats:
            with self.beat(beat):
                self._method_of(beat)()
            if self.brief.only_beat == beat:
                raise EndSceneEarlyException()

    def _method_of(self, beat: str) -> Callable[[], None]:
        """The method of a beat: its name, with an underscore where Manim's Scene has a method of that name."""
        return getattr(self, f"{beat}_" if hasattr(Scene, beat) else beat)

    def play(self, *args: Any, **kwargs: Any) -> None:
        """Play animations for a whole number of ticks, at the brief's pace, and note what is on screen."""
        seconds = kwargs.pop("run_time", None)
        animations = self.compile_animations(*args, **kwargs)
        if seconds is None:
            seconds = self.get_run_time(animations)
        start = self.time
        super().play(*animations, run_time=motion.on_grid(seconds * self.brief.pace))
        self.ledger.observe(self.mobjects, start, self.time)

    def rest(self, seconds: float = REST) -> None:
        """Let the picture stand."""
        self.wait(motion.on_grid(seconds))

    @contextmanager
    def beat(self, name: str) -> Iterator[None]:
        """Run one beat: its section, title and first caption; then the reading time that is left, and a rest."""
        wanted = self.brief.only_beat in (None, name)
        self.next_section(name, skip_animations=not wanted or self.brief.stills)
        self._texts = self.texts.beats[name]
        self._lines = [line for line in self._texts.captions if line.holds(self.facts)]
        self._captions, self._beat, self._start = [], name, self.time
        self.ledger.begin(name, self.time)
        self._show_heading()
        self.say()
        yield
        while len(self._captions) < len(self._lines):
            self.say()
        self._finish_caption()
        self.rest()
        self.ledger.observe(self.mobjects, self.time, self.time)
        if wanted and self.after_beat:
            self.findings += self.after_beat(self, name)
        if wanted and self.brief.stills:
            self.renderer.static_image = None
            self.renderer.update_frame(self, ignore_skipping=True)
            self.stills[name] = self.renderer.get_frame()
        self.ledger.end(self.time)
        self._close_beat(name)

    def say(self) -> None:
        """Go on to the next caption line of the beat, after the one before has had its reading time."""
        self._finish_caption()
        if len(self._captions) < len(self._lines):
            self._captions.append(CaptionLine("", self.time, self.time))
            self._show_caption(len(self._captions) - 1)

    def _finish_caption(self) -> None:
        if not self._captions:
            return
        template = self._lines[len(self._captions) - 1]
        needed = max(reading_seconds(template.fill(language, self.fields).text) for language in LANGUAGES)
        left = needed * self.brief.pace - (self.time - self._captions[-1].start)
        if left > motion.TICK:
            self.rest(left)

    def _show_heading(self) -> None:
        text = self._texts.title.fill(self.language, self.fields).text
        heading = Prose(text, size=frame.TITLE_SIZE, color=self.theme.text, weight="strong")
        heading.place(frame.TITLE.left, frame.TITLE.centre[1], "left")
        old = [self.heading] if self.heading else []
        self.heading = heading
        self.play(motion.replace(old, [heading]))

    def _show_caption(self, number: int) -> None:
        if self.brief.captions != "burnt":
            return
        filled = self._lines[number].fill(self.language, self.fields)
        caption = Captioned(filled.text, filled.quoted, size=frame.NUMBER_SIZE, color=self.theme.text)
        caption.place(*frame.CAPTION.centre)
        old = [self.burnt] if self.burnt else []
        self.burnt = caption
        self.play(motion.replace(old, [caption]))

    def _close_beat(self, name: str) -> None:
        starts = [line.start for line in self._captions] + [self.time]
        spoken = self._lines[: len(self._captions)]
        quoted = [shown for line in spoken for shown in line.fill(self.language, self.fields).quoted] + list(
            self._texts.alt.fill(self.language, self.fields).quoted
        )
        self.beat_records.append(
            BeatRecord(
                name=name,
                start=self._start,
                end=self.time,
                titles={each: self._texts.title.fill(each, self.fields).text for each in LANGUAGES},
                captions={
                    each: tuple(
                        CaptionLine(line.fill(each, self.fields).text, starts[i], starts[i + 1])
                        for i, line in enumerate(spoken)
                    )
                    for each in LANGUAGES
                },
                alt={each: self._texts.alt.fill(each, self.fields).text for each in LANGUAGES},
                quoted=tuple(quoted),
            )
        )

    @property
    def record(self) -> SceneRecord:
        """Everything that the finished scene has to say about itself."""
        wanted = {self.brief.only_beat} if self.brief.only_beat else set(self.beats)
        return SceneRecord(
            scene=self.name,
            model=self.trace.spec.model_name,
            digest=self.trace.digest,
            duration=self.time,
            beats=tuple(each for each in self.beat_records if each.name in wanted),
            numbers=tuple(each for each in self.ledger.numbers if each.beat in wanted),
            encodings=tuple(each for each in self.ledger.encodings if each.beat in wanted),
            findings=tuple(self.findings),
            stills=self.stills,
        )


def default_brief(scene: type[LectureScene]) -> SceneBrief:
    """The brief of a scene that was started without one: its default model and that model's default prompt."""
    from transformer_core.capture import capture
    from transformer_core.claims import claimed_head
    from transformer_core.orders import read_orders
    from transformer_core.sources import load_model

    loaded = load_model(scene.default_model)
    prompt = loaded.card.get(scene.prompt_key, loaded.card["default_prompt"])["en"]
    sentence, order = read_orders(loaded, prompt) if scene.reorders else (prompt, None)
    head = claimed_head(loaded.card, scene.default_claim, layer=0)
    trace = capture(loaded, sentence, cut=(0, head), order=order, companions=scene.companions)
    return SceneBrief(trace=trace, head=head)
