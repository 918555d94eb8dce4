"""A tiny trained-looking model and a tiny scene, so that the whole pipeline runs in seconds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from safetensors.numpy import load_file, save_file

pytest.register_assert_rewrite("tests.pipeline.embeds.watch")

ROOT = Path(__file__).resolve().parents[2]
SMALL_SCENES = Path(__file__).parent / "small_scenes"
PROMPT = "a blue creature"

RUN = f"""
import sys
from pathlib import Path
from pipeline import catalogue
catalogue.SCENES_FOLDER, catalogue.PACKAGE = Path({str(SMALL_SCENES)!r}), ""
from cli import main
sys.exit(main())
"""


@pytest.fixture(scope="session")
def small_model(tmp_path_factory) -> Path:
    """A folder with a random model of two layers and two heads, weights on the 0.01 grid."""
    from transformer_core.config import ModelConfig
    from transformer_core.model import Transformer, init_weights
    from transformer_core.sources.bundled import save_folder
    from transformer_core.tokens import WordTokenizer

    words = ("a", "blue", "creature", "the", "red", "dragon", "蓝色", "的", "生物")
    config = ModelConfig(
        vocabulary_size=len(words),
        context_length=32,
        d_model=8,
        head_count=2,
        d_head=4,
        layer_count=2,
        d_mlp=0,
    )
    weights = {name: weight.mul(100).round().div(100) for name, weight in init_weights(config, seed=3).items()}
    card = {
        "name": "small",
        "default_prompt": {"en": PROMPT, "zh": "蓝色的生物"},
        "default_query": {"en": "creature"},
    }
    folder = tmp_path_factory.mktemp("models") / "small"
    save_folder(folder, Transformer(config, weights), WordTokenizer(words), card=card)
    return folder


@dataclass(frozen=True)
class Checkout:
    """A place to run commands in: its folder, and the model they use."""

    folder: Path
    model: Path

    def command(self, *words: str) -> list[str]:
        """The command line, with the small scene in the catalogue."""
        return [sys.executable, "-c", RUN, *words]

    def environment(self, **more: str) -> dict[str, str]:
        """The environment, with the project importable."""
        return {**os.environ, "PYTHONPATH": str(ROOT), **more}

    def run(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=self.environment(**more),
            capture_output=True,
            text=True,
            timeout=120,
        )

    def render(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """`render tiny` at draft quality with the small model."""
        return self.run("render", "tiny", "--quality", "draft", "--model", str(self.model), *words, **more)

    def files(self) -> list[str]:
        """Every file and folder there is, by path."""
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))


@pytest.fixture
def checkout(tmp_path, small_model) -> Checkout:
    folder = tmp_path / "work"
    folder.mkdir()
    return Checkout(folder, small_model)


@pytest.fixture(scope="session")
def checkout_at(small_model):
    """Makes a checkout in a folder that there is."""
    return lambda folder: Checkout(folder, small_model)


@pytest.fixture
def small_catalogue(monkeypatch):
    from pipeline import catalogue

    monkeypatch.setattr(catalogue, "SCENES_FOLDER", SMALL_SCENES)
    monkeypatch.setattr(catalogue, "PACKAGE", "")


@pytest.fixture(scope="session")
def browser():
    """Chromium, as Debian packs it: one for all tests, since Playwright allows one driver at a time."""
    from tests.pipeline.embeds.watch import browser_path

    path = browser_path()
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: sh tests/tools.sh installs it")
    with playwright.sync_playwright() as driver:
        # Started by root, as a build machine does, Chromium has no sandbox of its own.
        chromium = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


def changed_copy(model: Path, folder: Path) -> Path:
    """A copy of a model in which one weight of the queries is another."""
    shutil.copytree(model, folder)
    weights = {name: array.copy() for name, array in load_file(folder / "model.safetensors").items()}
    weights["blocks.0.attn.W_Q"][0, 0, 0] += 1.0
    save_file(weights, folder / "model.safetensors")
    return folder
