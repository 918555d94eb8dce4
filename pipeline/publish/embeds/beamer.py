r"""Beamer: a frame with the poster, which opens the video; the chapters are the speaker's notes.

The frame needs no package that Beamer does not load. Words that pdfTeX has no letters for stand there as
their code points; XeLaTeX and LuaLaTeX show them.
"""

from __future__ import annotations

import os
import re
from itertools import groupby
from pathlib import Path

from pipeline.publish.embeds import _marks
from pipeline.publish.embeds._asset import Shown
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._text import WORDS
from pipeline.publish.number_formats.latex import SIGNS
from transformer_core.errors import InputError

ENDINGS = (".tex", ".ltx")
MARKS = _marks.Marks.comment("% {}", at=(_marks.ending(r"\\end\{document\}"),))
APART = {
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    **{sign: f"{{{sign}}}" for sign in "-,?!"},
    **{sign: rf"{{\ttfamily\char{ord(sign)}}}" for sign in '"^~_'},
}
"""Signs that TeX would join with the next one to another sign, or that its first font has another sign for."""
LATIN = set("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ“”‘’–—")
"""What every engine has a letter for."""
READABLE = re.compile(r"[\w ./+=@-]+")


def snippet(shown: Shown, page: Page) -> str:
    """The frame, and a note with the chapters."""
    asset = shown.asset
    poster, video = (_path(path, page) for path in (asset.poster, asset.video))
    alt = escape(asset.still or asset.label)
    size = r"width=\linewidth,height=0.72\textheight,keepaspectratio"
    rows = r"\\ ".join(f"{each.clock} {escape(each.title)}" for each in asset.chapters)
    return "\n".join(
        [
            rf"\begin{{frame}}{{{escape(asset.title)}}}",
            r"\centering",
            rf"\href{{run:{video}}}{{\includegraphics[{size},alt={{{alt}}}]{{{poster}}}}}",
            "",
            rf"\smallskip\footnotesize {escape(asset.prompt)}\par",
            rf"\note{{\footnotesize {escape(WORDS[asset.language]['chapters'])}:\\ {rows}}}",
            r"\end{frame}",
        ]
    )


def escape(text: str) -> str:
    """The text with every sign written out that TeX takes for a command, joins, or has no letter for."""
    return "".join(_run(kind, "".join(signs)) for kind, signs in groupby(text, key=_known))


def put(document: bytes | None, shown: Shown, page: Page) -> bytes:
    """The document with the frame as its last one."""
    return _marks.put(document, snippet(shown, page), shown=shown, page=page, marks=MARKS)


def _known(sign: str) -> bool:
    return sign.isascii() or sign in SIGNS or sign in LATIN


def _run(known: bool, signs: str) -> str:
    if known:
        return "".join(APART.get(sign) or SIGNS.get(sign, sign) for sign in signs)
    codes = " ".join(f"U+{ord(sign):04X}" for sign in signs)
    return rf"\ifdefined\Umathchardef {signs}\else[{codes}]\fi{{}}"


def _path(path: Path, page: Page) -> str:
    """The file as seen from the document. Raises InputError for a name that TeX would read as something else."""
    shown = Path(os.path.relpath(path, page.folder)).as_posix()
    if not READABLE.fullmatch(shown):
        raise InputError(f"file {shown!r}", "LaTeX cannot read such a name", "name it with letters, digits, . and -")
    return shown
