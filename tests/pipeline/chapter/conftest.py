"""A small chapter of a tiny scene, and our own, each built once; a test that changes one has a copy of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import pytest

from pipeline.render import request
from tests.pipeline.conftest import ROOT, SMALL_SCENES, Checkout

OUR_CHAPTERS = ROOT / "docs" / "chapter"
DRAFT = {"quality": "draft", "theme": "light", "pace": "0.1"}
"""A tenth of the time at the smallest size, in one theme: every beat is played and audited all the same."""

CHAPTER = """{{ chapter model=small quality=draft theme=light title="A small chapter" }}

# A small chapter

“creature” gives “blue” {{ number tiny.pattern query=creature key=blue sign=yes }} of its attention. With $d_k$
{{ number tiny.config path=d_head sign=yes }} the weight is {{ number tiny "L1.H1.W_Q[d_model=1, d_head=1]" }}.

{{ video tiny pace=0.5 }}

{{ figure tiny:share caption="A share." }}

As text: `{{ video tiny }}`.
"""


@dataclass(frozen=True)
class SmallChapter(Checkout):
    """A folder with `lecture.md`, its model `small`, its page in `out`, and a figure in `figures`."""

    @property
    def source(self) -> Path:
        return self.folder / "lecture.md"

    @property
    def page(self) -> Path:
        return self.folder / "out" / "lecture.html"

    def command(self, *words: str) -> list[str]:
        """The command line, with the chapter's own scenes in the catalogue."""
        python, dash, code, *rest = super().command(*words)
        return [python, dash, code.replace(repr(str(SMALL_SCENES)), repr(str(self.folder / "scenes"))), *rest]

    def write(self, text: str) -> None:
        self.source.write_text(text, encoding="utf-8")

    def build(self, *words: str) -> dict:
        """Build, and what was done."""
        done = self.run("chapter", "lecture.md", "-o", "out", "--json", *words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def check(self, file: str = "out/lecture.html") -> list[dict]:
        """What `check` objects to, in this process."""
        from pipeline.chapter.check import check

        return [asdict(each) for each in check(Path(file), output=Path("out")) if each.bad]

    def video(self, ending: str = ".mp4") -> Path:
        [path] = (path for path in (self.folder / "out" / "media").glob(f"*{ending}") if "pace" in path.name)
        return path


@pytest.fixture(scope="session")
def built_chapter(tmp_path_factory, small_model) -> SmallChapter:
    """A chapter that is complete; not to be changed."""
    chapter = SmallChapter(tmp_path_factory.mktemp("chapter") / "it's 课", small_model)
    chapter.folder.mkdir()
    shutil.copytree(small_model, chapter.folder / "small")
    shutil.copytree(SMALL_SCENES, chapter.folder / "scenes", ignore=shutil.ignore_patterns("__pycache__"))
    chapter.write(CHAPTER)
    assert set(chapter.build()["assets"].values()) == {"drawn"}
    forms = [word for form in ("svg", "pdf", "png") for word in ("--format", form)]
    done = chapter.run("figure", "tiny:share", "--model", "small", "-o", "figures/share.svg", *forms)
    assert done.returncode == 0, done.stderr
    return chapter


@pytest.fixture
def chapter(built_chapter, tmp_path, monkeypatch) -> SmallChapter:
    """A copy of the complete chapter, with its times; this process works in it, with its scenes."""
    from pipeline import catalogue

    folder = tmp_path / "lectures"
    subprocess.run(["cp", "-a", str(built_chapter.folder), str(folder)], check=True)
    monkeypatch.setattr(catalogue, "SCENES_FOLDER", folder / "scenes")
    monkeypatch.setattr(catalogue, "PACKAGE", "")
    monkeypatch.chdir(folder)
    request.load.cache_clear()
    return SmallChapter(folder, folder / "small")


@pytest.fixture(scope="session")
def our_chapter(tmp_path_factory) -> Callable[[str], Path]:
    """Builds our chapter in a language, as anyone builds it, once; gives the folder with its source and `out`."""

    @cache
    def built(language: str) -> Path:
        folder = tmp_path_factory.mktemp("our")
        name = f"attention.{language}.md"
        shutil.copy(OUR_CHAPTERS / name, folder)
        words = ["chapter", name, "-o", "out", "--quiet", *(each for key in DRAFT for each in (f"--{key}", DRAFT[key]))]
        command = [sys.executable, str(ROOT / "cli.py"), *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr
        return folder

    return built
