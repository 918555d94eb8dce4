"""What makes a picture another one, and what does not."""

import copy

import pytest

from pipeline.course.shown import from_zero, shown

LOOKS = {"b": "1"}
RECORD = {
    "numbers": [
        {
            "beat": "b",
            "time_in": 1.0,
            "time_out": 2.0,
            "text": "0.52",
            "kind": "rounded",
            "name": "blocks.0.attn.pattern",
            "index": {"head": 0, "query": 3, "key": 2},
            "hex": (0.52).hex(),
            "box": [1.0, 2.0, 3.0, 4.0],
        }
    ],
    "encodings": [
        {"beat": "b", "channel": "width", "scale": "s", "name": "n", "index": {}, "hex": (0.5).hex(), "drawn": 1.0},
        {"beat": "b", "channel": "shade", "scale": "shade", "name": "n", "index": {}, "hex": (0.5).hex(), "drawn": 2.0},
    ],
    "beats": [
        {
            "name": "b",
            "start": 0.5,
            "end": 2.0,
            "titles": {"en": "B"},
            "alt": {"en": "It is 0.52."},
            "captions": {"en": [{"text": "So.", "start": 0.5, "end": 2.0}]},
        }
    ],
    "duration": 2.0,
}
PIXEL = 16 / 854


def changed(change) -> dict:
    record = copy.deepcopy(RECORD)
    change(record)
    return record


def put(key: str, value: object, *, row: str = "numbers", place: int = 0):
    return lambda record: record[row][place].__setitem__(key, value)


SAME = {
    "last bits": put("hex", (0.52 + 1e-16).hex()),
    "exact or rounded": put("kind", "exact"),
    "a box by less than a pixel's tenth": put("box", [1.0 + PIXEL / 20, 2.0, 3.0, 4.0]),
    "a width by less": put("drawn", 1.0 + PIXEL / 20, row="encodings"),
    "a time by a millionth": put("time_out", 2.000001),
}
OTHER = {
    "a digit": put("text", "0.53"),
    "another number with the same digits": put("index", {"head": 0, "query": 3, "key": 1}),
    "a box": put("box", [1.0 + PIXEL, 2.0, 3.0, 4.0]),
    "a width": put("drawn", 1.0 + PIXEL, row="encodings"),
    "a shade": put("drawn", 3.0, row="encodings", place=1),
    "a time": put("time_out", 2.1),
    "a title": put("titles", {"en": "C"}, row="beats"),
    "an alt text": put("alt", {"en": "It is 0.53."}, row="beats"),
    "a caption": put("captions", {"en": [{"text": "Well.", "start": 0.5, "end": 2.0}]}, row="beats"),
    "a caption's time": put("captions", {"en": [{"text": "So.", "start": 0.6, "end": 2.0}]}, row="beats"),
    "the length": lambda record: record.__setitem__("duration", 2.1),
    "a number less": lambda record: record["numbers"].clear(),
}


@pytest.mark.parametrize("change", SAME)
def test_the_same_picture(change):
    assert shown(changed(SAME[change]), LOOKS, width=854) == shown(RECORD, LOOKS, width=854)


@pytest.mark.parametrize("change", OTHER)
def test_another_picture(change):
    assert shown(changed(OTHER[change]), LOOKS, width=854) != shown(RECORD, LOOKS, width=854)


def test_an_outline_that_no_number_tells_of():
    """An equals sign that became ≈, say."""
    assert shown(RECORD, {"b": "2"}, width=854) != shown(RECORD, LOOKS, width=854)


def test_a_width_in_a_larger_picture():
    finer = changed(put("drawn", 1.0 + PIXEL / 6, row="encodings"))
    assert shown(finer, LOOKS, width=854 * 8) != shown(RECORD, LOOKS, width=854 * 8)


def test_a_beat_alone_begins_at_zero():
    alone = from_zero(RECORD)
    assert (alone["beats"][0]["start"], alone["beats"][0]["end"], alone["duration"]) == (0.0, 1.5, 1.5)
    assert (alone["numbers"][0]["time_in"], alone["numbers"][0]["time_out"]) == (0.5, 1.5)
    assert alone["beats"][0]["captions"]["en"] == [{"text": "So.", "start": 0.0, "end": 1.5}]
