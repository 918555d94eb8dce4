"""Data as text: what prompts, titles and captions become before they enter any markup."""

from __future__ import annotations

import json
import unicodedata

WORDS = {
    "en": {
        "chapters": "Chapters",
        "alternative": "The video as text",
        "transcript": "The whole transcript, with its numbers",
        "transcript_file": "The whole transcript, with its numbers (Markdown)",
        "sentence": "Sentence: ",
        "watch": "Open the video",
        "seen": "On screen: ",
        "file": "File: ",
    },
    "zh": {
        "chapters": "章节",
        "alternative": "视频的文字版",
        "transcript": "完整的文字稿，含数值",
        "transcript_file": "完整的文字稿，含数值（Markdown）",
        "sentence": "句子：",
        "watch": "打开视频",
        "seen": "画面：",
        "file": "文件：",
    },
}
"""What a page says around the video, in its language."""
NO_CHARACTERS: dict[int, str] = dict.fromkeys((0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}")
"""What XML cannot hold, and no text means."""
SPECIAL = set('"\\')
PLAIN = set(" ,;()?-.:")
"""ASCII signs that no markup here takes for its own, save `.` and `:` before a letter, as in a link or an emoji."""


def clean(text: str) -> str:
    """The text on one line: white space and controls are one space, what is no character is marked as such."""
    spaced = "".join(" " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign for sign in text)
    whole = spaced.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return " ".join(whole.translate(NO_CHARACTERS).split())


def entities(text: str) -> str:
    """The text as HTML of which no sign can be taken for markup, be it HTML's, Markdown's or a template's.

    Letters, digits and harmless signs stand as they are, all others as numbers: so do the invisible ones,
    such as marks of direction, which an editor would hide.
    """
    return "".join(
        sign if _harmless(sign, text[place : place + 1]) else _entity(sign) for place, sign in enumerate(text, 1)
    )


def paragraph(text: str) -> str:
    """As `entities`, for the beginning of a line, where Markdown looks for lists and headings."""
    first = text[:1]
    return (first if first.isalpha() else _entity(first)) + entities(text[1:]) if first else ""


def string(text: str) -> str:
    """The text as a string of JavaScript; signs that an editor would hide stand there as their numbers."""
    return f'"{"".join(sign if sign.isprintable() and sign not in SPECIAL else _escaped(sign) for sign in text)}"'


def clock(seconds: float) -> str:
    """Seconds as people read them: 1:05."""
    whole = round(seconds * 1000) // 1000
    return f"{whole // 60}:{whole % 60:02d}"


def _escaped(sign: str) -> str:
    return json.dumps(sign)[1:-1]


def _entity(sign: str) -> str:
    """The sign by its number; a control, which HTML has no number for, as a space."""
    return " " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else f"&#{ord(sign)};"


def _harmless(sign: str, after: str) -> bool:
    if sign == " ":
        return True
    if sign in ".:":
        return not (after.isalpha() or after in set("/_:.+-"))
    if sign == "-":
        return after != "-"
    if sign.isascii():
        return sign.isalnum() or sign in PLAIN
    return unicodedata.category(sign)[0] not in "CZ"
