"""The faces of a page: the fonts of the videos, cut to the characters that the page has, inside its style.

So a page looks the same wherever it is read, on a machine without Chinese fonts too, and asks nobody for a file.
A character that no face has is left to the reader's system.
"""

from __future__ import annotations

import base64
import html
import io
import re
from collections.abc import Iterator

FACES = {
    400: ("NotoSans-Regular", "NotoSansMath-Regular", "NotoSansSC-Regular"),
    600: ("NotoSans-SemiBold", "NotoSansSC-SemiBold"),
}
"""For each weight the fonts, in the order in which a character is looked for."""
OF_CHINESE = frozenset("“”‘’—…·")
"""Marks that are as wide as an ideograph in Chinese text: they are not taken from a Latin font there."""
LICENCE = "Noto Sans, Noto Sans Math, Noto Sans SC: SIL Open Font License 1.1"
_TAG = re.compile(r"<[^>]*>")
_BOLD = re.compile(r"<(h\d|strong|b|th)\b[^>]*>(.*?)</\1>", re.DOTALL)
_SKIPPED = re.compile(r"<(math|style)\b.*?</\1>", re.DOTALL)


def font_rules(body: str, *, language: str) -> str:
    """`@font-face` rules for the text of a page's body, HTML; the families are named `Chapter NotoSans` and so on."""
    prose = _SKIPPED.sub("", body)
    bold = "".join(found[2] for found in _BOLD.finditer(prose))
    rules = [*_faces(_characters(prose), language, 400), *_faces(_characters(bold), language, 600)]
    return "\n".join([f"/* {LICENCE} */", *rules]) if rules else ""


def _characters(markup: str) -> frozenset[str]:
    return frozenset(html.unescape(_TAG.sub("", markup))) - {"\n"}


def _faces(wanted: frozenset[str], language: str, weight: int) -> Iterator[str]:
    left = wanted
    for face in FACES[weight]:
        family = face.partition("-")[0]
        own = left - OF_CHINESE if language == "zh" and family != "NotoSansSC" else left
        had, data = _cut(f"{face}.ttf", own)
        left -= had
        if had:
            source = f"url(data:font/woff;base64,{base64.b64encode(data).decode()}) format('woff')"
            yield f'@font-face {{ font-family: "Chapter {family}"; font-weight: {weight}; src: {source}; }}'


def _cut(name: str, wanted: frozenset[str]) -> tuple[frozenset[str], bytes]:
    """Those of the characters that the font has, and a WOFF of them; the same characters give the same bytes."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    from scenes.kit.glyphs import FONTS

    font = TTFont(FONTS / name, recalcTimestamp=False)
    known = font.getBestCmap() or {}
    had = frozenset(each for each in wanted if ord(each) in known)
    if not had - {" "}:
        return frozenset(), b""
    cutter = Subsetter(Options(recalc_timestamp=False, layout_features=["*"]))
    cutter.populate(unicodes=[ord(each) for each in had])
    cutter.subset(font)
    font.flavor = "woff"
    written = io.BytesIO()
    font.save(written)
    return had, written.getvalue()
