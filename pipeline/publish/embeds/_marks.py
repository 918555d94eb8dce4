"""The place of a video or a figure in a document of text: between two lines, so that it can be brought up to date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from pipeline.publish.embeds._asset import Embeddable
from pipeline.publish.embeds._fences import Fence, check_closed, fences, in_code
from pipeline.publish.embeds._owner import Owner, base_of
from pipeline.publish.embeds._page import Page
from transformer_core.errors import InputError

_ANY = re.compile(r"^[ \t]*(?:<!--|%|\{/\*|\.\.) attention-video [^\s>]+", re.MULTILINE)
"""A mark that begins, of any name, in any language but Hugo's."""


@dataclass(frozen=True)
class Marks:
    """The two lines around a snippet, and where the first one goes.

    `begin` and `end` have `{}` where the asset's name stands. `at`: patterns; a first snippet goes
    to the end of the last match of the first one that is in the document, else to the document's end.
    `fenced`: the document is Markdown, in which marks may stand in code.
    """

    begin: str
    end: str
    at: tuple[str, ...] = ()
    fenced: bool = False

    @classmethod
    def comment(cls, form: str, *, at: tuple[str, ...] = (), fenced: bool = False) -> Marks:
        """Marks that are comments of the document's language, of the form `<!-- {} -->`."""
        begin, end = (form.replace("{}", word) for word in ("attention-video {}", "end of attention-video {}"))
        return cls(begin, end, at, fenced)

    def around(self, snippet: str, name: str) -> list[str]:
        """The lines of the snippet between the two."""
        word = quote(name, safe="")
        return [self.begin.replace("{}", word), *snippet.split("\n"), self.end.replace("{}", word)]


def ending(tag: str) -> str:
    """The place before an end tag: the start of its line where nothing else stands before it there."""
    return rf"(?m:^(?=[ \t]*{tag}))|(?<=[^ \t\n])(?=[ \t]*{tag})"


HTML = Marks.comment("<!-- {} -->", at=(ending("</main>"), ending("</body>")))
MARKDOWN = Marks.comment("<!-- {} -->", fenced=True)


def put(document: bytes | None, snippet: str, *, shown: Embeddable, page: Page, marks: Marks) -> bytes:
    """The document with the snippet between its marks, wherever they stand; else inserted.

    All other bytes stay as they are; lines end as the document's do. Raises InputError for a document that is
    not there or no UTF-8, or that has one mark without the other.
    """
    if document is None:
        raise InputError(str(page.file), "there is no such file", "make the page first, or leave --write out")
    try:
        text = document.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(str(page.file), "it is no UTF-8 text", "save it as UTF-8") from None
    owner = Owner(shown.asset, page, snippet)
    return put_text(text, snippet, name=shown.asset.name, marks=marks, where=str(page.file), owner=owner).encode()


def put_text(text: str, snippet: str, *, name: str, marks: Marks, where: str, owner: Owner | None = None) -> str:
    """As `put`, for text; `where` is what it is called when it is refused.

    `owner`: what of the marks with that name is its own. Without one, all are.
    """
    line_end = "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"
    code = fences(text) if marks.fenced else ()
    known = [name, *_long_names(text, marks, name)] if owner else [name]
    places = sorted(
        (start, stop, indent, mark)
        for mark in known
        for indent, start, stop in _places(text, marks, *_ends(marks, mark), where, code)
    )
    inner = [(mark, text[start:stop].partition("\n")[2].rpartition("\n")[0]) for start, stop, _, mark in places]
    own = owner.own(inner) if owner else [True] * len(places)
    if not any(own):
        check_closed(code, where=where)
        lines = marks.around(snippet, owner.long_mark if owner and places else name)
        return _inserted(text, line_end.join(lines), line_end, at=marks.at)
    for (start, stop, indent, mark), is_own in reversed([*zip(places, own, strict=True)]):
        if is_own:
            lines = (indent + line if line else line for line in marks.around(snippet, mark))
            text = text[:start] + line_end.join(lines) + text[stop:]
    return text


def _ends(marks: Marks, mark: str) -> tuple[str, str]:
    """The two lines of a mark."""
    first, _, last = marks.around("", mark)
    return first, last


def _long_names(text: str, marks: Marks, name: str) -> list[str]:
    """The marks in the text that have a folder before the name."""
    begins = re.escape(marks.begin).replace(re.escape("{}"), r"(\S+%2F\S+?)")
    found = map(unquote, re.findall(rf"^[ \t]*{begins}[ \t]*\r?$", text, re.MULTILINE))
    return [*dict.fromkeys(each for each in found if base_of(each) == name)]


def _places(
    text: str, marks: Marks, begin: str, end: str, where: str, code: Sequence[Fence]
) -> list[tuple[str, int, int]]:
    """How far in, from where and to where: each pair of lines that are the marks and nothing else."""
    named = "{}" in marks.end
    begins = re.escape(begin) if named else re.escape(marks.begin).replace(re.escape("{}"), r"\S+")
    either = re.compile(rf"^(?P<indent>[ \t]*)(?:(?P<begin>{begins})|{re.escape(end)})(?=[ \t]*\r?$)", re.MULTILINE)
    places, opened = [], None
    for found in either.finditer(text):
        if in_code(found.start(), code):
            continue
        if bool(found["begin"]) == (opened is not None):
            line, other = text.count("\n", 0, found.start()) + 1, end if found["begin"] else begin
            raise InputError(f"{where} line {line}", f"before it {other!r} is missing", "write it, or remove the line")
        if opened is None:
            opened = found
        else:
            inner = _ANY.search(text, opened.end(), found.start())
            if inner:
                line = text.count("\n", 0, inner.start()) + 1
                why = "another asset stands between the marks of this one"
                raise InputError(f"{where} line {line}", why, "move it out of them")
            if opened["begin"] == begin:
                places.append((opened["indent"], opened.start(), found.end()))
            opened = None
    if opened is not None:
        line = text.count("\n", 0, opened.start()) + 1
        raise InputError(f"{where} line {line}", f"after it {end!r} is missing", "write it, or remove the line")
    return places


def _inserted(text: str, block: str, line_end: str, *, at: tuple[str, ...]) -> str:
    """The block as a paragraph of its own: where the patterns say, else at the end."""
    matches = (list(re.finditer(pattern, text, re.IGNORECASE)) for pattern in at)
    found = next(filter(None, matches), None)
    place = found[-1].end() if found else len(text)
    head, tail = text[:place], text[place:]
    if head and not head.endswith("\n"):
        head += line_end
    gap = "" if found or not head or head.endswith(line_end * 2) else line_end
    return head + gap + block + line_end + tail
