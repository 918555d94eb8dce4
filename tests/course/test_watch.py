"""`watch`: what was edited is drawn again, and the page says so."""

import json
import signal
import subprocess
import urllib.error
import urllib.request

import pytest

from tests.pipeline.test_crashes import hear_interrupts, wait_for


@pytest.fixture
def watching(course):
    process = subprocess.Popen(
        course.command("watch"),
        cwd=course.folder,
        env=course.environment(PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    )
    assert process.stdout is not None
    yield process, process.stdout.readline().strip()
    process.kill()
    process.communicate()


def read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=10) as answer:
        return answer.read()


def test_an_edit_is_drawn_and_shown(course, watching):
    process, address = watching
    assert b"Nothing was edited yet." in read(address)
    version = json.loads(read(f"{address}version"))
    course.edit("scenes/tiny.py", "one share", "one share, and no more")  # its docstring
    course.edit("scenes/tiny.toml", 'en = "A weight"', 'en = "One weight"')
    wait_for(lambda: json.loads(read(f"{address}version")) != version, "the sheet")
    page = read(address).decode()
    assert page.count("<img ") >= 1
    [name, *_] = [part.split("?")[0] for part in page.split('src="/')[1:]]
    assert read(address + name).startswith(b"\x89PNG")
    course.edit("scenes/tiny.py", "class TinyLecture", "class  TinyLecture(")
    wait_for(lambda: "Python cannot read it" in read(address).decode(), "the error")
    with pytest.raises(urllib.error.HTTPError):
        read(f"{address}../course.toml")
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert process.returncode == 130
    assert told.splitlines()[-1] == "error: stopped"
    assert "drawn: tiny en dark columns" in told
