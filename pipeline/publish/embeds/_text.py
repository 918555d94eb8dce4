"""Data as text: what prompts, titles and captions become before they enter any markup."""

from __future__ import annotations

import unicodedata

WORDS = {
    "en": {
        "chapters": "Chapters",
        "alternative": "The video as text",
        "sentence": "Sentence: ",
        "watch": "Open the video",
        "seen": "On screen: ",
    },
    "zh": {
        "chapters": "章节",
        "alternative": "视频的文字版",
        "sentence": "句子：",
        "watch": "打开视频",
        "seen": "画面：",
    },
}
"""What a page says around the video, in its language."""
NO_CHARACTERS: dict[int, str] = dict.fromkeys((0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}")
"""What XML cannot hold, and no text means."""
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
    pairs = zip(text, [*text[1:], " "], strict=True)
    return "".join(sign if _harmless(sign, after) else _entity(sign) for sign, after in pairs)


def clock(seconds: float) -> str:
    """Seconds as people read them: 1:05."""
    whole = round(seconds * 1000) // 1000
    return f"{whole // 60}:{whole % 60:02d}"


def _entity(sign: str) -> str:
    """The sign by its number; a control, which HTML has no number for, as a space."""
    return " " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else f"&#{ord(sign)};"


def _harmless(sign: str, after: str) -> bool:
    if sign == " ":
        return True
    if sign in ".:":
        return not (after.isalpha() or after in "/_:.+-")
    if sign == "-":
        return after != "-"
    if sign.isascii():
        return sign.isalnum() or sign in PLAIN
    return unicodedata.category(sign)[0] not in "CZ"
