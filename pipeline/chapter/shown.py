"""What stands in a built page in the place of a directive, for each tool: one base for all of them.

A number is `<data>` with the directive it came from; a video is the snippet that `embed` writes, between its two marks;
a figure is an image between marks of the same kind. The last line of a page names its source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from pipeline.chapter.directive import Directive
from pipeline.chapter.numbers import Number
from pipeline.course.digest import digest_bytes
from pipeline.publish import embeds
from pipeline.publish.described import described
from pipeline.publish.embeds import Addresses, hugo
from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._element import Code, Element, Html, Jsx, Vue
from pipeline.publish.embeds._figure import swap_rules
from pipeline.publish.embeds._marks import HTML, Marks
from pipeline.publish.embeds._page import Link, Page
from pipeline.publish.embeds._text import clean, entities, paragraph, string
from pipeline.publish.embeds.markdown import sized
from pipeline.publish.ledger import read_ledger

COMMENTS: Mapping[str, str] = {"myst": "% {}", "docusaurus": "{/* {} */}"}
"""How a tool's comments look where not as HTML's."""
WRITERS: Mapping[str, Html] = {"docusaurus": Jsx(), "vitepress": Vue()}
"""How a tool takes HTML where not as HTML."""
ORIGIN = "attention-chapter"
NUMBER_ATTRIBUTE = "data-attention"
FIT = Code("max-width:100%;height:auto")
_ORIGIN = re.compile(
    rf"{ORIGIN} (?P<source>\S+) (?P<digest>[0-9a-f]+) (?P<media>\S+)(?P<asked>(?: [a-z]+=[\w.%-]*)*)", re.ASCII
)


@dataclass(frozen=True)
class Figure:
    """A published figure as a page needs it. Texts are plain text on one line. `dark`: the same for a dark page."""

    name: str
    path: Path
    alt: str
    caption: str
    language: str
    width: int
    height: int
    dark: Path | None = None


def figure_of(directive: Directive, path: Path, ledger: Path, *, language: str, dark: Path | None) -> Figure:
    """The figure in that file, described by its ledger. Raises InputError where there is no ledger."""
    data = read_ledger(ledger)
    alt = directive.options.get("alt") or described(data, data["beats"][0], language)
    look = data["render"]
    caption = clean(directive.options.get("caption", ""))
    return Figure(path.name, path, clean(alt), caption, language, look["width"], look["height"], dark)


def number_text(number: Number, directive: Directive, *, target: str) -> str:
    """The number inside a sentence. Where a tool drops the element, the text stays."""
    attributes = {
        "value": Code(repr(number.value)),
        NUMBER_ATTRIBUTE: directive.source,
        "title": clean(number.address),
    }
    return WRITERS.get(target, Html()).element(Element("data", attributes, (number.text,)))


def video_text(shown: Embeddable, page: Page, *, target: str) -> str:
    """The snippet between its marks, as `embed --write` puts it into a page."""
    return embeds.load(target).put(b"", shown, page).decode("utf-8").strip("\n")


def figure_text(figure: Figure, page: Page, *, target: str) -> str:
    """The image between marks, with its caption."""
    if target == "hugo":  # whose Markdown knows no way from a page to the files of the site
        return "\n".join(hugo.MARKS.around(_html_figure(figure, hugo.link_from(page)), figure.name))
    snippet = _html_figure(figure, page.relative) if target == "html" else _image(figure, page, target)
    marks = HTML if target == "html" else Marks.comment(COMMENTS.get(target, "<!-- {} -->"))
    return "\n".join(marks.around(snippet, figure.name))


@dataclass(frozen=True)
class Origin:
    """What a built page says of itself: its source, a digest of that text, its media, the options `asked` for."""

    source: Path
    digest: str
    media: Path
    asked: Mapping[str, str]


def origin_line(origin: Origin, page: Page, *, target: str) -> str:
    """The comment that says it; paths as seen from the page."""
    asked = (f"{key}={quote(value, safe='')}" for key, value in origin.asked.items())
    words = [ORIGIN, page.relative(origin.source), origin.digest, page.relative(origin.media), *asked]
    return COMMENTS.get(target, "<!-- {} -->").replace("{}", " ".join(words))


def origin_of(text: str, page: Path) -> Origin | None:
    """What a built page says of itself; None for a page that was not built."""
    [*found] = _ORIGIN.finditer(text)
    if not found:
        return None
    last = found[-1]
    asked = (each.partition("=") for each in last["asked"].split())
    source, media = (page.parent / unquote(last[name]) for name in ("source", "media"))
    return Origin(source, last["digest"], media, {key: unquote(value) for key, _, value in asked})


def text_digest(text: str) -> str:
    """What tells two states of a source apart."""
    return digest_bytes(text.encode())


def _html_figure(figure: Figure, link: Link) -> str:
    caption = (Element("figcaption", {}, (Element("bdi", {}, (figure.caption,)),)),) if figure.caption else ()
    look = {"class": Code("attention-figure"), "lang": Code(figure.language), "style": Code("margin-inline:0")}
    if figure.dark is None:
        return Html().element(Element("figure", look, (_html_image(figure, figure.path, link), *caption)))
    images = (("light", figure.path), ("dark", figure.dark))
    boxes = (
        Element("div", {"class": Code(f"attention-{theme}")}, (_html_image(figure, file, link),))
        for theme, file in images
    )
    return f"{Html().style(swap_rules())}\n{Html().element(Element('figure', look, (*boxes, *caption)))}"


def _html_image(figure: Figure, file: Path, link: Link) -> Element:
    size = {"width": figure.width, "height": figure.height, "style": FIT, "loading": Code("lazy")}
    return Element("img", {"src": link(file), "alt": figure.alt} | size)


def _image(figure: Figure, page: Page, target: str) -> str:
    tool, writer = embeds.load(target), WRITERS.get(target, Html())
    link = tool.link_from(page) if isinstance(tool, Addresses) else page.relative
    image = f"![{entities(figure.alt)}]({page.relative(figure.path)})"
    dark = link(figure.dark) if figure.dark else None
    image = sized(image, figure.width, figure.height, dark=dark, writer=writer)
    if not figure.caption:
        return f"\n{image}\n"
    # MDX looks for emoji in text whose entities are resolved, and not in strings of JavaScript.
    caption = f"{{{string(figure.caption)}}}" if target == "docusaurus" else paragraph(figure.caption)
    return f"\n{image}\n\n{caption}\n"
