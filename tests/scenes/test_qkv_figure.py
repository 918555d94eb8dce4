"""The figure of a real beat, for print: drawn by other programs it is the video's picture, digit for digit."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rasters import away_from_edges, blocks_apart, pixels_of
from tests.tolerances import FIGURE_BLOCK, FIGURE_FLAT

ROOT = Path(__file__).resolve().parents[2]
HEIGHT = 1080


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    """The published files by ending, of the beat with the most kinds of marks."""
    folder = tmp_path_factory.mktemp("course")
    forms = ("--format", "png", "--format", "svg", "--format", "pdf")
    words = ("figure", "qkv:softmax", *forms, "--theme", "print", "--lang", "zh", "-o", "figures/", "--quiet")
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *words], cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return {Path(line).suffix: folder / line for line in done.stdout.splitlines()}


@pytest.mark.parametrize("ending", [".svg", ".pdf"])
def test_outlines_and_pixels_are_one_picture(figures, ending):
    pixels, outlines = pixels_of(figures[".png"], height=HEIGHT), pixels_of(figures[ending], height=HEIGHT)
    assert pixels.shape == outlines.shape
    difference, share = away_from_edges(pixels, outlines)
    assert difference <= FIGURE_FLAT
    assert share > 0.85
    assert blocks_apart(pixels, outlines) <= FIGURE_BLOCK


def test_the_smallest_black_mark_is_missed(figures, tmp_path):
    """The comparison bites: without one dot of one number the pictures differ."""
    text = figures[".svg"].read_text(encoding="utf-8")
    numbers = re.findall(r'<path fill="#000000" d="([^"]*)"/>', text)
    marks = [mark for number in numbers for mark in re.findall(r"M[^M]*z", number) if len(mark) < 80]
    assert len(marks) > 5
    without = tmp_path / "without.svg"
    without.write_text(text.replace(min(marks, key=len), "", 1), encoding="utf-8")
    pixels = pixels_of(figures[".png"], height=HEIGHT)
    assert blocks_apart(pixels, pixels_of(without, height=HEIGHT)) > 2 * FIGURE_BLOCK


def test_sizes_are_small_enough_for_a_page(figures):
    assert figures[".svg"].stat().st_size < 400_000
    assert figures[".pdf"].stat().st_size < 250_000
