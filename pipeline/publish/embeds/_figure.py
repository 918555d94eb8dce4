"""Videos and figures as HTML: player or image, captions, chapters, all as text; the same for all that shows HTML."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

from pipeline.publish.embeds._asset import FILMS, MOVING, Asset, Embeddable, Shown, Track
from pipeline.publish.embeds._element import Code, Element, Html, Script
from pipeline.publish.embeds._page import Link
from pipeline.publish.embeds._picture import WEB, Picture, ShownPicture
from pipeline.publish.embeds._text import WORDS

CLASSES = Code("attention-video mathjax_ignore tex2jax_ignore")
"""The last two keep a page's MathJax from reading a prompt as formulas."""
FIT = Code("max-width:100%;height:auto")
SEEK = Script(
    "const link = event.target.closest('a[data-at]'); "
    "if (link) { event.preventDefault(); "
    "const video = [...link.closest('.attention-video').querySelectorAll('video')].find((each) => each.offsetParent); "
    "video.currentTime = link.dataset.at; video.play().catch(() => {}); }"
)
"""A click on a chapter seeks in the video that is shown. Without scripts the link opens the video there."""
DARK = ("[data-theme=dark]", "[data-bs-theme=dark]", "[data-md-color-scheme=slate]", ".quarto-dark", "html.dark")
LIGHT = ("[data-theme=light]", "[data-bs-theme=light]", "[data-md-color-scheme=default]", ".quarto-light", "html.light")
"""How sites say which of their two themes is shown; without a word of theirs the reader's system decides."""


NIGHT = Code("screen and (prefers-color-scheme: dark)")
"""Whose system is dark; paper never is."""
CALM = Code("screen and (prefers-reduced-motion: no-preference)")
"""Who is shown an image that moves; everybody else, and paper, has the poster."""


def figure(shown: Embeddable, *, link: Link, writer: Html, fallback: str = "", more: tuple[Element, ...] = ()) -> str:
    """The whole figure. `fallback`: lines of Markdown for readers and tools that show no video."""
    asset = shown.asset
    if isinstance(shown, ShownPicture):
        return writer.element(_framed(asset, (*_images(shown, link), caption(asset, link))))
    return writer.element(_framed(asset, (*_players(shown, link, fallback), *more, caption(asset, link))))


def image(picture: Picture, *, link: Link, look: str = "", hidden: bool = False) -> Element:
    """The `<img>` alone. `hidden`: it may not be the one that is shown, and is loaded when it is, or printed."""
    size = {"width": picture.width, "height": picture.height, "style": FIT}
    more = {"class": Code(look)} if look else {"loading": Code("lazy")} if hidden else {}
    source = link(picture.file(*WEB, tool="a page"))
    return Element("img", {"src": source, "alt": picture.still or picture.label} | size | more)


def still(asset: Asset, *, link: Link) -> Element:
    """The figure with the poster, a link to the video, in the player's place."""
    linked = Element("a", {"href": link(asset.video)}, (_poster(asset, link),))
    return _framed(asset, (linked, caption(asset, link)))


def _poster(asset: Asset, link: Link, look: str = "") -> Element:
    size = {"width": asset.width, "height": asset.height, "style": FIT}
    classed = {"class": Code(look)} if look else {}
    return Element("img", {"src": link(asset.poster), "alt": f"{asset.label}. {asset.still}".strip()} | size | classed)


def _framed(asset: Asset | Picture, parts: tuple[Element, ...]) -> Element:
    look = {"class": CLASSES, "lang": Code(asset.language), "style": Code("margin-inline:0")}
    return Element("figure", look, parts)


def player(
    asset: Asset, *, link: Link, inline: bool, fallback: str = "", hidden: bool = False, look: str = ""
) -> Element:
    """The `<video>` alone; it never starts by itself. `hidden`: it may not be the one that is shown.

    A hidden one loads nothing. Its poster is another matter: browsers load it, save where the player is lazy. The light
    one is not, since paper has its poster, and a browser that prints does not wait for those of lazy players.
    In the place of an image that moves, the poster, which moves for who did not ask for less of that.
    """
    if asset.moves and fallback:
        return Element("div", {}, (Code(fallback),))
    if asset.moves:
        source = {"srcset": link(asset.video), "media": CALM, "type": Code(MOVING[asset.video.suffix])}
        return Element("picture", {}, (Element("source", source), _poster(asset, link, look)))
    words = WORDS[asset.language]
    tracks = (_track(track, asset, link, inline=inline) for track in asset.tracks)
    chapters = Element(
        "track",
        {"kind": Code("chapters"), "srclang": Code(asset.language), "label": words["chapters"]}
        | {"src": _inline(asset.chapter_track) if inline else link(asset.chapter_track)},
    )
    attributes = {
        "controls": True,
        "playsinline": True,
        "preload": Code("none" if hidden else "metadata"),
        "width": asset.width,
        "height": asset.height,
        "poster": link(asset.poster),
        "aria-label": asset.label,
        "style": FIT,
        "loading": Code("lazy") if hidden and asset.theme == "dark" else False,
    }
    instead = Code(fallback) if fallback else Element("a", {"href": link(asset.video)}, (words["watch"],))
    sources = (Element("source", {"src": link(path), "type": Code(FILMS[path.suffix])}) for path in asset.videos)
    classed = {"class": Code(look)} if look else {}
    return Element("video", attributes | classed, (*sources, *tracks, chapters, instead))


def caption(asset: Asset | Picture, link: Link) -> Element:
    """Title and sentence, and of a video the chapters and the video as text."""
    more = () if isinstance(asset, Picture) else details(asset, link)
    return Element("figcaption", {}, (Element("p", {}, _title(asset)), *more))


def details(asset: Asset, link: Link) -> tuple[Element, ...]:
    """What is opened below a video: its chapters, where a player can seek, and the video as text."""
    told = text_alternative(asset, link)
    return (told,) if asset.moves else (chapter_list(asset, link), told)


def chapter_list(asset: Asset, link: Link) -> Element:
    """The chapters, each a link to its time."""
    rows = (
        Element(
            "li",
            {},
            (
                Element(
                    "a",
                    {"href": type(link(asset.video))(f"{link(asset.video)}#t={asset.seek(chapter)}")}
                    | {"data-at": Code(asset.seek(chapter))},
                    (f"{chapter.clock} ", Element("bdi", {}, (chapter.title,))),
                ),
            ),
        )
        for chapter in asset.chapters
    )
    summary = Element("summary", {}, (WORDS[asset.language]["chapters"],))
    return Element("details", {}, (summary, Element("ol", {"onclick": SEEK}, tuple(rows))))


def text_alternative(asset: Asset, link: Link | None = None) -> Element:
    """What is said and seen, beat by beat, for those who read rather than watch (WCAG 1.2.1).

    `link`: with a way to the transcript, which has the numbers as well.
    """
    summary = Element("summary", {}, (WORDS[asset.language]["alternative"],))
    return Element("details", {}, (summary, *_transcript(asset, link), *_beats(asset)))


def theme_rules(shown: Embeddable, *, light: tuple[str, ...] = LIGHT) -> str:
    """The style that shows one of two videos: that of the page's theme, on paper the light one. Empty for one alone."""
    return swap_rules(light) if shown.twin else ""


def swap_rules(light: tuple[str, ...] = LIGHT) -> str:
    """The style that shows what is in `.attention-dark` on a dark page, and else what is in `.attention-light`."""
    swap = (
        ",".join(f"{page} .attention-{hidden}" for page in pages)
        + "{display:none}"
        + ",".join(f"{page} .attention-{kept}" for page in pages)
        + "{display:block}"
        for pages, hidden, kept in ((DARK, "light", "dark"), (light, "dark", "light"))
    )
    system = ".attention-light{display:none}.attention-dark{display:block}"
    return f".attention-dark{{display:none}}@media {NIGHT}{{{system}}}@media screen{{{''.join(swap)}}}"


def _players(shown: Shown, link: Link, fallback: str) -> Iterator[Element]:
    for theme, asset in shown.by_theme:
        video = player(asset, link=link, inline=shown.inline, fallback=fallback, hidden=bool(theme))
        yield Element("div", {"class": Code(f"attention-{theme}")}, (video,)) if theme else video


def _images(shown: ShownPicture, link: Link) -> Iterator[Element]:
    for theme, picture in shown.by_theme:
        shape = image(picture, link=link, hidden=bool(theme))
        yield Element("div", {"class": Code(f"attention-{theme}")}, (shape,)) if theme else shape


def _track(track: Track, asset: Asset, link: Link, *, inline: bool) -> Element:
    return Element(
        "track",
        {
            "kind": Code("captions"),
            "srclang": Code(track.language),
            "label": Code(track.label),
            "src": _inline(track.path) if inline else link(track.path),
            "default": track.language == asset.language,
        },
    )


def _inline(path: Path) -> Code:
    data = base64.b64encode(path.read_bytes()).decode()
    return Code(f"data:text/vtt;base64,{data}")


def _title(asset: Asset | Picture) -> tuple[Element | str, ...]:
    title = Element("strong", {}, (Element("bdi", {}, (asset.title,)),))
    return (title, Code(" — "), Element("bdi", {}, (asset.prompt,))) if asset.prompt else (title,)


def _transcript(asset: Asset, link: Link | None) -> Iterator[Element]:
    """The transcript in the language of the page, where the tool publishes it."""
    address = link(asset.transcript) if link else Code()
    if address:
        # Many servers do not say that Markdown is UTF-8, and a browser would show other letters.
        is_file = address.endswith(asset.transcript.suffix)
        words = WORDS[asset.language]["transcript_file" if is_file else "transcript"]
        yield Element("p", {}, (Element("a", {"href": address, "download": is_file}, (words,)),))


def _beats(asset: Asset) -> Iterator[Element]:
    words = WORDS[asset.language]
    for chapter in asset.chapters:
        named = Element("strong", {}, (f"{chapter.clock} ", Element("bdi", {}, (chapter.title,))))
        said = (Code(" "), Element("bdi", {}, (chapter.said,))) if chapter.said else ()
        yield Element("p", {}, (named, *said))
        if chapter.seen:
            yield Element("p", {}, (Element("em", {}, (words["seen"],)), Element("bdi", {}, (chapter.seen,))))
