"""A machine that gives little: no PATH, no temporary folder, no more files, processes or threads."""

import errno
import os
import subprocess
import tempfile
import threading

import pytest

import cli
from pipeline.render import process
from pipeline.render.runtime import enter, worker_environment


@pytest.fixture
def refused(small_model, small_catalogue, tmp_path, monkeypatch, capsys):
    """The one line that `numbers` ends with, and its exit code."""
    monkeypatch.chdir(tmp_path)

    def ended() -> tuple[int, str]:
        code = cli.main(["numbers", "tiny", "--quiet", "--model", str(small_model)])
        captured = capsys.readouterr()
        assert captured.out == ""
        return code, captured.err

    return ended


def raising(error: Exception):
    def call(*_: object, **__: object) -> None:
        raise error

    return call


def test_what_a_library_writes_for_a_while_is_in_the_job_folder(tmp_path, monkeypatch):
    for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, "/nowhere")
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.chdir("/")
    enter(tmp_path)
    assert tempfile.gettempdir() == os.environ["TMPDIR"] == str(tmp_path)


def test_a_render_process_has_a_path():
    assert worker_environment({})["PATH"] == os.defpath
    assert worker_environment({"PATH": "/bin"})["PATH"] == "/bin"


def test_no_more_open_files(refused, monkeypatch):
    error = OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    monkeypatch.setattr(subprocess, "Popen", raising(error))
    line = "error: render process: it cannot be started (Too many open files)\n"
    assert refused() == (1, line)


def test_no_more_threads(refused, monkeypatch):
    monkeypatch.setattr(threading.Thread, "start", raising(RuntimeError("can't start new thread")))
    line = "error: render: the system allows no more threads\n"
    assert refused() == (1, line)


def test_no_temporary_folder(refused, monkeypatch):
    monkeypatch.setattr(tempfile, "gettempdir", raising(FileNotFoundError()))
    line = "error: TMPDIR: no temporary folder can be written to; set TMPDIR to one that can\n"
    assert refused() == (2, line)


def test_of_a_log_without_end_the_end_is_read(monkeypatch):
    monkeypatch.setattr(process, "LONGEST_LOG", 8)
    with subprocess.Popen(["true"]) as done:
        monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: done)
        started = process.RenderProcess()
    started._log.write("first\nlast of all é\n".encode())
    assert started.log == "of all é\n"[-7:]
    started.end()
