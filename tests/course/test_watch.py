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


def test_a_sheet_that_cannot_be_drawn_or_is_gone_does_not_end_the_watch(course, monkeypatch):
    from pipeline import catalogue
    from pipeline.course.store import Store
    from pipeline.course.watch import Watch, page_server

    monkeypatch.setattr(catalogue, "SCENES_FOLDER", course.folder / "scenes")
    monkeypatch.setattr(catalogue, "PACKAGE", "")

    def full(_, file):
        raise OSError(28, "No space left on device", str(file))

    watching = Watch(course.folder / "course.toml", Store(course.folder / ".course"), full)
    watching.look()
    course.edit("scenes/tiny.toml", 'en = "A weight"', 'en = "One weight"')
    assert watching.look()
    assert "No space left on device" in watching.page()
    with page_server(watching, port=0) as address:
        [sheet, *_] = watching.sheets.values()
        with pytest.raises(urllib.error.HTTPError, match="404"):
            read(address + sheet.file)
        assert b"No space left" in read(address)
