"""A person's own file: drawn by the same engine, published whole or not at all, refused in one line."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import av
import pytest

from pipeline.publish.scene_file import check_source
from pipeline.render.scene_file import FileJob, draw_file
from tests.pipeline.test_crashes import hear_interrupts, is_gone, wait_for
from transformer_core.errors import CheckFailed, InputError

ROOT = Path(__file__).resolve().parents[2]
HEAD = "from manim import *\n"
MOVING = """
class Moving(Scene):
    def construct(self):
        self.next_section("here")
        square = Square()
        self.play(square.animate.shift(RIGHT), run_time=0.4)
        self.next_section("there")
        self.wait(0.6)
"""


@pytest.fixture
def draw(tmp_path, monkeypatch):
    """Draw a scene of this source in this process, as the render process does it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def drawn(source: str, name: str = "", **options):
        path, folder = tmp_path / "scenes of mine.py", tmp_path / "job"
        path.write_text(HEAD + source, encoding="utf-8")
        folder.mkdir(exist_ok=True)
        given = {"size": (160, 90), "frames_per_second": 15, "engine": "fast"} | options
        job = FileJob(path=str(path), folder=str(folder), class_name=name, **given)
        try:
            return draw_file(job, lambda *_: None), folder
        finally:
            sys.modules.pop("scene_file", None)

    return drawn


def command(*words: str) -> list[str]:
    return [sys.executable, str(ROOT / "cli.py"), "render-file", *words]


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), cwd=folder, capture_output=True, text=True, timeout=120)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_file_becomes_a_video_with_the_persons_own_settings(tmp_path):
    folder = tmp_path / "it's ‘mine’ 名"
    folder.mkdir()
    (folder / "manim.cfg").write_text("[CLI]\nbackground_color = #FF0000\npixel_width = 320\npixel_height = 180\n")
    (folder / "my clip-1.py").write_text(
        HEAD + "import scenes\nprint('heard', scenes.mine)\nconfig.frame_rate = 25\n" + MOVING, encoding="utf-8"
    )
    # What lies beside the file is the file's own, whatever its name is with us.
    (folder / "scenes.py").write_text("mine = 7\n")
    (folder / "pipeline.py").write_text("raise RuntimeError('not this one')\n")
    done = run(folder, "my clip-1.py", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told == {
        "video": "media/my clip-1/Moving.180p25.mp4",
        "scene": "Moving",
        "seconds": 1.0,
        "frames": 25,
        "engine": "fast",
        "ledger": None,
    }
    assert "heard 7" in done.stderr
    assert "there is no ledger" in done.stderr
    assert files(folder) == [
        "manim.cfg",
        "media/my clip-1/Moving.180p25.mp4",
        "my clip-1.py",
        "pipeline.py",
        "scenes.py",
    ]
    with av.open(str(folder / told["video"])) as video:
        frames = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]
        chapters = [chapter["metadata"]["title"] for chapter in video.chapters()]
    assert len(frames) == 25
    assert frames[0].shape == (180, 320, 3)
    assert frames[0][5, 5, 0] > 240
    assert frames[0][5, 5, 1] < 15
    assert chapters == ["here", "there"]


def test_a_failing_file_publishes_nothing(tmp_path):
    (tmp_path / "clip.py").write_text(HEAD + MOVING + "        input()\n")
    done = run(tmp_path, "clip.py", "--quality", "draft", "-o", "made/clip.mp4")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith("error: clip.py:10: EOFError")
    assert files(tmp_path) == ["clip.py"]
    assert not (tmp_path / "made").exists()


def test_ctrl_c_leaves_nothing(tmp_path):
    (tmp_path / "clip.py").write_text(HEAD + MOVING + "        self.wait_until(lambda: False, max_time=500)\n")
    process = subprocess.Popen(
        command("clip.py", "--quality", "draft"),
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        # Deaf shells start their children deaf.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stderr is not None
    while "there" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    told = process.stderr.read()
    assert process.wait(timeout=20) == 130
    assert told.splitlines()[-1] == "error: stopped"
    process.stderr.close()
    assert files(tmp_path) == ["clip.py"]


@pytest.mark.parametrize(
    ("name", "source", "why"),
    [
        ("none.py", None, "no such file"),
        ("folder.py", ..., "it is a folder"),
        ("clip.txt", "", "no Python file"),
        ("clip.py", "x = 1\nclass A(:\n", "clip.py:2: Python cannot read it"),
        ("nul.py", "x = '\0'", "nul.py: Python cannot read it"),
    ],
)
def test_what_is_no_source_is_refused(tmp_path, name, source, why):
    if source is ...:
        (tmp_path / name).mkdir()
    elif source is not None:
        (tmp_path / name).write_text(source)
    with pytest.raises(InputError) as refused:
        check_source(tmp_path / name)
    assert why in str(refused.value)


def test_a_refusal_is_one_line_and_starts_nothing(tmp_path):
    (tmp_path / "clip.py").write_text("class A(:")
    done = run(tmp_path, "clip.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == ["error: clip.py:1: Python cannot read it (invalid syntax); correct it first"]
    assert files(tmp_path) == ["clip.py"]


@pytest.mark.parametrize(
    ("source", "name", "why"),
    [
        ("x = 1", "", "no Scene class"),
        ("class A(Scene): ...\nclass B(A): ...", "", "there are 2 scenes in it; name one after the file: A, B"),
        ("class Alpha(Scene): ...", "Alfa", "did you mean 'Alpha'?"),
        ("class A(Scene): ...", "", "A: it plays nothing"),
        ("class A(Scene):\n    def construct(self): self.add(Square())", "", "A: it plays nothing"),
        ("config.renderer = 'opengl'\nclass A(Scene): ...", "", "only Manim's Cairo scenes"),
        ("config.transparent = True\nclass A(Scene): ...", "", "an mp4 has a ground"),
        ("config.pixel_width = 853\nclass A(Scene): ...", "", "even"),
        ("config.frame_rate = 29.97\nclass A(Scene): ...", "", "29.97 frames per second"),
    ],
)
def test_what_no_video_can_come_of_is_refused(draw, source, name, why):
    with pytest.raises(InputError) as refused:
        draw(source, name)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import nowhere_to_be_found", "scenes of mine.py:2: ModuleNotFoundError"),
        ("raise SystemExit(3)", "scenes of mine.py:2: it ended the program"),
        (
            "class A(Scene):\n    def construct(self):\n        self.wait(1)\n        1 / 0",
            "scenes of mine.py:5: ZeroDiv",
        ),
        ("class A(Scene):\n    def construct(self):\n        self.play(Create(3))", "scenes of mine.py:4: TypeError"),
        ("class A(Scene):\n    def construct(self):\n        exit()", "scenes of mine.py:4: it ended the program"),
        (
            "class A(Scene):\n    def construct(self):\n        self.add_sound('a.wav')",
            "add_sound: videos with sound cannot be rendered here; leave it out, or render this scene with: manim",
        ),
    ],
)
def test_what_its_code_raises_is_one_line_with_its_place(draw, source, told):
    with pytest.raises(CheckFailed) as failed:
        draw(source)
    assert str(failed.value).startswith(told)
    assert "\n" not in str(failed.value)


def test_a_scene_for_another_camera_goes_to_manims_own_renderer(draw):
    source = "class Space(ThreeDScene):\n    def construct(self):\n        self.add(Cube())\n        self.wait(0.2)"
    result, folder = draw(source)
    assert (result.engine, result.frames) == ("stock", 3)
    assert "ThreeDCamera" in result.notice
    assert json.loads((folder / "record.json").read_text())["scene"] == "Space"


def test_only_scenes_of_the_file_itself_count(draw, tmp_path):
    (tmp_path / "base_of_mine.py").write_text(HEAD + "class Base(Scene): ...")
    result, _ = draw("from base_of_mine import Base\nclass A(Base):\n    def construct(self): self.wait(0.2)")
    assert result.frames == 3
    del sys.modules["base_of_mine"]


def test_the_folder_is_left_as_it_was(draw, tmp_path):
    before = os.getcwd()
    draw(MOVING)
    assert os.getcwd() == before
    assert files(tmp_path) == ["job/group", "job/record.json", "job/stream.mp4", "job/video.mp4", "scenes of mine.py"]


STARTS_ANOTHER = """
        import subprocess
        helper = subprocess.Popen(["sleep", "600"])
        open("helper.pid", "w").write(str(helper.pid))
        self.wait_until(lambda: False, max_time=500)
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda each: each.name)
def test_what_a_scene_started_ends_with_the_command(how, tmp_path):
    (tmp_path / "clip.py").write_text(HEAD + MOVING + STARTS_ANOTHER)
    process = subprocess.Popen(
        command("clip.py", "--quality", "draft", "--quiet"),
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        preexec_fn=hear_interrupts,
    )
    noted = tmp_path / "helper.pid"
    wait_for(lambda: noted.exists() and noted.read_text(), "the scene to start another process")
    process.send_signal(how)
    _, told = process.communicate(timeout=20)
    wait_for(lambda: is_gone(int(noted.read_text())), "that process to end")
    if how != signal.SIGKILL:
        assert (process.returncode, told.split(b"\n")[-2]) == (128 + how, b"error: stopped")
        assert files(tmp_path) == ["clip.py", "helper.pid"]


def test_what_a_scene_left_running_ends_with_it(tmp_path):
    (tmp_path / "clip.py").write_text(
        HEAD + MOVING + STARTS_ANOTHER.replace("lambda: False, max_time=500", "lambda: 1")
    )
    assert run(tmp_path, "clip.py", "--quality", "draft").returncode == 0
    wait_for(lambda: is_gone(int((tmp_path / "helper.pid").read_text())), "that process to end")


READS_AND_FORKS = """
        import multiprocessing, subprocess, time
        subprocess.run(["cat"])
        left = multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,))
        left.start()
        open("helper.pid", "w").write(str(left.pid))
"""


def test_nothing_waits_for_words_or_for_what_a_scene_forked(tmp_path):
    (tmp_path / "clip.py").write_text(HEAD + MOVING + READS_AND_FORKS)
    done = subprocess.run(command("clip.py", "--quality", "draft", "--quiet"), cwd=tmp_path, timeout=60)
    assert done.returncode == 0
    wait_for(lambda: is_gone(int((tmp_path / "helper.pid").read_text())), "that process to end")


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        ("KeyboardInterrupt", r"^scenes of mine.py:5: KeyboardInterrupt$"),
        ("GeneratorExit('x')", r"^scenes of mine.py:5: GeneratorExit: x$"),
        ("ValueError('\\x1b[2J' + 'x' * 9000)", r"^scenes of mine.py:5: ValueError: \[2Jx+…$"),
    ],
)
def test_whatever_it_raises_is_one_short_line(draw, raised, told):
    with pytest.raises(CheckFailed, match=told):
        draw(f"\nclass Fails(Scene):\n    def construct(self):\n        raise {raised}\n")
