"""A chapter's file as a frozen value: its text, what it names inline, and what holds for all of it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.chapter.directive import Directive, directives
from pipeline.publish.embeds._fences import check_closed, fences
from pipeline.publish.embeds._write import check_regular
from transformer_core.errors import InputError

ENDINGS = (".md", ".markdown", ".mdown", ".mdx", ".qmd", ".rmd")
LARGEST = 1_000_000
FOR_ALL = ("title", "lang", "theme", "layout", "quality", "fps", "pace", "model", "device")
SUBJECT = ("prompt", "query", "model", "layer", "head", "device", "lang", "theme", "layout", "quality")
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "chapter": FOR_ALL,
    "video": (*SUBJECT, "fps", "pace", "captions", "poster"),
    "figure": (*SUBJECT, "format", "alt", "caption"),
}
"""The options of each kind; those of a number are the axes of its quantity as well."""
NUMBER = ("prompt", "model", "layer", "head", "device", "lang", "decimals", "sign", "path", "of")
EXAMPLES = {
    "video": "{{ video qkv }}, or {{ video qkv:softmax }} for one beat",
    "figure": "{{ figure qkv:softmax }}",
    "number": "{{ number qkv.pattern query=creature key=blue }}",
}


@dataclass(frozen=True)
class Chapter:
    """`directives` have the chapter's own options merged in; `settings` are those options."""

    path: Path
    text: str
    directives: tuple[Directive, ...]
    settings: Mapping[str, str]

    @property
    def folder(self) -> Path:
        """The folder that it lies in."""
        return self.path.parent

    @property
    def language(self) -> str:
        """The language of its prose."""
        return self.settings.get("lang", "en")

    def where(self, directive: Directive) -> str:
        """`attention.md line 12`, for a message."""
        return f"{self.path.name} line {directive.line}"


def read_chapter(path: Path, *, asked: Mapping[str, str] | None = None) -> Chapter:
    """The chapter, with options of the command line above its own. Raises InputError with file and line."""
    text = read_text(path)
    check_closed(fences(text), where=path.name)
    found = directives(text, name=path.name)
    heads = [each for each in found if each.kind == "chapter"]
    for head in heads:
        place = f"{path.name} line {head.line}"
        _known(head, OPTIONS["chapter"], place)
        if head.words or head is not found[0]:
            what = f"{place}: chapter" + "".join(f" {word[:40]!r}" for word in head.words)
            raise InputError(what, "it stands first and has options only", 'write {{ chapter lang=zh title="…" }}')
    settings = dict(heads[0].options) if heads else {}
    merged = (_merged(each, settings, asked or {}, f"{path.name} line {each.line}") for each in found)
    return Chapter(path, text, tuple(merged), settings)


def read_text(path: Path) -> str:
    """A text file of at most a megabyte. Raises InputError."""
    if path.suffix.lower() not in (*ENDINGS, ".html", ".htm", ".xhtml", ".rst", ".txt", ".tex", ".ltx"):
        raise InputError(str(path), "it is no page of text", "name a file that ends in .md")
    check_regular(path)
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST * 8 + 1)
        if len(raw) > LARGEST * 8:
            raise InputError(str(path), f"it is larger than {LARGEST * 8 // 1_000_000} MB", "split it")
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})", "name a chapter's file") from None
    except UnicodeDecodeError:
        raise InputError(str(path), "it is no UTF-8 text", "save it as UTF-8") from None


def _merged(each: Directive, settings: Mapping[str, str], asked: Mapping[str, str], place: str) -> Directive:
    if each.kind == "chapter":
        return each
    allowed = OPTIONS.get(each.kind, NUMBER)
    if each.kind != "number":
        _known(each, allowed, place)
    if not each.words:
        raise InputError(f"{place}: {each.kind}", "it does not say of what", f"write {EXAMPLES[each.kind]}")
    usual = {key: value for key, value in settings.items() if key in allowed and key != "title"}
    above = {key: value for key, value in asked.items() if key in allowed}
    return replace(each, options={**usual, **each.options, **above})


def _known(directive: Directive, allowed: Iterable[str], place: str) -> None:
    for key in directive.options:
        if key not in allowed:
            near = difflib.get_close_matches(key, list(allowed), n=1, cutoff=0.5)
            instead = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(allowed)}"
            raise InputError(f"{place}: {key[:60]!r}", f"{directive.kind} has no such option", instead)
