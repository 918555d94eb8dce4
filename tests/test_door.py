"""The door: exit codes, one line for each refusal, any folder, any Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import cli
from pipeline import commands
from transformer_core.errors import CheckFailed, InputError

ROOT = Path(__file__).resolve().parents[1]


def other_python() -> str:
    """A Python that is not the environment's: the one that it was made from."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


def run(*words: object, **settings) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **settings)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the door and nothing behind it."""
    shutil.copy(ROOT / "cli.py", tmp_path)
    return tmp_path


def command_that(monkeypatch, action) -> None:
    """Makes every command do this one thing."""
    monkeypatch.setattr(commands, "load", lambda name: click.Command(name, callback=action))


def raising(error: BaseException):
    def action() -> None:
        raise error

    return action


def test_help_goes_to_stdout(capsys):
    assert cli.main(["--help"]) == 0
    assert "doctor" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (
            InputError("blu", "the model\ndoes not know it", "type blue"),
            2,
            "blu: the model does not know it; type blue",
        ),
        (CheckFailed("L1.H1", "rows sum to 0.9"), 1, "L1.H1: rows sum to 0.9"),
        (KeyboardInterrupt(), 130, "stopped"),
        (click.BadParameter("not a number"), 2, "Invalid value: not a number. See: door doctor --help"),
    ],
    ids=["input", "check", "ctrl-c", "parameter"],
)
def test_a_refusal_is_one_line_with_its_code(monkeypatch, capsys, error, code, line):
    monkeypatch.setattr(sys, "argv", ["door"])
    command_that(monkeypatch, raising(error))
    assert cli.main(["doctor"]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.strip() == f"error: {line}"


def test_a_folder_that_was_removed_is_one_line(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    for python in (sys.executable, other_python()):
        done = run("sh", "-c", f"cd {gone} && rmdir {gone} && '{python}' {ROOT / 'cli.py'} doctor; mkdir {gone}")
        assert done.stderr.splitlines()[-1] == "error: the current folder was removed; go to another one (cd)"
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full"])
def test_a_refusal_keeps_its_code_where_nobody_reads_it(closed):
    assert run("sh", "-c", f"'{sys.executable}' {ROOT / 'cli.py'} docter {closed}").returncode == 2


@pytest.mark.parametrize("words", ["scenes --json", "--help"])
def test_a_pipe_that_nobody_reads_is_no_failure(words):
    command = f"(sleep 1; '{sys.executable}' {ROOT / 'cli.py'} {words}; echo $? >&2) | true"
    assert run("sh", "-c", command).stderr == "0\n"


def test_too_little_memory_is_one_line(monkeypatch, capsys):
    command_that(monkeypatch, raising(MemoryError()))
    assert cli.main(["doctor"]) == 1
    assert capsys.readouterr().err == "error: there is not enough memory; free some, or ask for less\n"


def test_a_command_may_set_the_exit_code(monkeypatch):
    command_that(monkeypatch, lambda: click.get_current_context().exit(3))
    assert cli.main(["doctor"]) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["docter"], "Did you mean 'doctor'?"),
        (["zzzzzz"], "There are: "),
        (["doctor", "--jsn"], "Did you mean '--json'?"),
    ],
)
def test_a_typo_is_answered_with_the_nearest_word(capsys, words, said):
    assert cli.main(words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_without_words_the_help_is_shown_and_the_code_says_that_words_are_missing(capsys):
    assert cli.main([]) == 2
    assert "Commands:" in capsys.readouterr().err


def test_another_python_finds_the_environment_from_another_folder(tmp_path):
    link = tmp_path / "attention.py"
    link.symlink_to(ROOT / "cli.py")
    for door in (ROOT / "cli.py", link):
        done = run(other_python(), door, "--version", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")


def test_without_an_environment_it_says_how_to_make_one(checkout):
    done = run(other_python(), "cli.py", "--help", cwd=checkout)
    assert done.returncode == 2
    assert done.stderr == "error: there is no environment here yet; run: sh setup.sh\n"


def test_a_set_up_that_was_cut_short_is_named(checkout):
    (checkout / ".venv.unfinished").touch()
    done = run(other_python(), "cli.py", "--help", cwd=checkout)
    assert done.returncode == 2
    assert done.stderr == "error: the set-up was not finished; run: sh setup.sh\n"


def test_a_reader_that_leaves_early_hears_no_complaint():
    words = [sys.executable, ROOT / "cli.py", "--help"]
    door = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert door.stdout
    assert door.stderr
    door.stdout.close()
    assert door.stderr.read() == b""
    door.stderr.close()
    door.wait()


def test_chinese_is_written_whatever_the_locale_says():
    for coding in ("ascii", "latin-1"):
        environment = {**os.environ, "PYTHONIOENCODING": coding}
        done = subprocess.run(
            [sys.executable, str(ROOT / "cli.py"), "scenes", "--json"], capture_output=True, env=environment
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert "查询" in done.stdout.decode() or "注意力" in done.stdout.decode()


@pytest.mark.parametrize(
    ("output", "code", "line"), [(">&-", 0, ""), (">/dev/full", 1, "error: what was printed does not fit")]
)
def test_a_stdout_that_takes_nothing(output, code, line):
    command = f"{sys.executable} {ROOT / 'cli.py'} scenes {output}"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True)
    assert done.returncode == code
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == bool(line)
