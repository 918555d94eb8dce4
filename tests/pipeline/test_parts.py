"""A scene whose beats are drawn side by side is, file for file and byte for byte, the one drawn beat by beat."""

import errno
import filecmp
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from pipeline.catalogue import catalogue, find_scenes
from pipeline.render.copies import POSSIBLE, Copies, CopyFailed
from pipeline.render.job import LAST, RECORD, TRACE, USES
from pipeline.render.jobs import Order, job_for
from pipeline.render.pictures import write_last
from pipeline.render.request import resolve
from pipeline.render.runtime import worker_environment
from pipeline.render.spec import RenderSpec
from transformer_core.errors import CheckFailed

pytestmark = pytest.mark.skipif(not POSSIBLE, reason="only Linux lets a process be copied")
FEW = 4
"""Frames per second: enough for every beat to move."""


def draw(folder: Path, scene: str, *, processes: int, films: tuple[str, ...]) -> list[str]:
    """Draw a scene as a render process does; returns the files that are left, without what only copies leave."""
    folder.mkdir()
    [entry] = find_scenes([scene])
    spec = RenderSpec(scene=scene, quality="draft", frames_per_second=FEW)
    request = resolve(spec, entry)
    order = Order(
        spec=spec,
        entry=entry,
        folder=folder,
        audit=True,
        stills=entry.beats,
        drawings=(entry.poster,),
        films=films,
        metadata=lambda _: dict.fromkeys(("title", "comment", "description"), "x"),
        target=lambda _: "",
        publish=lambda _: {},
    )
    request.trace.save(folder / TRACE)
    job_for(order, request, processes=processes).save(folder)
    done = subprocess.run(
        [sys.executable, "-m", "pipeline.render.worker", str(folder)],
        env=worker_environment(os.environ),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    parts = list(folder.glob("*.part.json"))
    assert len(parts) == (len(entry.beats) if processes > 1 else 0)
    for path in (*parts, folder / "job.json"):
        path.unlink()
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("scene", [entry.name for entry in catalogue()])
def test_side_by_side_is_one_after_the_other(scene, tmp_path):
    films = ("mp4", "png") if scene == "positional" else ("mp4",)
    one = draw(tmp_path / "one", scene, processes=1, films=films)
    assert {RECORD, USES, "video.mp4", TRACE} < set(one)
    assert draw(tmp_path / "three", scene, processes=3, films=films) == one
    _, different, errors = filecmp.cmpfiles(tmp_path / "one", tmp_path / "three", one, shallow=False)
    assert (different, errors) == ([], [])


def test_pictures_alone_are_made_side_by_side_too(tmp_path):
    one = draw(tmp_path / "one", "embedding", processes=1, films=())
    assert draw(tmp_path / "two", "embedding", processes=2, films=()) == one
    _, different, errors = filecmp.cmpfiles(tmp_path / "one", tmp_path / "two", one, shallow=False)
    assert (different, errors) == ([], [])


def in_copies(told_by: dict[str, str], *, most: int = 2) -> list[str]:
    """Let a copy say each thing; returns the names of those that were begun."""
    copies, begun = Copies(most=most, well=lambda told: told != "bad"), []
    try:
        for name, told in told_by.items():
            if copies.begin(name):
                if told == "nothing":
                    os._exit(3)
                copies.leave(told)
            begun.append(name)
        copies.join()
    finally:
        copies.end()
    return begun


def test_copies_say_how_they_went():
    assert in_copies({"a": "good", "b": "good", "c": "good"}) == ["a", "b", "c"]


@pytest.mark.parametrize(("told", "heard"), [("bad", "bad"), ("nothing", None)])
def test_a_copy_that_fails_is_heard_of(told, heard):
    with pytest.raises(CopyFailed, match="the process of b ended") as caught:
        in_copies({"a": "good", "b": told, "c": "good"})
    assert caught.value.told == heard


def test_a_copy_that_cannot_be_made_is_one_line(monkeypatch):
    def none_left() -> int:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", none_left)
    with pytest.raises(CheckFailed, match=r"no further process can be started \(Resource temporarily unavailable\)"):
        in_copies({"a": "good"})


def test_copies_are_ended():
    copies = Copies(most=2, well=bool)
    if copies.begin("long"):
        os.execvp("sleep", ["sleep", "1000"])
    [process] = [pid for pid, _ in copies._running.values()]
    copies.end()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_last_picture_is_whole_or_not_there(monkeypatch, tmp_path):
    """A copy may be killed, or another process write the same picture, while it is written."""
    scene = SimpleNamespace(renderer=SimpleNamespace(get_frame=lambda: np.zeros((2, 2, 4), np.uint8)))
    monkeypatch.chdir(tmp_path)

    def cut_short(_, path, *__):
        Path(path).write_bytes(b"half")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Image.Image, "save", cut_short)
        with pytest.raises(KeyboardInterrupt):
            write_last(scene)
    assert not Path(LAST).exists()
    write_last(scene)
    with Image.open(LAST) as last:
        assert last.size == (2, 2)
