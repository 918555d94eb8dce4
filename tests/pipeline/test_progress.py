"""How far the renders are: lines where nobody watches, bars on a terminal, nothing when quiet."""

import io

import pytest

from pipeline.render.progress import Bars, Lines, Quiet, display

BEATS = {"tiny.en": ("one", "two")}


def test_lines_say_each_beat_once():
    stream = io.StringIO()
    with Lines(BEATS, stream) as lines:
        for beat, frames in (("autocreated", 0), ("one", 0), ("one", 7), ("two", 15)):
            lines.update("tiny.en", beat, frames)
        lines.done("tiny.en", 30)
    assert stream.getvalue() == (
        "tiny.en: beat 1/2 one, 0 frames so far\ntiny.en: beat 2/2 two, 15 frames so far\ntiny.en: done, 30 frames\n"
    )


def test_bars_count_beats_and_frames():
    with Bars(BEATS) as bars:
        bars.update("tiny.en", "two", 15)
        [task] = bars.bars.tasks
        assert (task.completed, task.total, task.fields["frames"]) == (1, 2, 15)
        assert task.fields["left"].startswith("about ")
        bars.done("tiny.en", 30)
        assert (task.completed, task.fields["frames"], task.fields["left"]) == (2, 30, "")


def test_sections_that_were_not_known_before_are_told_as_they_come():
    stream = io.StringIO()
    with Lines({"clip": ()}, stream) as lines:
        for section, frames in (("", 0), ("here", 0), ("here", 7), ("there", 15)):
            lines.update("clip", section, frames)
        lines.note("clip: a word")
        lines.done("clip", 30)
    assert stream.getvalue().splitlines() == [
        "clip: section here, 0 frames so far",
        "clip: section there, 15 frames so far",
        "clip: a word",
        "clip: done, 30 frames",
    ]
    with Bars({"clip": ()}) as bars:
        bars.update("clip", "here", 7)
        [task] = bars.bars.tasks
        assert (task.total, task.fields["beat"], task.fields["frames"]) == (None, "here", 7)
        bars.note("clip: a word")
        bars.done("clip", 30)
        assert (task.completed, task.total, task.fields["beat"]) == (1, 1, "done")


def test_quiet_shows_nothing(capsys):
    with display(BEATS, quiet=True) as shown:
        assert isinstance(shown, Quiet)
        shown.update("tiny.en", "one", 1)
        shown.note("a word")
        shown.done("tiny.en", 1)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("error", [BrokenPipeError, OSError])
def test_a_render_goes_on_when_nobody_reads_its_lines(error):
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise error

    with Lines(BEATS, Gone()) as lines:
        lines.update("tiny.en", "one", 0)
        lines.note("a word")
        lines.done("tiny.en", 30)
