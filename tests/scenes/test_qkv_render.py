"""One real render of QKVAttention at draft quality, decoded and held against its own ledger."""

import json
import math
import re
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest

from scenes.kit.colour import rgb
from scenes.kit.theme import THEMES
from tests.decoded import SWATCH_TOLERANCE, decode_bt709
from transformer_core.cell import Cell
from transformer_core.display import show

ROOT = Path(__file__).resolve().parents[2]
STEM = "qkv.en.draft"
DECIMAL = re.compile(r"[−>]?\d+\.\d+")
SIZE, RATE = (854, 480), 15
TRACKS = (".en.vtt", ".zh.vtt", ".en.srt", ".zh.srt", ".chapters.vtt")
FILES = (".mp4", ".png", *TRACKS, ".en.transcript.md", ".zh.transcript.md", ".numbers.json")


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *words], cwd=folder, capture_output=True, text=True, timeout=400
    )


def render(folder: Path) -> Path:
    done = command(folder, "render", "qkv", "--quality", "draft", "--quiet")
    assert done.returncode == 0, done.stderr
    published = folder / "media" / "qkv" / f"{STEM}.mp4"
    assert done.stdout.strip() == str(published.relative_to(folder))
    return published


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("course")


@pytest.fixture(scope="module")
def video(folder):
    return render(folder)


@pytest.fixture(scope="module")
def ledger(video):
    return json.loads((video.parent / f"{STEM}.numbers.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def frames(video):
    with av.open(str(video)) as container:
        return list(container.decode(container.streams.video[0]))


def test_every_file_is_published_and_nothing_else(video):
    assert sorted(path.name for path in video.parent.iterdir()) == sorted(STEM + suffix for suffix in FILES)


def test_frames_are_as_many_as_the_beats_say(frames, ledger):
    assert len(frames) == round(ledger["duration"] * RATE)
    assert ledger["beats"][-1]["end"] == pytest.approx(ledger["duration"], abs=1 / RATE)
    assert 120 <= ledger["duration"] <= 160


def test_size_rate_and_tags(video, frames):
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        assert (stream.width, stream.height) == SIZE
        assert stream.average_rate == Fraction(RATE)
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert container.metadata["title"]
    steps = {after.pts - before.pts for before, after in pairwise(frames)}
    assert len(steps) == 1


def test_the_blue_swatch_of_the_legend_comes_back(frames, ledger):
    """The legend stands from the first second of the video: its blue is the documented one."""
    expected = np.rint(rgb(THEMES["dark"].role("weight")) * 255)
    sentence = ledger["beats"][0]
    frame = frames[round((sentence["start"] + 3.0) * RATE)]
    picture = frame.to_ndarray(format="rgb24").astype(int)
    near = np.abs(picture - expected).sum(axis=2) < 40
    assert near.sum() > 100
    row, column = (int(np.median(places)) for places in np.nonzero(near))
    decoded = decode_bt709(frame, row, column)
    assert max(abs(int(a) - int(b)) for a, b in zip(decoded, expected, strict=True)) <= SWATCH_TOLERANCE


def test_verify_says_all_numbers_match(folder, video, ledger):
    done = command(folder, "verify", str(video))
    assert done.returncode == 0, done.stderr
    assert "identical" in done.stdout
    assert str(len(ledger["numbers"]) + len(ledger["encodings"]) + len(ledger["quoted"])) in done.stdout


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Head 1: “creature” gives 0.53 of its attention to “fluffy”, 0.39 to “blue”, 0.06 to “a” and 0.02 to "),
        ("zh", "头 1：“creature”把注意力的 0.53 给“fluffy”，0.39 给“blue”，0.06 给“a”，0.02 给它自己"),
    ],
)
def test_every_decimal_of_a_transcript_is_one_of_the_ledger(video, ledger, language, sentence):
    text = (video.parent / f"{STEM}.{language}.transcript.md").read_text(encoding="utf-8").replace("\\", "")
    assert sentence in text
    found = set(DECIMAL.findall(text))
    written = {row["text"] for key in ("numbers", "quoted") for row in ledger[key]}
    drawn = {text_of(row) for row in ledger["encodings"]}
    assert found <= written | drawn
    learned = {row["text"] for row in ledger["numbers"] if ".attn.W_" in row["name"]}
    assert {each for each in written - learned if "." in each} <= found


def text_of(row):
    return show(Cell(row["name"], tuple(row["index"].items()), float.fromhex(row["hex"]), "")).text


def test_the_ledger_holds_what_the_storyboard_wants(ledger):
    shown = {number["name"].removeprefix("blocks.0.attn.") for number in ledger["numbers"]}
    assert {
        *("W_Q", "W_K", "W_V", "W_O", "query", "key", "value", "scores", "scaled", "masked", "shifted", "exp"),
        *("row_max", "row_sum", "pattern", "z", "head_out"),
    } <= shown
    assert {"blocks.0.residual.attn_sum", "derived.product", "derived.sum"} <= {n["name"] for n in ledger["numbers"]}
    assert all(math.isfinite(float.fromhex(n["hex"])) or n["kind"] == "masked" for n in ledger["numbers"])


def test_a_second_process_gives_the_same_frames_and_ledger(tmp_path, frames, ledger):
    again = render(tmp_path)
    with av.open(str(again)) as container:
        decoded = list(container.decode(container.streams.video[0]))
    assert len(decoded) == len(frames)
    for number in range(0, len(frames), 7):
        assert np.array_equal(decoded[number].to_ndarray(), frames[number].to_ndarray())
    assert json.loads((again.parent / f"{STEM}.numbers.json").read_text(encoding="utf-8")) == ledger
