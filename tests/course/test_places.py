"""What a build says when what it stands on is taken away from it, or cannot be written."""

import errno
import os
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.course.asset import Asset
from pipeline.course.course import Course
from pipeline.course.places import Places
from pipeline.course.store import FOLDER, Store
from tests.course.conftest import TABLE
from tests.pipeline.test_crashes import wait_for
from transformer_core.errors import CheckFailed, InputError


def test_the_store_is_removed_while_a_build_runs(empty_course):
    course = empty_course
    build = subprocess.Popen(
        course.command("build", "--quiet", "--keep-going", "-j", "1"),
        cwd=course.folder,
        env=course.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: list((course.folder / FOLDER).rglob("*.stream.mp4")), "a first drawing")
    shutil.rmtree(course.folder / FOLDER)
    told = build.communicate(timeout=120)
    assert (build.returncode, *told) == (
        1,
        "",
        "error: .course: it was removed or moved while the build ran; "
        "nothing of what was at work is published; build again\n",
    )
    assert not [name for name in course.files() if name.startswith("out/")]
    assert course.how("--only", TABLE) == {TABLE: "drawn"}


@pytest.fixture
def places(tmp_path):
    """A course's folder and store as a build finds them."""
    store = Store(tmp_path / "course" / FOLDER)
    store.make()
    assets: tuple[Asset, ...] = ()
    path = tmp_path / "course" / "course.toml"
    return Places(Course(path, path.parent / "media", assets), store)


def test_what_is_there_is_not_gone(places):
    assert places.gone() is None
    (places.store.folder / "more").mkdir()
    assert places.gone() is None


@pytest.mark.parametrize("name", ["course", "course/.course"])
def test_another_folder_of_the_same_name_is_not_the_one_that_was_there(name, places, tmp_path):
    (tmp_path / name).rename(tmp_path / "moved")
    (tmp_path / name).mkdir()
    assert f"{name}: it was removed or moved while the build ran" in str(places.gone())


TOLD = {
    errno.ENOSPC: "x: the disk is full; nothing of it was published: make room and build again",
    errno.EDQUOT: "x: the disk is full; nothing of it was published: make room and build again",
    errno.ENOENT: "x: {} was removed while the build ran; nothing of what was at work is published; build again",
    errno.EACCES: "x: {} cannot be used (Permission denied); mend its permissions and build again",
    errno.EROFS: "x: {} cannot be used (Read-only file system); mend its permissions and build again",
    errno.EIO: "x: {}: Input/output error; nothing of what was at work is published; build again",
}


@pytest.mark.parametrize("number", TOLD)
def test_an_error_of_the_system_is_one_line_that_names_a_folder_people_know(number, places):
    for name, shown in {
        places.store.folder / "work" / "job" / "x.json": places.store.folder,
        places.course.output / ".rendering-x" / "x.mp4": places.course.output,
        Path("/elsewhere"): "/elsewhere",
        None: "a file",
    }.items():
        error = OSError(number, os.strerror(number), name and str(name))
        assert str(places.told(error, "x")) == TOLD[number].format(shown)


def test_what_cannot_be_written_is_told_before_anything_is_drawn(tmp_path, monkeypatch):
    from pipeline.course.estimates import Estimates
    from pipeline.course.open import open_course
    from pipeline.course.session import Wishes, draw

    (tmp_path / "course.toml").write_text('[[asset]]\nscene = "qkv"\n')
    opened = open_course(str(tmp_path / "course.toml"))
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != tmp_path)
    with pytest.raises(InputError, match=r"you may not write there; course\.lock goes there: mend its permissions"):
        draw(opened, [], Estimates([]), Wishes())


def test_an_error_is_told_with_the_name_once(places):
    from pipeline.course.build import Outcome
    from pipeline.course.open import OpenCourse
    from pipeline.course.session import raise_failed

    state = SimpleNamespace(asset=SimpleNamespace(name="x.en.svg"))
    task = SimpleNamespace(label="x.en.svg and 1 more", states=(state,))
    full = places.told(OSError(errno.ENOSPC, "", None), task.label)
    outcomes = [Outcome(task, error=full)] * 2  # pyright: ignore[reportArgumentType]
    opened = OpenCourse(places.course, {}, places.store, ())
    with pytest.raises(CheckFailed, match=r"^x\.en\.svg: the disk is full; .* \(and 1 more failed\)$"):
        raise_failed(opened, outcomes)
