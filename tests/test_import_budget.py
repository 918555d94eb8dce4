"""What is asked often answers at once: these commands load neither Manim nor PyTorch."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.commands import names

ROOT = Path(__file__).resolve().parents[1]
HEAVY = {"manim", "torch", "numpy", "scipy", "rich", "av", "cairo", "fontTools"}
LISTS = [["--help"], ["--version"], *([name, "--help"] for name in names())]
LIGHT = [[name] for name in ("doctor", "scenes", "status") if name in names()]

PROBE = """
import json, sys
sys.path.insert(0, {root!r})
sys.argv = ["cli.py", *{words!r}]
import cli
try:
    code = cli.main({words!r})
except SystemExit as stop:
    code = stop.code
loaded = sorted({{name.partition(".")[0] for name in sys.modules}})
print(json.dumps({{"code": code, "loaded": loaded}}), file=sys.stderr)
"""


def loaded_by(words: list[str]) -> set[str]:
    probe = PROBE.format(root=str(ROOT), words=words)
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    answer = json.loads(done.stderr.splitlines()[-1])
    assert answer["code"] in (0, None), done.stderr
    return set(answer["loaded"])


@pytest.mark.parametrize("words", LISTS, ids=" ".join)
def test_help_loads_nothing_heavy(words):
    assert not loaded_by(words) & HEAVY


@pytest.mark.parametrize("words", LIGHT, ids=" ".join)
def test_what_only_looks_loads_neither_manim_nor_torch(words, tmp_path):
    course = tmp_path / "course.toml"
    course.write_text('[[asset]]\nscene = ["qkv", "embedding"]\nformat = ["mp4", "svg", "csv"]\n')
    about = [str(course)] if words == ["status"] else []
    assert not loaded_by([*words, *about]) & {"manim", "torch"}


def test_help_answers_in_well_under_a_second():
    def seconds() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, ROOT / "cli.py", "--help"], capture_output=True, check=True)
        return time.perf_counter() - start

    # The best of five: a busy machine may slow any single one.
    assert min(seconds() for _ in range(5)) < 0.4
