"""A small video published in both themes, and the same with hostile texts."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.publish.embeds._asset import Asset, Chapter, Shown, Track
from pipeline.publish.embeds._find import find
from pipeline.publish.embeds._picture import ShownPicture


@pytest.fixture(scope="session")
def published(checkout_at, tmp_path_factory) -> Path:
    """A folder with `tiny.en.draft` and the same in the light theme."""
    checkout = checkout_at(tmp_path_factory.mktemp("published"))
    for theme in ("dark", "light"):
        done = checkout.render("-o", "media/", "--theme", theme, "--pace", "0.5")
        assert done.returncode == 0, done.stderr
    return checkout.folder / "media"


@pytest.fixture(scope="session")
def drawn(checkout_at, tmp_path_factory, small_model) -> Path:
    """A folder with the figure `tiny:share` in every form, and in the light theme for the web."""
    checkout = checkout_at(tmp_path_factory.mktemp("drawn"))
    words = ("figure", "tiny:share", "--model", str(small_model), "-o", "media/")
    for more in (("--format", "svg", "--format", "pdf", "--format", "png"), ("--theme", "light")):
        done = checkout.run(*words, *more)
        assert done.returncode == 0, done.stderr
    return checkout.folder / "media"


@pytest.fixture(scope="session")
def figure_stem(drawn) -> Path:
    """The stem of the figure in the dark theme."""
    [path] = drawn.glob("*.pdf")
    return path.with_suffix("")


@pytest.fixture(scope="session")
def shown_picture(figure_stem) -> ShownPicture:
    """The dark figure, and its twin in the light theme."""
    found = find(str(figure_stem), language="en", media=Path("media"))
    assert isinstance(found, ShownPicture)
    assert found.twin
    return found


@pytest.fixture(scope="session")
def moving(written) -> Shown:
    """A video that is there as a GIF alone."""
    folder = written.asset.video.parent
    return replace(written, asset=replace(written.asset, videos=(folder / "qkv.gif",)))


@pytest.fixture(scope="session")
def written(tmp_path_factory) -> Shown:
    """A video as a value alone, for tests that read no more of it than its texts and addresses."""
    folder = tmp_path_factory.mktemp("written") / "media"
    folder.mkdir()
    for ending in ("en.vtt", "zh.vtt", "chapters.vtt"):
        (folder / f"qkv.{ending}").write_text("WEBVTT\n\n00:00.000 --> 00:01.000\nOne.\n")
    asset = Asset(
        name="qkv",
        title="Attention",
        prompt="a blue creature",
        language="en",
        theme="dark",
        videos=(folder / "qkv.mp4", folder / "qkv.webm"),
        poster=folder / "qkv.png",
        tracks=tuple(Track(language, folder / f"qkv.{language}.vtt") for language in ("en", "zh")),
        chapter_track=folder / "qkv.chapters.vtt",
        transcript=folder / "qkv.en.transcript.md",
        ledger=folder / "qkv.numbers.json",
        width=1920,
        height=1080,
        duration=20.0,
        frame=1 / 60,
        chapters=tuple(Chapter(10.0 * at, 10.0 * (at + 1), f"Part {at}", "Said.", "Seen.") for at in (0, 1)),
        still="Seen.",
        digest="00ff",
    )
    return Shown(asset=asset)


@pytest.fixture(scope="session")
def dark(published) -> Path:
    """The stem of the video in the dark theme."""
    [path] = (path for path in published.glob("*.mp4") if "light" not in path.name)
    return path.with_suffix("")


@pytest.fixture(scope="session")
def shown(dark) -> Shown:
    """The dark video, and its twin in the light theme."""
    found = find(str(dark), language="en", media=Path("media"))
    assert found.twin
    return found


@pytest.fixture(scope="session")
def asset(shown) -> Asset:
    return shown.asset


@pytest.fixture(scope="session")
def hostile(dark, figure_stem, tmp_path_factory) -> Path:
    """A folder with a video, `bad`, and a figure, `worse`, whose texts are all that a page might take for markup."""
    folder = tmp_path_factory.mktemp("hostile") / "media"
    folder.mkdir()
    for ending in (".mp4", ".png", ".en.vtt", ".zh.vtt", ".chapters.vtt", ".en.transcript.md"):
        shutil.copy(f"{dark}{ending}", folder / f"bad{ending}")
    from tests.pipeline.embeds.hostile import PROMPT, TITLE

    for stem, name in ((dark, "bad"), (figure_stem, "worse")):
        data = json.loads(Path(f"{stem}.numbers.json").read_text())
        data["trace"]["prompt"] = PROMPT
        data["titles"] = dict.fromkeys(data["titles"], TITLE)
        for beat in data["beats"]:
            beat["titles"] = dict.fromkeys(beat["titles"], TITLE)
            beat["alt"] = dict.fromkeys(beat["alt"], PROMPT)
        (folder / f"{name}.numbers.json").write_text(json.dumps(data))
    for ending in (".svg", ".png", ".pdf"):
        shutil.copy(f"{figure_stem}{ending}", folder / f"worse{ending}")
    return folder
