"""Prompts and titles that look like markup, paths, commands or directions, and words at random."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from pipeline.publish.embeds._asset import Asset, Shown
from pipeline.publish.embeds._picture import ShownPicture
from pipeline.publish.embeds._text import clean

TRICKS = (
    "\"'`",
    "<b>&amp;</b>",
    "</script><script>alert(1)</script>",
    "</style></video></figure><img src=x onerror=alert(1)>",
    "<!-- --> --> <!--",
    "end of attention-video tiny.en.draft",
    "$(touch /tmp/x)",
    "`touch /tmp/x`",
    "``` {=html}",
    "````",
    "\\input{/etc/passwd} \\end{document} \\write18{ls} ^^M %",
    "$x^2$ \\(y\\) \\[z\\] $$w$$ {% raw %} {# note #}",
    "../../../etc/passwd",
    "{{ constructor.constructor('alert(1)')() }} {{< figure >}} {{% raw %}} ${1+1} {1+1}",
    "*a* _b_ ~c~ ^d^ [e](f) ![g](h) |i| # j",
    "- k\n+ l\n1. m\n> n\n.. raw:: html\n:::note\n---",
    ":smile: www.example.org http://example.org a@example.org",
    "👩🏽‍🔬 🏳️‍🌈",
    "\u202eevil\u202c \u2066left\u2069 \u200f\u200e\u061c",
    "• ‣ ⁃ … — “”",
    "注意力：一次软查找 “创造物”",
    "é ß ħ ŉ ∞ ≈ √ − ·",
    "x" * 300,
    "word " * 60,
)
PROMPT = " ".join(TRICKS[:14])
TITLE = " ".join(TRICKS[14:20])

words = st.one_of(
    st.sampled_from(TRICKS),
    st.text(max_size=300),
    st.text(alphabet="<>&\"'`$\\{}()[]*_~^#|%@!-.:/ \n\u202e\u200fa1注👩", max_size=60),
    st.lists(st.sampled_from(TRICKS), max_size=3).map(" ".join),
)
"""Any text."""


def told(asset: Asset, title: str, prompt: str) -> Asset:
    """The asset with these texts everywhere that a text goes."""
    title, prompt = clean(title) or asset.name, clean(prompt)
    chapters = tuple(replace(each, title=title, said=prompt, seen=prompt) for each in asset.chapters)
    return replace(asset, title=title, prompt=prompt, still=prompt, chapters=chapters)


def tell_picture(shown: ShownPicture, title: str, prompt: str) -> ShownPicture:
    """The picture with these texts everywhere that a text goes, without a twin."""
    title, prompt = clean(title) or shown.asset.name, clean(prompt)
    return ShownPicture(asset=replace(shown.asset, title=title, prompt=prompt, still=prompt))


def tell(shown: Shown, title: str, prompt: str) -> Shown:
    """As `told`, without a twin."""
    return Shown(asset=told(shown.asset, title, prompt))
