"""Sizes, rates and names of a render."""

import pytest

from pipeline.render.spec import QUALITIES, RenderSpec, check_size, frame_size
from transformer_core.errors import InputError


@pytest.mark.parametrize(
    ("quality", "size", "rate"),
    [
        ("draft", (854, 480), 15),
        ("l", (854, 480), 30),
        ("medium", (1280, 720), 30),
        ("H", (1920, 1080), 60),
        ("p", (2560, 1440), 60),
        ("4k", (3840, 2160), 60),
    ],
)
def test_qualities(quality, size, rate):
    spec = RenderSpec(scene="qkv", quality=quality)
    assert (spec.size, spec.rate) == (size, rate)


def test_every_quality_is_even():
    for side, _ in QUALITIES.values():
        assert all(each % 2 == 0 for each in frame_size(side))


@pytest.mark.parametrize("size", [(0, 480), (853, 480), (854, 481), (-2, 480), (10_000, 480)])
def test_sizes_that_h264_cannot_take(size):
    with pytest.raises(InputError, match="choose a quality"):
        check_size(*size)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (
            {"quality": "best"},
            "quality 'best': there is no such quality; try draft, low, medium, high, 2k, 4k",
        ),
        ({"frames_per_second": 0}, "0 frames per second: out of range; give 1 to 240"),
        ({"pace": float("nan")}, "pace nan: out of range; give 0.1 (ten times as fast) to 10"),
        ({"layer": 0}, "layer 0: a layer counts from 1; try layer 1"),
        ({"theme": "pink"}, "theme 'pink': unknown; try dark, light, print"),
    ],
)
def test_refusals(options, line):
    with pytest.raises(InputError) as caught:
        RenderSpec(scene="qkv", **options)
    assert str(caught.value) == line


def test_plain_name():
    assert RenderSpec(scene="qkv").stem() == "qkv.en.high"
    assert RenderSpec(scene="qkv", quality="k", language="zh").stem() == "qkv.zh.4k"


@pytest.mark.parametrize(
    ("options", "start"),
    [
        ({"prompt": "the red dragon sleeps"}, "qkv-red-dragon-"),
        ({"layout": "rows", "theme": "light"}, "qkv-light-rows-"),
        ({"beat": "mask"}, "qkv-mask-"),
        ({"frames_per_second": 24}, "qkv-fps24-"),
        ({"layer": 2}, "qkv-layer2-"),
        ({"model": "mine@0123456789ab"}, "qkv-mine-"),
        ({"prompt": "蓝色的生物"}, "qkv-蓝色的生物-"),
        ({"prompt": "../../etc/passwd"}, "qkv-etc-"),
    ],
)
def test_name_tells_what_is_different(options, start):
    stem = RenderSpec(scene="qkv", **options).stem()
    digits, language, quality = stem.removeprefix(start).split(".")
    assert stem.startswith(start)
    assert len(digits.rsplit("-", 1)[-1]) == 6
    assert (language, quality) == ("en", "high")
    assert "/" not in stem


def test_different_pictures_have_different_names():
    specs = [
        RenderSpec(scene="qkv", **options)
        for options in (
            {},
            {"pace": 2.0},
            {"pace": 2.5},
            {"layer": 2},
            {"head": 2},
            {"query": "3"},
            {"theme": "print"},
        )
    ]
    assert len({spec.stem() for spec in specs}) == len(specs)


def test_poster_and_device_auto_do_not_change_the_name():
    assert RenderSpec(scene="qkv", poster="mask", device="auto").stem() == "qkv.en.high"


def test_a_prompt_that_was_pasted_is_one_line():
    pasted = RenderSpec(scene="qkv", prompt=" a blue\n\tcreature\u2028roamed\r\n")
    assert pasted.prompt == "a blue creature roamed"
    assert pasted.stem() == RenderSpec(scene="qkv", prompt="a blue creature roamed").stem()
    assert RenderSpec(scene="qkv", prompt="\n").prompt == ""
