"""A chapter as a page of HTML that needs nothing else: Markdown, formulas as MathML, style and fonts of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from pipeline.chapter.code import code_html
from pipeline.chapter.fonts import font_rules
from transformer_core.errors import InputError

STYLE = Path(__file__).with_name("page.css")
LOCALES = {"en": "en", "zh": "zh-CN"}
CONTENTS = {"en": "Contents", "zh": "目录"}
NOTES = {"en": ("Notes", "Back to the text"), "zh": ("注释", "回到正文")}
SCRIPT = (
    "document.documentElement.classList.add('waiting'); "
    "Promise.allSettled([...document.fonts].map((each) => each.load()))"
    ".then(() => document.documentElement.classList.remove('waiting'));"
)
"""Shows the text when its fonts are read, some milliseconds later: or it would be set twice, and lines would move."""
ENOUGH = 3
"""A page with fewer parts than this has no list of them."""
_TAGS = re.compile(r"<[^>]*>")
_SIGNS = re.compile(r"[^\w]+")
_UNKNOWN = re.compile(r"<m\w+>(\\[A-Za-z]+)")
_CLOSED = re.compile(
    r'<span class="math inline">(?:(?!</span>).)*</span>[,.;:!?)\]”’，。；：、！？）」』…]+', re.DOTALL
)
_NAMES = re.compile(r"<mo>([A-Za-z]{2,}|∞|&#x0221E;)</mo>")


def html_page(markdown: str, *, title: str, language: str, name: str) -> str:
    """The page. Raises InputError for a formula that cannot be read."""
    reader, tokens, environment = _parsed(markdown, language, name)
    _list_parts(reader, tokens, language)
    body = reader.renderer.render(tokens, renderer_options(), environment).strip()
    body = _CLOSED.sub(r'<span class="closed">\g<0></span>', body)  # or a line could begin with the comma
    return f"""<!doctype html>
<html lang="{LOCALES.get(language, language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title or _first_heading(tokens) or name)}</title>
<style>
{font_rules(body, language=language)}
{STYLE.read_text(encoding="utf-8").strip()}
</style>
<script>{SCRIPT}</script>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def renderer_options() -> Any:
    """How Markdown is read: CommonMark, with HTML let through."""
    from markdown_it.presets import commonmark
    from markdown_it.utils import OptionsDict

    return OptionsDict(commonmark.make()["options"])


def _parsed(markdown: str, language: str, name: str) -> tuple[Any, list[Any], dict[str, Any]]:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    def formula(text: str, options: Mapping[str, Any]) -> str:
        return mathml(text, display=bool(options["display_mode"]), name=name)

    reader = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, allow_digits=False, renderer=formula)
    reader.use(footnote_plugin, inline=False)
    reader.add_render_rule("table_open", lambda *_: '<div class="table" tabindex="0" role="group"><table>\n')
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    reader.add_render_rule("fence", lambda _, tokens, place, *__: _code(tokens[place]))
    notes, back = NOTES.get(language, NOTES["en"])
    opening = f'<section class="notes" aria-label="{notes}"><ol>\n'
    reader.add_render_rule("footnote_block_open", lambda *_: opening)
    reader.add_render_rule("footnote_block_close", lambda *_: "</ol></section>\n")
    reader.add_render_rule("footnote_anchor", lambda _, tokens, place, *__: _back(tokens[place], back))
    environment: dict[str, Any] = {}
    tokens = reader.parse(markdown, environment)
    _name_headings(tokens)
    return reader, tokens, environment


def mathml(text: str, *, display: bool, name: str) -> str:
    """A formula in TeX's words as MathML, with those words for who copies it. Raises InputError."""
    from latex2mathml.converter import convert

    try:
        made = convert(text.strip(), display="block" if display else "inline")
    except Exception as error:  # it has a class for each fault, and some faults have none
        why = f"it cannot be read ({type(error).__name__})"
        raise InputError(f"{name}: formula {text.strip()[:60]!r}", why, "mend it, or write it plainer") from None
    if unknown := _UNKNOWN.search(made):
        why = f"it has a command {unknown[1]} that is not known"
        raise InputError(f"{name}: formula {text.strip()[:60]!r}", why, "write it with commands of LaTeX's own")
    # MathML Core has no such length; and names and ∞ as operators would have spaces around them.
    made = _NAMES.sub(r"<mi>\1</mi>", made.replace('width="negativethinmathspace"', 'width="-0.1667em"'))
    return f'<span class="formula" tabindex="0">{made}</span>' if display else made


def _code(token: Any) -> str:
    """Code that the keyboard can scroll."""
    language = (token.info.split() or [""])[0]
    return f'<pre tabindex="0"><code>{code_html(token.content, language=language)}</code></pre>\n'


def _name_headings(tokens: Sequence[Any]) -> None:
    """Give each heading an id that a link can name."""
    known: set[str] = set()
    for place, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        base = _SIGNS.sub("-", _text(tokens[place + 1]).lower()).strip("-") or "part"
        name, count = base, 2
        while name in known:
            name, count = f"{base}-{count}", count + 1
        known.add(name)
        token.attrSet("id", name)


def _back(token: Any, words: str) -> str:
    """The link from a note to the first place that names it."""
    number = token.meta["id"] + 1
    return "" if token.meta["subId"] else f' <a href="#fnref{number}" aria-label="{words}">↩</a>'


def _list_parts(reader: Any, tokens: list[Any], language: str) -> None:
    """Put a list of the page's parts before the first of them."""
    from markdown_it.token import Token

    parts = [place for place, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"]
    if len(parts) < ENOUGH:
        return
    rows = (
        f'<li><a href="#{escape(str(tokens[place].attrGet("id")))}">{_words(reader, tokens[place + 1])}</a></li>\n'
        for place in parts
    )
    words = CONTENTS.get(language, CONTENTS["en"])
    listed = f'<nav class="contents" aria-label="{words}">\n<ol>\n{"".join(rows)}</ol>\n</nav>\n'
    tokens.insert(parts[0], Token("html_block", "", 0, content=listed))


def _words(reader: Any, inline: Any) -> str:
    """A heading as it reads inside a link: formulas and code, but no links and notes of its own."""
    kept = [each for each in inline.children or () if not each.type.startswith(("link_", "footnote_", "html_"))]
    return str(reader.renderer.renderInline(kept, renderer_options(), {}))


def _first_heading(tokens: Sequence[Any]) -> str:
    places = (place for place, token in enumerate(tokens) if token.type == "heading_open")
    return next((_text(tokens[place + 1]) for place in places), "")


def _text(inline: Any) -> str:
    parts = (each.content for each in inline.children or () if each.type in ("text", "code_inline", "math_inline"))
    return _TAGS.sub("", "".join(parts)).strip()
