"""However a render ends, nothing half is published, nothing is left running, and the next one works."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from pipeline.cores import cores
from pipeline.render.workspace import PREFIX, Workspace, remove_dead
from tests.pipeline.conftest import changed_copy
from transformer_core.errors import InputError

LONG = ("--pace", "10", "--quality", "high")
PATIENCE = 60
STARTED: list[subprocess.Popen[str]] = []


def wait_for(condition, what: str):
    """What the condition returns, once it is true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    pytest.fail(f"waited in vain for {what}")


def hear_interrupts() -> None:
    """In the child: Ctrl-C works, which a shell's background jobs are deaf to, and SIGHUP, which nohup's are."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def none_left_running():
    yield
    while STARTED:
        with STARTED.pop() as process:
            process.kill()


def start(checkout) -> tuple[subprocess.Popen, int]:
    """A long render, and its worker's process id, once it is in the middle of encoding."""
    process = subprocess.Popen(
        checkout.command("render", "tiny", "--model", str(checkout.model), *LONG),
        cwd=checkout.folder,
        env=checkout.environment(),
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    )
    STARTED.append(process)
    wait_for(lambda: any(p.stat().st_size for p in checkout.folder.rglob("*.stream.mp4")), "the video to grow")
    [worker] = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split() or _children(process.pid)
    return process, int(worker)


def _children(pid: int) -> list[str]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [child for task in tasks for child in (task / "children").read_text().split()]


def is_gone(pid: int) -> bool:
    """Whether the process has ended; one that its parent has not collected has ended too."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_kill_9_of_the_parent(checkout):
    process, worker = start(checkout)
    copies = [int(each) for each in _children(worker)]
    assert len(copies) == (min(3, cores() + 1) if cores() > 1 else 0)
    process.kill()
    process.communicate()
    wait_for(lambda: all(map(is_gone, (worker, *copies))), "the worker and its copies to end")
    assert not [name for name in checkout.files() if name.endswith(".mp4") and PREFIX not in name]
    done = checkout.render()
    assert done.returncode == 0, done.stderr
    assert not [name for name in checkout.files() if PREFIX in name]
    assert len([name for name in checkout.files() if name.endswith(".mp4")]) == 1


def test_kill_9_of_the_worker(checkout):
    process, worker = start(checkout)
    os.kill(worker, signal.SIGKILL)
    _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert told.splitlines()[-1].startswith("error: TinyLecture: the render process ended with signal 9")
    assert checkout.files() == []


@pytest.mark.skipif(cores() == 1, reason="one core draws one beat after the other, without copies")
def test_kill_9_of_what_draws_a_beat(checkout):
    process, worker = start(checkout)
    copies = [int(each) for each in _children(worker)]
    os.kill(copies[0], signal.SIGKILL)
    _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert told.splitlines()[-1] == "error: TinyLecture: the process of weight ended before its time"
    wait_for(lambda: all(map(is_gone, (worker, *copies))), "the worker and its copies to end")
    assert checkout.files() == []


def test_ctrl_c(checkout):
    process, worker = start(checkout)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert told.splitlines()[-1] == "error: stopped"
    assert is_gone(worker)
    assert checkout.files() == []


def test_four_at_once(checkout):
    words = [
        ("a blue creature", "en"),
        ("a blue creature", "en"),
        ("the red dragon", "en"),
        ("蓝色的生物", "zh"),
    ]
    running = [
        subprocess.Popen(
            checkout.command(
                "render",
                "tiny",
                "--quality",
                "draft",
                "--model",
                str(checkout.model),
                "--prompt",
                prompt,
                "--lang",
                lang,
            ),
            cwd=checkout.folder,
            env=checkout.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for prompt, lang in words
    ]
    told = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * 4, told
    videos = {out.strip() for out, _ in told}
    assert len(videos) == 3
    assert len([name for name in checkout.files() if name.endswith(".mp4")]) == 3
    assert not [name for name in checkout.files() if PREFIX in name]
    assert checkout.run("verify", "--all").stdout.count("identical") == 3


def test_two_languages_side_by_side(checkout):
    done = checkout.render("--lang", "en", "--lang", "zh", "-j", "2", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split(".")[1:] for line in done.stdout.split()] == [
        ["en", "draft", "mp4"],
        ["zh", "draft", "mp4"],
    ]


BROKEN = {
    "error": (
        ("def share(self):", "def share(self):\n        1 / 0\n"),
        "error: TinyLecture: ZeroDivisionError: division by zero (tiny.py line",
    ),
    "stray digit": (
        ("def share(self):", "def share(self):\n        self.add(Prose('7', size=0.6, color=SWATCH))\n"),
        "error: audit of tiny: share: ",
    ),
    "other number": (
        (
            "self.play(self.number",
            "self.number.shown = self.number.shown.__class__(self.trace.cell("
            "'blocks.0.attn.W_Q', head=0, d_model=0, d_head=0), '0.42', 'exact')\n        self.play(self.number",
        ),
        "error: audit of tiny: end: ",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_scene_that_fails_says_where_and_publishes_nothing(fault, checkout):
    (before, after), line = BROKEN[fault]
    broken = checkout.folder / "scenes"
    broken.mkdir()
    source = Path(__file__).parent / "small_scenes"
    text = (source / "tiny.py").read_text().replace("import BoundNumber", "import BoundNumber, Prose")
    assert before in text
    (broken / "tiny.py").write_text(text.replace(before, after, 1))
    (broken / "tiny.toml").write_text((source / "tiny.toml").read_text())
    words = checkout.command("render", "tiny", "--quality", "draft", "--model", str(checkout.model))
    words[2] = words[2].replace(str(source), str(broken))
    done = subprocess.run(words, cwd=checkout.folder, env=checkout.environment(), capture_output=True, text=True)
    assert done.returncode == 1
    assert line in done.stderr.splitlines()[-1]
    assert not (checkout.folder / "media").exists()


class TestWorkspace:
    def test_a_dead_folder_goes_a_live_one_stays(self, tmp_path):
        dead = tmp_path / f"{PREFIX}dead"
        dead.mkdir()
        (dead / "stream.mp4").write_text("half")
        with Workspace(tmp_path) as live:
            assert not dead.exists()
            remove_dead(tmp_path)
            assert live.folder.exists()
        assert list(tmp_path.iterdir()) == []

    def test_folders_it_made_go_when_nothing_was_published(self, tmp_path):
        with Workspace(tmp_path / "a" / "b"):
            pass
        assert list(tmp_path.iterdir()) == []

    def test_publishing_replaces_whole_files(self, tmp_path):
        (tmp_path / "x.mp4").write_text("old")
        with Workspace(tmp_path) as workspace:
            (workspace.folder / "video").write_text("new")
            assert workspace.publish({"x.mp4": workspace.folder / "video"}) == [tmp_path / "x.mp4"]
        assert (tmp_path / "x.mp4").read_text() == "new"
        assert [path.name for path in tmp_path.iterdir()] == ["x.mp4"]

    def test_a_folder_that_cannot_be_made(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(InputError, match="cannot be written"), Workspace(tmp_path / "file" / "x"):
            pass


SMALL = ("--quality", "draft", "--quiet", "--model")
COURSE = '[model]\nname = "{model}"\n[[asset]]\nscene = "tiny"\nquality = "draft"\npace = 10\n'
CHAPTER = "---\nlang: en\n---\n\n# One\n\n{{{{ video tiny quality=draft pace=10 model={model} }}}}\n"
ASKED_TO_END = {
    "render": ("render", "tiny", *SMALL),
    "compare": ("render", "tiny", "--compare", "{other}", *SMALL),
    "figure": ("figure", "tiny", *SMALL),
    "sheet": ("sheet", "tiny", *SMALL),
    "build": ("build", "--quiet"),
    "chapter": ("chapter", "one.md", "--quiet"),
}


@pytest.mark.parametrize("case", ASKED_TO_END)
def test_a_command_that_is_asked_to_end_clears_up(case, checkout):
    model = checkout.folder / "model"
    model.symlink_to(checkout.model)
    for name, text in (("course.toml", COURSE), ("one.md", CHAPTER)):
        (checkout.folder / name).write_text(text.format(model="model"))
    other = changed_copy(checkout.model, checkout.folder / "other")
    words = [word.format(model=model, other=other) for word in ASKED_TO_END[case]]
    words += [str(model)] if words[-1] == "--model" else []
    process = subprocess.Popen(
        checkout.command(*words),
        cwd=checkout.folder,
        env=checkout.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    STARTED.append(process)
    wait_for(lambda: list(checkout.folder.rglob(f"{PREFIX}*")), "a work folder")
    process.terminate()
    # `timeout` sends two, the second while things are cleared up.
    process.terminate()
    _, told = process.communicate(timeout=PATIENCE)
    assert (process.returncode, told.splitlines()[-1]) == (128 + signal.SIGTERM, "error: stopped"), told
    assert not list(checkout.folder.rglob(f"{PREFIX}*"))


def test_a_signal_that_is_ignored_stays_so():
    from pipeline.signals import Hearing

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Hearing() as hearing:
            os.kill(os.getpid(), signal.SIGHUP)
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
    assert hearing.code(otherwise=130) == 143
