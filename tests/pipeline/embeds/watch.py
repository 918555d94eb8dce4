"""What a reader of a page with a video can do, done in a real browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pipeline.publish.embeds._asset import Asset
from pipeline.publish.embeds._picture import Picture
from pipeline.publish.embeds._text import WORDS
from pipeline.publish.embeds._track import read_cues

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
MISSING = "sh tests/tools.sh installs it"
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  const figure = document.querySelector('.attention-video');
  const ours = (node) => figure && node
    && (figure.contains(node) || figure.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING);
  for (const each of list.getEntries())
    for (const { node } of each.sources)
      if (ours(node)) window.shifts.push([each.value, node.nodeName, node.className, figure.contains(node)]);
}).observe({type: 'layout-shift', buffered: true});
"""
"""Notes what moves in the figure or after it; what stands before it moves on the page's own account."""
SHARE = "share."
"""What is in the names of the figure's files."""
SHOWN = "[...document.querySelectorAll('.attention-video video')].find((each) => each.offsetParent)"


def browser_path() -> str:
    """The browser of this machine; skips the test where there is none."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no Chromium: {MISSING}")
    return path


@dataclass
class Visit:
    """A page in the browser, and what went wrong while it was open."""

    page: Any
    faults: list[str] = field(default_factory=list)

    def video(self, words: str, argument: Any = None) -> Any:
        """What an expression over the shown `video` comes to; promises are waited for."""
        return self.page.evaluate(f"async (argument) => {{ const video = {SHOWN}; return {words}; }}", argument)

    def until(self, words: str) -> None:
        """Wait until an expression over the shown `video` is true."""
        self.page.wait_for_function(f"() => {{ const video = {SHOWN}; return video && ({words}); }}", timeout=15_000)


@contextmanager
def visit(browser: Any, address: str, **context: Any) -> Iterator[Visit]:
    """Open an address; on leaving, nothing may have gone wrong: no console error, no file missing, nothing moved."""
    opened = browser.new_context(viewport={"width": 1000, "height": 900}, **context)
    opened.add_init_script(SHIFTS)
    seen = Visit(opened.new_page())
    seen.page.on("console", lambda told: told.type == "error" and seen.faults.append(f"console: {told.text}"))
    seen.page.on("pageerror", lambda error: seen.faults.append(f"script: {error}"))
    seen.page.on("response", lambda got: got.status >= 400 and seen.faults.append(f"{got.status}: {got.url}"))
    try:
        seen.page.goto(address, wait_until="load")
        yield seen
        assert seen.faults == []
    finally:
        opened.close()


def watch(seen: Visit, asset: Asset, *, settled: str = "", readable: bool = True, served: bool = True) -> None:
    """Everything that a page promises of its video. `asset` is the one that is to be shown.

    `settled`: an expression that is true once a tool's own scripts have moved everything to its place.
    `readable`: the tool's theme has links of enough contrast. `served`: the page comes from a web server.
    """
    page = seen.page
    if settled:
        page.wait_for_function(settled)
        page.evaluate("window.shifts = []")
    seen.until("true")
    rests_with_poster(seen, asset, served=served)
    plays(seen, asset)
    assert page.evaluate("shifts") == []
    accessible(seen, readable=readable)
    has_captions(seen, asset)
    seeks(seen, asset)
    can_be_read(seen, asset)
    leads_to_the_transcript(seen, asset, served=served)


def rests_with_poster(seen: Visit, asset: Asset, *, served: bool) -> None:
    """The right picture, of the right shape, in its place before anything is loaded, and nothing moves."""
    poster = seen.video("video.poster")
    assert poster.rsplit("/", 1)[1] == asset.poster.name
    wide = "fetch(video.poster).then((got) => got.blob()).then(createImageBitmap).then((drawn) => drawn.width)"
    assert not served or seen.video(wide) == asset.width
    box = seen.video("({wide: video.clientWidth, high: video.clientHeight})")
    assert box["wide"] >= 300
    assert box["wide"] / box["high"] == pytest.approx(asset.width / asset.height, rel=0.02)
    assert seen.video("video.autoplay") is False
    assert seen.video("video.paused && video.currentTime === 0")
    assert seen.video("video.controls && video.getAttribute('aria-label')") == asset.label


def plays(seen: Visit, asset: Asset) -> None:
    """It loads, is as long as it should be, and runs."""
    seen.video("video.load()")
    seen.until("video.readyState >= 1")
    assert seen.video("video.videoWidth") == asset.width
    assert seen.video("video.duration") == pytest.approx(asset.duration, abs=2 * asset.frame)
    seen.video("video.play()")
    seen.until("video.currentTime > 0.05")
    seen.video("video.pause()")


def has_captions(seen: Visit, asset: Asset) -> None:
    """A track for each language, the page's own switched on, each with its own words at its time."""
    listed = seen.video(
        "[...video.querySelectorAll('track')].map((each) => [each.kind, each.srclang, each.label, each.default])"
    )
    captions = [["captions", track.language, track.label, track.language == asset.language] for track in asset.tracks]
    assert [row for row in listed if row[0] == "captions"] == captions
    for place, track in enumerate(asset.tracks):
        cue = read_cues(track.path)[1]
        modes = "each.mode = number === argument ? 'showing' : 'disabled'"
        seen.video(f"[...video.textTracks].forEach((each, number) => {{ {modes}; }})", place)
        seen.until(f"video.textTracks[{place}].cues && video.textTracks[{place}].cues.length > 1")
        seen.video(
            "new Promise((done) => { video.onseeked = done; video.currentTime = argument; })", (cue.start + cue.end) / 2
        )
        seen.until(f"video.textTracks[{place}].activeCues.length === 1")
        shown = seen.video(f"video.textTracks[{place}].activeCues[0].getCueAsHTML().textContent")
        assert shown == cue.text, track.language


def seeks(seen: Visit, asset: Asset) -> None:
    """A click on a chapter seeks there and plays; the chapters are a track as well."""
    page, chapter = seen.page, asset.chapters[1]
    page.locator(".attention-video summary").first.click()
    link = page.locator(".attention-video a[data-at]").nth(1)
    assert link.inner_text() == f"{chapter.clock} {chapter.title}"
    at = link.get_attribute("data-at")
    assert link.get_attribute("href").endswith(f".mp4#t={at}")
    assert chapter.start < float(at) < chapter.start + asset.frame
    address = page.url
    link.click()
    assert page.url == address
    seen.until(f"Math.abs(video.currentTime - {at}) < 1 && video.currentTime > 0.05")
    assert seen.video("video.currentTime") >= chapter.start
    seen.video("video.pause()")
    seen.video(
        "[...video.textTracks].filter((each) => each.kind === 'chapters').forEach((each) => { each.mode = 'hidden'; })"
    )
    # Cues come one after the other.
    count = len(asset.chapters)
    seen.until(
        f"[...video.textTracks].some((each) => each.kind === 'chapters' && each.cues && each.cues.length === {count})"
    )
    cues = "[...[...video.textTracks].find((each) => each.kind === 'chapters').cues]"
    titles = seen.video(f"{cues}.map((each) => each.getCueAsHTML().textContent)")
    assert titles == [each.title for each in asset.chapters]


def can_be_read(seen: Visit, asset: Asset) -> None:
    """The text that stands for the video is there for everyone: one click, no script needed."""
    details = seen.page.locator(".attention-video details").nth(1)
    details.locator("summary").click()
    # A page that is put together by its script may still be busy.
    details.locator("p").first.wait_for(state="visible")
    told = " ".join(details.inner_text().split())
    for chapter in asset.chapters:
        for words in (chapter.title, chapter.said, chapter.seen):
            assert " ".join(words.split()) in told


def leads_to_the_transcript(seen: Visit, asset: Asset, *, served: bool) -> None:
    """A click in the opened text hands over the transcript in the page's language: the file, or the page made of it."""
    page, here, faults = seen.page, seen.page.url, len(seen.faults)
    link = page.locator(".attention-video details a[href*=transcript]").first
    is_file = link.get_attribute("download") is not None
    assert link.inner_text() == WORDS[asset.language]["transcript_file" if is_file else "transcript"]
    if is_file and served:
        with page.expect_download() as started:
            link.click()
        # The two themes have one transcript, which names the ledger of the one that was embedded.
        got, wanted = (path.read_text(encoding="utf-8") for path in (Path(started.value.path()), asset.transcript))
        assert _apart_from_ledger(got) == _apart_from_ledger(wanted)
        assert page.url == here
        return
    link.click()
    text = asset.transcript.read_text(encoding="utf-8")
    told = [text.partition("\n")[0].lstrip("# "), *re.findall(r"\d\.\d\d", text)]
    all_told = "told.every((each) => document.body.innerText.includes(each))"
    page.wait_for_function(f"([told, here]) => location.href !== here && {all_told}", arg=[told, here])
    page.go_back()
    # A page that the tool made of it has the tool's scripts: MkDocs's cannot read an id that begins with a digit.
    seen.faults[faults:] = [each for each in seen.faults[faults:] if not each.startswith("script: ")]


def _apart_from_ledger(text: str) -> list[str]:
    return [line for line in text.splitlines() if ".numbers.json" not in line]


def look_at(seen: Visit, picture: Picture, *, then: str = "") -> None:
    """The figure is shown in the right theme, in its shape, with its text alternative. `then`: how to get to it."""
    if then:
        seen.page.evaluate(then)
    found = f"[...document.images].filter((each) => each.offsetParent && each.alt && each.src.includes('{SHARE}'))"
    seen.page.wait_for_function(f"() => {found}.length === 1 && {found}[0].complete")
    shown = seen.page.evaluate(
        f"(() => {{ const each = {found}[0]; return [each.currentSrc, each.alt, each.naturalWidth / each.naturalHeight,"
        " each.clientWidth / each.clientHeight]; })()"
    )
    assert shown[0].rsplit("/", 1)[1] == picture.files[0].name
    assert shown[1] == picture.still
    assert shown[2:] == pytest.approx([picture.width / picture.height] * 2, rel=0.02)


def accessible(seen: Visit, *, readable: bool) -> None:
    """axe-core finds nothing in the figure, closed and open."""
    from axe_playwright_python.sync_playwright import Axe

    opened = "document.querySelectorAll('.attention-video details').forEach((each) => { each.open = argument; })"
    rules = {"color-contrast": {"enabled": readable}}
    for is_open in (False, True):
        seen.video(opened, is_open)
        found = Axe().run(seen.page, context=".attention-video", options={"rules": rules})
        assert [(each["id"], each["nodes"][0]["html"]) for each in found.response["violations"]] == []
    seen.video(opened, False)


def tool(name: str, install: str = MISSING) -> str:
    """The path of a program; skips the test where there is none, and says how to get it."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"no {name}: {install}")
    return path


def copied(folder: Path, place: Path) -> Path:
    """The published files, copied to where a tool looks for them."""
    shutil.copytree(folder, place, dirs_exist_ok=True)
    return place
