"""The instruments themselves: what they measure is what they say, and what they write stands where it should."""

import os
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from bench import profile
from bench.clip import write_clip
from bench.encoding import encoding_alone
from bench.machine import words
from bench.measure import measure
from bench.page import PAGE, table, write_section
from pipeline.catalogue import catalogue
from pipeline.render.encoder import Picture, VideoStream
from pipeline.render.scene_file import FileJob, draw_file


def python(source: str, folder: Path, **options):
    return measure((sys.executable, "-c", source), folder=folder, **options)


def test_time_memory_and_output_of_a_command(tmp_path):
    child = "import time; held = bytearray(80_000_000); held[::4096] = b'1' * len(held[::4096]); time.sleep(0.7)"
    source = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}]); print('told')"
    made = python(source, tmp_path)
    assert made.output == "told\n"
    assert made.seconds > 0.7
    assert 0 < made.processor < made.seconds
    assert 80e6 < made.memory < 200e6


def test_processor_time_of_what_a_command_starts_counts(tmp_path):
    busy = "import time; end = time.process_time() + 0.4\nwhile time.process_time() < end: pass"
    made = python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])", tmp_path)
    assert made.processor > 0.4


def test_a_command_is_kept_to_its_cores(tmp_path):
    assert python("import os; print(len(os.sched_getaffinity(0)))", tmp_path, cores=1).output == "1\n"
    assert len(os.sched_getaffinity(0)) >= 1


def test_a_command_that_fails_is_told_with_its_last_words(tmp_path):
    with pytest.raises(RuntimeError, match="no such luck"):
        python("raise ValueError('no such luck')", tmp_path)


def test_encoding_alone_encodes_every_frame_of_a_still(tmp_path):
    rng, stream = np.random.default_rng(0), VideoStream(tmp_path / "still.mp4", size=(320, 180), frames_per_second=30)
    pixels = rng.integers(0, 255, (180, 320, 4)).astype(np.uint8)
    stream.put(Picture(pixels, repeat=30))
    stream.close()
    short, _ = encoding_alone(tmp_path / "still.mp4")
    stream = VideoStream(tmp_path / "long.mp4", size=(320, 180), frames_per_second=30)
    stream.put(Picture(pixels, repeat=1500))
    stream.close()
    _, processor = encoding_alone(tmp_path / "long.mp4")
    assert short > 0
    # A hundredth of a millisecond would be a repeat; a frame of this size takes some tenths.
    assert processor > 1500 * 0.00005


def test_a_look_names_the_innermost_kind_of_work(tmp_path):
    waits = threading.Event()
    thread = threading.Thread(target=waits.wait, name="idle")
    thread.start()
    sampler = profile.Sampler()
    watch = threading.Thread(target=sampler.run)
    watch.start()
    spin = compile("def update_frame(end):\n    while time.perf_counter() < end: pass", "x/cairo_renderer.py", "exec")
    names = {"time": time}
    exec(spin, names)
    names["update_frame"](time.perf_counter() + 0.3)
    sampler.end()
    watch.join()
    waits.set()
    thread.join()
    assert sampler.threads["MainThread"].most_common(1)[0][0] == "drawing"
    assert set(sampler.threads["idle"]) == {"waiting"}
    assert sampler.looks >= 3


def test_a_clip_is_the_scene_cut_short(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    [entry] = [entry for entry in catalogue() if entry.name == "embedding"]
    path = write_clip(entry, tmp_path, seconds=1)
    job = FileJob(
        path=str(path), folder=str(tmp_path), class_name="", size=(160, 90), frames_per_second=15, engine="fast"
    )
    try:
        made = draw_file(job, lambda *_: None)
    finally:
        del sys.modules["scene_file"]
    assert 15 <= made.frames < 60


def test_a_section_of_the_page_is_replaced_and_nothing_else(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- a -->\nold\n<!-- /a -->\nbetween\n<!-- b -->\nkept\n<!-- /b -->\nafter\n")
    write_section("a", table(("x", "y"), [("1", r"\2")]), page=page)
    assert page.read_text() == (
        "before\n<!-- a -->\n\n| x | y |\n| --- | ---: |\n| 1 | \\2 |\n\n<!-- /a -->\n"
        "between\n<!-- b -->\nkept\n<!-- /b -->\nafter\n"
    )
    with pytest.raises(ValueError, match="no section c"):
        write_section("c", "", page=page)


@pytest.mark.parametrize("name", ["bench.render", "bench.profile", "bench.growth"])
def test_the_page_has_a_section_for_every_command(name):
    text = PAGE.read_text(encoding="utf-8")
    assert text.count(f"<!-- {name} -->") == text.count(f"<!-- /{name} -->") == 1
    assert f"python -m {name}" in text


def test_the_machine_is_named():
    assert "manim 0.22" in words()
    assert "cores" in words()
