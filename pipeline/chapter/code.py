"""Code on a page: Python with its comments, keywords, strings and numbers told apart, anything else as it is.

Python's own tokenizer reads it, so the page needs no script for that and the project no library.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator
from html import escape
from itertools import accumulate

PYTHON = ("python", "py", "python3")
KINDS = {tokenize.COMMENT: "comment", tokenize.STRING: "string", tokenize.NUMBER: "number"}


def code_html(source: str, *, language: str) -> str:
    """The text as HTML, each sign of it once. `language`: the word after the fence."""
    try:
        marked = [*_marked(source)] if language.lower() in PYTHON else []
    except (tokenize.TokenError, SyntaxError):  # a piece of code, or code that is wrong on purpose
        marked = []
    parts, at = [], 0
    for kind, start, stop in marked:
        parts += [escape(source[at:start]), f'<span class="{kind}">{escape(source[start:stop])}</span>']
        at = stop
    return "".join([*parts, escape(source[at:])])


def _marked(source: str) -> Iterator[tuple[str, int, int]]:
    """What is told apart: its kind, from where to where in the text."""
    lines = io.StringIO(source, newline="\n").readlines()
    begins = [0, *accumulate(map(len, lines))]
    for token in tokenize.generate_tokens(iter([*lines, ""]).__next__):
        is_keyword = token.type == tokenize.NAME and keyword.iskeyword(token.string)
        kind = "keyword" if is_keyword else KINDS.get(token.type)
        if kind:
            (first, start), (last, stop) = token.start, token.end
            yield kind, begins[first - 1] + start, begins[last - 1] + stop
