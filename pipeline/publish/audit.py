"""The audit: after every beat, whether the picture on screen is proven by the trace.

What is visible is taken from the mobjects' points and styles as they are now, not from what they say of
themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pipeline.publish.checks import captions, declared, encodings, layout, numbers, places
from pipeline.publish.checks.view import View
from scenes.kit.scene import LectureScene

Check = Callable[[View], Iterator[str]]

CHECKS: tuple[Check, ...] = (
    numbers.trace_is_whole,
    declared.words_have_no_digits,
    declared.foreign_texts_have_no_digits,
    declared.drawings_have_no_digits,
    numbers.cells_are_the_traces,
    numbers.texts_are_right,
    numbers.outlines_are_the_texts,
    places.grids_are_in_order,
    places.cells_are_of_the_head,
    places.scores_stand_by_their_tokens,
    encodings.sizes_are_the_scales,
    encodings.shades_are_the_scales,
    captions.templates_quote_cells,
    captions.burnt_captions_quote_cells,
    layout.texts_are_in_the_frame,
    layout.numbers_are_not_covered,
    layout.texts_do_not_overlap,
    layout.texts_are_big_enough,
    layout.texts_have_contrast,
    layout.caption_band_is_free,
)
"""In the order in which their findings are told: wrong numbers first."""


@dataclass(frozen=True)
class Finding:
    """One fault: the beat, the name of the check that found it, and what is wrong where."""

    beat: str
    check: str
    what: str

    def __str__(self) -> str:
        return f"{self.beat}: {self.what}"


def audit(scene: LectureScene, beat: str) -> list[str]:
    """What is wrong with the picture at the end of a beat, a line each; nothing for a proven one.

    Made to be a scene's ``after_beat``.
    """
    return [str(finding) for finding in findings(scene, beat)]


def findings(scene: LectureScene, beat: str) -> list[Finding]:
    """The same with the check that found each fault."""
    view = View(scene, beat)
    return [Finding(beat, check.__name__, what) for check in CHECKS for what in dict.fromkeys(check(view))]
