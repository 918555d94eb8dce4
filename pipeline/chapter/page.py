"""A chapter as a page of HTML that needs nothing else: Markdown, formulas as MathML, a style of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from transformer_core.errors import InputError

STYLE = Path(__file__).with_name("page.css")
LOCALES = {"en": "en", "zh": "zh-Hans"}
THEMES = {"dark": "dark", "light": "light", "print": "light"}
_TAGS = re.compile(r"<[^>]*>")
_SIGNS = re.compile(r"[^\w]+")
_UNKNOWN = re.compile(r"<m\w+>(\\[A-Za-z]+)")
_NAMES = re.compile(r"<mo>([A-Za-z]{2,}|∞|&#x0221E;)</mo>")


def html_page(markdown: str, *, title: str, language: str, theme: str, name: str) -> str:
    """The page. `theme`: that of its videos. Raises InputError for a formula that cannot be read."""
    tokens, renderer, environment = _parsed(markdown, name)
    body = renderer.render(tokens, renderer_options(), environment)
    head = _first_heading(tokens)
    return f"""<!doctype html>
<html lang="{LOCALES.get(language, language)}" data-theme="{THEMES.get(theme, "dark")}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title or head or name)}</title>
<style>
{STYLE.read_text(encoding="utf-8").strip()}
</style>
</head>
<body>
<main>
{body.strip()}
</main>
</body>
</html>
"""


def renderer_options() -> Any:
    """How Markdown is read: CommonMark, with HTML let through."""
    from markdown_it.presets import commonmark
    from markdown_it.utils import OptionsDict

    return OptionsDict(commonmark.make()["options"])


def _parsed(markdown: str, name: str) -> tuple[list[Any], Any, dict[str, Any]]:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    def formula(text: str, options: Mapping[str, Any]) -> str:
        return mathml(text, display=bool(options["display_mode"]), name=name)

    reader = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, allow_digits=False, renderer=formula)
    reader.add_render_rule("table_open", lambda *_: '<div class="table" tabindex="0" role="group"><table>\n')
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    reader.add_render_rule("fence", lambda _, tokens, place, *__: _code(tokens[place]))
    environment: dict[str, Any] = {}
    tokens = reader.parse(markdown, environment)
    _name_headings(tokens)
    return tokens, reader.renderer, environment


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
    return f'<pre tabindex="0"><code>{escape(token.content)}</code></pre>\n'


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


def _first_heading(tokens: Sequence[Any]) -> str:
    places = (place for place, token in enumerate(tokens) if token.type == "heading_open")
    return next((_text(tokens[place + 1]) for place in places), "")


def _text(inline: Any) -> str:
    parts = (each.content for each in inline.children or () if each.type in ("text", "code_inline", "math_inline"))
    return _TAGS.sub("", "".join(parts)).strip()
