"""Every target, of a video, an image that moves and a figure: a text that looks like anything else stays a text."""

from __future__ import annotations

import html
import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO

import html5lib
import pytest
from markdown_it import MarkdownIt

from pipeline.publish import embeds
from pipeline.publish.embeds import beamer
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._picture import ShownPicture
from pipeline.publish.number_formats.latex import SIGNS
from tests.pipeline.embeds.hostile import PROMPT, TITLE, TRICKS, tell, tell_picture
from tests.pipeline.embeds.sites import shown_of_cell
from tests.pipeline.embeds.watch import tool

TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "body",
    "main",
    "section",
    "aside",
    "figure",
    "figcaption",
    "div",
    "h2",
    "hr",
} | {
    *("picture", "video", "source", "track", "img", "embed", "a", "p", "strong", "em", "bdi"),
    *("details", "summary", "ol", "li"),
}
OURS = {("ol", "onclick"), ("img", "onload")}
"""The handlers that this project wrote."""
CASES = [*((trick, trick) for trick in TRICKS), (TITLE, PROMPT)]


@dataclass(frozen=True)
class Read:
    """What a parser of the document makes of it: all of its text on one line, and what images say instead."""

    text: str
    alts: tuple[str, ...]


@pytest.fixture(scope="module")
def as_shown(written, moving, shown_picture, tmp_path_factory):
    """Makes what is embedded, of each kind, with a title and a prompt."""
    picture = replace(shown_picture.asset, name="picture")
    still = ShownPicture(asset=picture)
    folder = written.asset.video.parent
    for ending in (".gif", ".mp4", ".png"):
        (folder / f"qkv{ending}").write_bytes(picture.file(".png", tool="a test").read_bytes())
    makers = {"video": written, "image": moving}

    def make(kind: str, title: str, prompt: str):
        return tell_picture(still, title, prompt) if kind == "figure" else tell(makers[kind], title, prompt)

    return make


@pytest.mark.parametrize("kind", ["video", "image", "figure"])
@pytest.mark.parametrize("target", embeds.names())
def test_hostile_texts_are_text(target, kind, as_shown, drawn, written):
    shown = [as_shown(kind, title, prompt) for title, prompt in CASES]
    folder = drawn if kind == "figure" else written.asset.video.parent
    page = Page(folder / f"page{embeds.load(target).ENDINGS[0]}")
    for each, read in zip(shown, READERS.get(target, by_html)(target, shown, page), strict=True):
        asset = each.asset
        for text in filter(None, (asset.title, asset.prompt)):
            assert text in read.text, text
        alts = {asset.still or asset.label, f"{asset.label}. {asset.still}".strip(), asset.label, ""}
        assert set(read.alts) <= alts
        assert kind == "video" or any(read.alts)


def by_html(target: str, shown: list, page: Page) -> list[Read]:
    """As a browser reads what the tool makes of the snippet."""
    return [read_html(MADE.get(target, str)(embeds.load(target).snippet(each, page))) for each in shown]


def read_html(text: str) -> Read:
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    elements = [each for each in tree.iter() if isinstance(each.tag, str)]
    assert {each.tag for each in elements} <= TAGS
    assert {(each.tag, name) for each in elements for name in each.attrib if name.startswith("on")} <= OURS
    assert not [each for each in elements if each.get("src") == "x"]
    alts = [each.get("alt") for each in elements if each.tag == "img"]
    names = [each.get("aria-label") for each in elements if each.tag == "video"]
    return Read(one_line("".join(tree.itertext())), tuple(one_line(each or "") for each in (*alts, *names)))


def one_line(text: str) -> str:
    return " ".join(text.split())


def jsx(text: str) -> str:
    """As React renders it: strings in braces are text; what else is in braces is code."""
    text = re.sub(r'(?<==)\{require\(\S+\)\.default\("([^"]*)"\)\}', r'"\1"', text)
    ours = r" (?:style=\{\{.*?\}\}|onClick=\{\(event\) => \{.*? \}\}|(?:width|height)=\{\d+\})(?=[ >])"
    text = re.sub(ours, "", text)
    strings = re.compile(r'\{("(?:[^"\\]|\\.)*")\}')
    assert not set("{}") & set(strings.sub("", text))
    return strings.sub(lambda found: html.escape(json.loads(found[1])), text).replace(" />", ">")


def by_docutils(target: str, shown: list, page: Page) -> list[Read]:
    """As docutils, which Sphinx is made of, reads both of the two divisions."""
    docutils = pytest.importorskip("docutils.core", reason="no docutils: sh tests/tools.sh installs it")
    from docutils.parsers.rst import Directive, directives

    class Only(Directive):
        has_content, required_arguments, final_argument_whitespace = True, 1, True

        def run(self):
            from docutils import nodes

            node = nodes.container()
            self.state.nested_parse(self.content, self.content_offset, node)
            return list(node.children)

    directives.register_directive("only", Only)
    options = {"settings_overrides": {"report_level": 1, "halt_level": 2, "raw_enabled": True}, "writer": "html5"}
    if target == "myst":
        pytest.importorskip("myst_parser", reason="no myst-parser: sh tests/tools.sh installs it")
        from myst_parser.docutils_ import Parser

        options["parser"] = Parser()
    made = (docutils.publish_parts(embeds.load(target).snippet(each, page), **options)["body"] for each in shown)
    return [read_html(text) for text in made]


def by_pandoc(target: str, shown: list, page: Page) -> list[Read]:
    """As pandoc, which Quarto is made of, reads both of the two divisions."""
    parts = "\n\n----\n\n".join(embeds.load(target).snippet(each, page) for each in shown)
    command = [tool("pandoc"), "-f", "markdown", "-t", "html", "--wrap=none"]
    made = subprocess.run(command, input=parts, capture_output=True, text=True, check=True, timeout=60).stdout
    return [read_html(text) for text in re.split(r"<hr ?/?>", made)]


def by_jupyter(target: str, shown: list, page: Page) -> list[Read]:
    """As Jupyter shows the cell that was run, and the output of one that was not."""
    made = []
    for each in shown:
        [cell] = json.loads(embeds.load(target).put(None, each, page))["cells"]
        outputs = ["".join(output["data"]["text/html"]) for output in cell.get("outputs", ())]
        made.append(read_html("\n".join([shown_of_cell(cell), *outputs])))
    return made


def by_tex(target: str, shown: list, page: Page) -> list[Read]:
    """As TeX reads it, whose commands are all known; test_stills.py asks TeX itself."""
    made = []
    for each in shown:
        lines = embeds.load(target).snippet(each, page).split("\n")
        title = lines[0].removeprefix(r"\begin{frame}{").removesuffix("}")
        [alt] = re.findall(r"alt=\{(.*)\}\]\{[\w./-]*\}\}?$", lines[2])
        prompt = lines[4].removeprefix(r"\smallskip\footnotesize ").removesuffix(r"\par")
        made.append(Read(f"{from_tex(title)} {from_tex(prompt)}", (from_tex(alt),)))
    return made


def from_tex(text: str) -> str:
    """The text that TeX sets. Fails for any sign that it would take for a command."""
    known = {beamer.escape(sign): sign for sign in (*beamer.APART, *SIGNS)}
    codes = r"\\ifdefined\\Umathchardef (?P<signs>[^\\]*)\\else\[[U+0-9A-F ]*\]\\fi\{\}"
    plain = r"(?P<plain>[^\\{}$&#^_~%])"
    said = "|".join(re.escape(each) for each in sorted(known, key=len, reverse=True))
    parts = list(re.finditer(rf"(?P<known>{said})|{codes}|{plain}", text))
    assert "".join(part[0] for part in parts) == text
    return "".join(known.get(part["known"], "") or part["signs"] or part["plain"] or "" for part in parts)


def by_powerpoint(target: str, shown: list, page: Page) -> list[Read]:
    """As python-pptx reads the deck."""
    from pptx import Presentation

    made = []
    for each in shown:
        [slide] = Presentation(BytesIO(embeds.load(target).put(None, each, page))).slides
        [shape] = (one for one in slide.shapes if one.name.startswith("attention-video"))
        texts = f"{slide.shapes.title.text} {slide.notes_slide.notes_text_frame.text}"
        made.append(Read(one_line(texts), (shape._element.nvPicPr.cNvPr.get("descr"),)))
    return made


MADE: dict[str, Callable[[str], str]] = {
    "markdown": lambda text: MarkdownIt("commonmark").render(text),
    "hugo": lambda text: re.sub(r"(?m)^\{\{< .* >\}\}$", "", text),
    "vitepress": lambda text: text.replace("@click", "onclick").replace(" />", ">"),
    "docusaurus": jsx,
}
READERS: dict[str, Callable[[str, list, Page], list[Read]]] = {
    "sphinx": by_docutils,
    "myst": by_docutils,
    "quarto": by_pandoc,
    "notebook": by_jupyter,
    "beamer": by_tex,
    "pptx": by_powerpoint,
}
