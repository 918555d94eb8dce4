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
from pipeline.publish.embeds._asset import Asset, Embeddable
from pipeline.publish.embeds._page import Page
from pipeline.publish.embeds._picture import Picture, ShownPicture
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


def snippet(shown: Embeddable, page: Page) -> str:
    """The frame, and a note with the chapters."""
    if isinstance(shown, ShownPicture):
        picture = shown.asset
        return _frame(picture, _image(picture, picture.file(".pdf", ".png", tool="LaTeX"), page))
    asset = shown.asset
    image = rf"\href{{run:{_path(asset.video, page)}}}{{{_image(asset, asset.poster, page)}}}"
    rows = r"\\ ".join(f"{each.clock} {escape(each.title)}" for each in asset.chapters)
    return _frame(asset, image, rf"\note{{\footnotesize {escape(WORDS[asset.language]['chapters'])}:\\ {rows}}}")


def _frame(asset: Asset | Picture, image: str, *more: str) -> str:
    said = rf"\smallskip\footnotesize {escape(asset.prompt)}\par"
    opening = rf"\begin{{frame}}{{{escape(asset.title)}}}"
    return "\n".join([opening, r"\centering", image, "", said, *more, r"\end{frame}"])


def _image(asset: Asset | Picture, file: Path, page: Page) -> str:
    size = r"width=\linewidth,height=0.72\textheight,keepaspectratio"
    return rf"\includegraphics[{size},alt={{{escape(asset.still or asset.label)}}}]{{{_path(file, page)}}}"


def escape(text: str) -> str:
    """The text with every sign written out that TeX takes for a command, joins, or has no letter for."""
    return "".join(_run(kind, "".join(signs)) for kind, signs in groupby(text, key=_known))


def put(document: bytes | None, shown: Embeddable, page: Page) -> bytes:
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
