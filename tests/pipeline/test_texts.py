"""The texts beside a video: `verify` finds each that was changed, and says where."""

import json
import shutil

import pytest

from pipeline.publish import texts
from pipeline.publish.verify import verify

SAID = tuple(f".{language}.{kind}" for language in ("en", "zh") for kind in ("srt", "transcript.md", "vtt"))


@pytest.fixture(scope="module")
def published(tmp_path_factory, small_model):
    """The folder and stem of a rendered video."""
    from tests.pipeline.conftest import Checkout

    checkout = Checkout(tmp_path_factory.mktemp("published"), small_model)
    done = checkout.render("-o", "x", "--pace", "0.5", "--quiet")
    assert done.returncode == 0, done.stderr
    return checkout.folder


@pytest.fixture
def copy(published, tmp_path):
    """A copy of its own for each test."""
    for path in published.iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path)
    return tmp_path


def verdict(folder, small_model):
    return verify(str(folder / "x"), model=str(small_model))


def test_every_text_beside_the_video_is_sealed(copy, small_model):
    ledger = json.loads((copy / "x.numbers.json").read_text())
    assert sorted(ledger["texts"]) == sorted(f"x{ending}" for ending in (*SAID, ".chapters.vtt"))
    assert all((copy / name).is_file() for name in ledger["texts"])
    assert verdict(copy, small_model).words.startswith("x: identical")


@pytest.mark.parametrize("ending", SAID)
def test_an_edited_number_is_found(copy, small_model, ending):
    path = copy / f"x{ending}"
    before = path.read_text()
    assert "0.42" in before
    path.write_text(before.replace("0.42", "0.52", 1))
    [difference] = verdict(copy, small_model).differences
    line = next(number for number, text in enumerate(before.splitlines(), 1) if "0.42" in text)
    assert difference.address == f"x{ending}, line {line}"
    assert "0.52" in difference.shown
    assert "0.42" in difference.now
    assert "0.52" not in difference.now


@pytest.mark.parametrize("change", [lambda text: text + "More.\n", lambda text: text[: text.rindex("\n", 0, -1) + 1]])
def test_added_and_removed_lines_are_found(copy, small_model, change):
    path = copy / "x.zh.transcript.md"
    path.write_text(change(path.read_text()))
    assert "x.zh.transcript.md, line " in verdict(copy, small_model).words


def test_other_ends_of_lines_and_a_text_that_is_not_there_are_no_difference(copy, small_model):
    path = copy / "x.en.transcript.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    (copy / "x.zh.vtt").unlink()
    assert not verdict(copy, small_model).differences


def test_a_set_of_files_may_be_renamed(copy, small_model):
    for path in copy.iterdir():
        path.rename(copy / path.name.replace("x.", "y.", 1))
    assert not verify(str(copy / "y"), model=str(small_model)).differences
    path = copy / "y.en.transcript.md"
    path.write_text(path.read_text().replace("0.42", "0.52"))
    assert "y.en.transcript.md, line " in verify(str(copy / "y"), model=str(small_model)).words


def test_texts_of_another_version_are_right_until_they_are_changed(copy, small_model, monkeypatch):
    monkeypatch.setattr(texts, "texts_of", lambda data, stem: {"x.en.transcript.md": "other words"})
    assert not verdict(copy, small_model).differences
    path = copy / "x.en.transcript.md"
    path.write_text(path.read_text().replace("0.42", "0.52"))
    assert "x.en.transcript.md: shown digest " in verdict(copy, small_model).words


@pytest.mark.parametrize(
    "change",
    [
        lambda ledger: ledger.pop("texts"),
        lambda ledger: ledger["texts"].pop("x.zh.transcript.md"),
        lambda ledger: ledger["beats"][1]["captions"]["en"][0].update(text="It is 0.52."),
        lambda ledger: ledger["texts"].update({"../x.en.vtt": "00"}),
    ],
    ids=["all", "one", "a caption", "a path"],
)
def test_a_ledger_whose_texts_were_tampered_with_is_found(copy, small_model, change):
    path = copy / "x.numbers.json"
    ledger = json.loads(path.read_text())
    change(ledger)
    path.write_text(json.dumps(ledger))
    assert "the ledger's rows" in verdict(copy, small_model).words
