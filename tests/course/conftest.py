"""A small course of tiny scenes, built once, of which every test has a copy of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from tests.pipeline.conftest import SMALL_SCENES, Checkout
from tests.pipeline.conftest import small_model as small_model

COURSE = """
[course]
output = "out"
quality = "draft"

[model]
name = "model"

[[asset]]
scene = "tiny"
name = "creature"
prompt = "a blue creature"
format = ["mp4"]

[[asset]]
scene = "tiny"
name = "dragon"
prompt = "the red dragon"
query = "dragon"
beat = "share"
format = ["svg", "png", "csv"]
"""
CREATURE, DRAGON, TABLE = "creature.en.draft.mp4", "dragon.en.svg", "dragon.en.csv"


@dataclass(frozen=True)
class SmallCourse(Checkout):
    """A course in a folder of its own, with its own scenes and model."""

    def command(self, *words: str) -> list[str]:
        """The command line, with the course's own scenes in the catalogue."""
        python, dash, code, *rest = super().command(*words)
        return [python, dash, code.replace(repr(str(SMALL_SCENES)), repr(str(self.folder / "scenes"))), *rest]

    def run_in(self, folder: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command in a folder below."""
        return subprocess.run(
            self.command(*words),
            cwd=self.folder / folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=120,
        )

    def build(self, *words: str) -> list[dict]:
        """Build, and what was done: one row for each picture."""
        done = self.run("build", "--json", "--quiet", *words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def how(self, *words: str) -> dict[str, str]:
        """How each asset was had by a build."""
        return {name: row["how"] for row in self.build(*words) for name in row["assets"]}

    def status(self, *words: str) -> dict[str, dict]:
        """Each asset's state by name."""
        done = self.run("status", "--json", *words)
        assert done.returncode in (0, 3), done.stderr
        return {row["name"]: row for row in json.loads(done.stdout)}

    def edit(self, file: str, before: str, after: str) -> None:
        """Replace words in a file."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")

    def weigh(self, name: str, change: Callable[[np.ndarray], None]) -> None:
        """Change a weight of the model."""
        path = self.folder / "model" / "model.safetensors"
        weights = {key: array.copy() for key, array in load_file(path).items()}
        change(weights[name])
        save_file(weights, path)

    def outputs(self) -> dict[str, bytes]:
        """Every published file."""
        return {path.name: path.read_bytes() for path in sorted((self.folder / "out").iterdir())}


def start_course(folder: Path, model: Path, *, text: str = COURSE) -> SmallCourse:
    """A course that was never built."""
    folder.mkdir(parents=True)
    shutil.copytree(SMALL_SCENES, folder / "scenes", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(model, folder / "model")
    (folder / "course.toml").write_text(text, encoding="utf-8")
    return SmallCourse(folder, folder / "model")


@pytest.fixture(scope="session")
def built_course(tmp_path_factory, small_model) -> SmallCourse:
    """A complete course; not to be changed."""
    course = start_course(tmp_path_factory.mktemp("course") / "it's 课", small_model)
    assert set(course.how().values()) == {"drawn"}
    return course


@pytest.fixture
def course(built_course, tmp_path) -> SmallCourse:
    """A copy of the complete course."""
    folder = tmp_path / "course"
    # Copied with their times, as a checkout that stays where it is has them.
    subprocess.run(["cp", "-a", str(built_course.folder), str(folder)], check=True)
    return SmallCourse(folder, folder / "model")


@pytest.fixture
def empty_course(small_model, tmp_path) -> SmallCourse:
    """A course that was never built."""
    return start_course(tmp_path / "empty", small_model)
