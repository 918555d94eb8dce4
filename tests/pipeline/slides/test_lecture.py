"""A deck in a real browser, as a lecturer goes through it, from disk and without a network."""

from __future__ import annotations

import pytest

from tests.pipeline.embeds.watch import Visit, visit

SHOWN = "document.querySelector('.slide.shown')"
VIDEO = f"{SHOWN}.querySelector('video')"
BEATS = ("tiny-weight", "tiny-share", "tiny-end")


@pytest.fixture
def opened(lecture, browser):
    """Opens the deck; nothing may be asked for and nothing go wrong."""

    def opening(**context):
        return visit(browser, lecture.with_suffix(".html").as_uri(), **context)

    return opening


def shows(seen: Visit, name: str) -> None:
    """Wait until a slide is the one that is shown."""
    seen.page.wait_for_function(f"() => {SHOWN} && {SHOWN}.id === '{name}'")
    assert seen.page.evaluate("location.hash") == f"#{name}"
    assert seen.page.evaluate("document.querySelectorAll('.slide.shown').length") == 1


def test_a_beat_plays_when_it_is_asked_for_and_stops_on_its_last_picture(opened):
    with opened() as seen:
        asked = []
        seen.page.on("request", lambda request: asked.append(request.url))
        shows(seen, "tiny")
        seen.page.keyboard.press("ArrowRight")
        shows(seen, "tiny-weight")
        seen.page.wait_for_function(f"() => {VIDEO}.ended")
        assert seen.page.evaluate(f"{VIDEO}.muted && getComputedStyle({VIDEO}).visibility") == "visible"
        seen.page.wait_for_timeout(200)
        shows(seen, "tiny-weight")
        seen.page.keyboard.press("PageDown")
        shows(seen, "tiny-share")
        # The film is not over: the key shows how it ends, the next one goes on.
        seen.page.keyboard.press("PageDown")
        shows(seen, "tiny-share")
        assert seen.page.evaluate(f"{VIDEO}.paused && getComputedStyle({VIDEO}).visibility") == "hidden"
        assert seen.page.evaluate(f"getComputedStyle({SHOWN}.querySelector('img')).opacity") == "1"
        seen.page.keyboard.press("p")
        seen.page.wait_for_function(f"() => !{VIDEO}.paused && {VIDEO}.currentTime > 0")
        seen.page.keyboard.press("ArrowLeft")
        shows(seen, "tiny-weight")
        assert seen.page.evaluate(f"{VIDEO}.paused")
        seen.page.locator("#next").click()
        shows(seen, "tiny-share")
        assert [url for url in asked if not url.startswith(("blob:", "data:"))] == []


def test_who_wants_less_motion_gets_the_pictures(opened):
    with opened(reduced_motion="reduce") as seen:
        for name in BEATS:
            seen.page.keyboard.press(" ")
            shows(seen, name)
            assert seen.page.evaluate(f"getComputedStyle({VIDEO}).visibility") == "hidden"
        seen.page.keyboard.press(" ")
        shows(seen, BEATS[-1])


def test_a_deck_is_accessible_and_its_notes_are_read(opened):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="sh tests/tools.sh installs it").Axe()

    def faults() -> list:
        return [(each["id"], each["nodes"][0]["html"][:200]) for each in axe.run(seen.page).response["violations"]]

    with opened(reduced_motion="reduce") as seen:
        assert faults() == []
        seen.page.keyboard.press("End")
        seen.page.keyboard.press("ArrowLeft")
        shows(seen, "tiny-share")
        seen.page.keyboard.press("n")
        notes = seen.page.locator(".slide.shown .notes")
        assert "0.42" in notes.inner_text()
        assert faults() == []
        with seen.page.expect_popup() as popup:
            seen.page.keyboard.press("s")
        speaker = popup.value
        assert speaker.locator("h1").inner_text() == "A share"
        assert speaker.locator(".following").inner_text() == "next: The end"
        speaker.keyboard.press("ArrowRight")
        shows(seen, "tiny-end")
        assert speaker.locator("h1").inner_text() == "The end"


def test_without_its_script_a_deck_is_its_pictures_and_texts(lecture, browser):
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(lecture.with_suffix(".html").as_uri())
        assert [each.is_visible() for each in page.locator("img").all()] == [True] * len(BEATS)
        assert "0.42" in page.locator("#tiny-share").inner_text()
        assert not page.locator("#bar").is_visible()
    finally:
        context.close()


def test_on_paper_every_slide_has_a_page(opened):
    import io

    import pypdfium2

    with opened() as seen:
        seen.page.keyboard.press("b")
        deck = pypdfium2.PdfDocument(io.BytesIO(seen.page.pdf(format="A4")))
        texts = [page.get_textpage().get_text_range() for page in deck]
    assert len(texts) == 1 + len(BEATS)
    assert "a blue creature" in texts[0]
    assert "0.42" in texts[2]
