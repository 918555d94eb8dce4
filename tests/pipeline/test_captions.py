"""Caption and chapter tracks."""

import pytest

from pipeline.publish.captions import captions, chapters, clock, languages, subrip, tracks

RECORD = {
    "beats": [
        {
            "name": "scores",
            "start": 0.0,
            "end": 3661.5,
            "titles": {"en": "Scores", "zh": "分数"},
            "alt": {"en": "A grid.", "zh": "一个网格。"},
            "captions": {
                "en": [
                    {"text": "q·k <b> & so on\n\n--> more", "start": 0.0, "end": 2.0},
                    {"text": "", "start": 2.0, "end": 3.0},
                    {"text": "gone at once", "start": 3.0, "end": 3.0},
                ],
                "zh": [{"text": "分数", "start": 0.0, "end": 2.0}],
            },
        }
    ],
}


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "00:00:00.000"), (61.2345, "00:01:01.234"), (3661.5, "01:01:01.500"), (59.9996, "00:01:00.000")],
)
def test_clock(seconds, text):
    assert clock(seconds) == text


def test_a_cue_is_one_escaped_line():
    assert captions(RECORD, "en") == (
        "WEBVTT\nKind: captions\nLanguage: en\n\n00:00:00.000 --> 00:00:02.000\nq·k &lt;b&gt; &amp; so on --&gt; more\n"
    )


def test_subrip_has_a_number_a_comma_and_plain_text():
    assert subrip(RECORD, "en") == "1\n00:00:00,000 --> 00:00:02,000\nq·k <b> & so on --> more\n"
    assert set(tracks(RECORD)) == {".en.vtt", ".en.srt", ".zh.vtt", ".zh.srt"}
    assert tracks(RECORD)[".zh.srt"] == "1\n00:00:00,000 --> 00:00:02,000\n分数\n"


def test_chapters_and_languages():
    assert languages(RECORD) == ("en", "zh")
    assert chapters(RECORD, "zh") == ("WEBVTT\nKind: chapters\nLanguage: zh\n\n00:00:00.000 --> 01:01:01.500\n分数\n")
