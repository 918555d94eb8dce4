"""What a chapter names inline: `{{ video qkv prompt="…" }}`, read wherever it stands, apart from code and formulas.

directive = "{{" kind { word | option } "}}"
option    = key "=" value
word, value = letters without spaces, or "text" with \\" and \\\\ for the two signs themselves
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pipeline.publish.embeds._fences import fences
from transformer_core.errors import InputError

KINDS = ("chapter", "video", "figure", "number")
LONGEST = 4000
OPEN, CLOSE = "{{", "}}"
_STOPS = re.compile(
    r"""
      (?P<escape>\\[!-/:-@\[-`{-~])
    | (?P<code>(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`))
    | (?P<comment><!--.*?-->)
    | (?P<formula>\$\$(?:(?!\n[ \t]*\n)[^$])+\$\$|\$(?=[^\s$])[^$\n]*?(?<=[^\s\\])\$(?!\d))
    | (?P<open>\{\{(?P<space>\s*)(?P<name>[^\W\d_]\w*)(?=[\s}]))
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_PART = re.compile(
    r'\s*(?:(?P<key>[^\W\d]\w*)=)?(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<bare>[^\s"}=][^\s"]*?))(?=\s|\}\})'
)
_IN_FORMULA = re.compile(rf"\{{\{{\s*(?:{'|'.join(KINDS)})\s")
NAMED = re.compile(rf"\{{\{{\s*(?:{'|'.join(KINDS)})\s[^{{}}]*\}}\}}")
"""What may be one of them; it may stand in code, too."""
_CURLY = re.compile("[“”„«»]")


@dataclass(frozen=True)
class Directive:
    """One of them: its kind, its words, its options, where it stands (`line` from 1; `start`, `stop` in the text)."""

    kind: str
    words: tuple[str, ...]
    options: Mapping[str, str]
    line: int = 0
    start: int = 0
    stop: int = 0

    @property
    def source(self) -> str:
        """The directive as it would be typed, without the braces."""
        words = [quoted(word) for word in self.words]
        return " ".join([self.kind, *words, *(f"{key}={quoted(value)}" for key, value in self.options.items())])


def quoted(text: str) -> str:
    """A word as the grammar has it, in quotes where it needs them."""
    if text and not re.search(r'[\s"}=\\]', text) and not _CURLY.match(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def directives(text: str, *, name: str) -> tuple[Directive, ...]:
    """Those of a chapter, in order. `name`: the file's, for messages. Raises InputError with file and line."""
    return tuple(_found(text, name))


def parse(source: str, *, name: str, line: int) -> Directive:
    """The one directive that `source` is, without its braces. Raises InputError."""
    [*found] = directives(f"{OPEN} {source} {CLOSE}", name=name)
    if len(found) != 1 or found[0].stop != len(source) + 6:
        raise InputError(f"{name} line {line}: {source[:60]!r}", "it is no directive", "build the chapter again")
    return Directive(found[0].kind, found[0].words, found[0].options, line)


def _found(text: str, name: str) -> Iterator[Directive]:
    for start, end in _apart_from_fences(text):
        yield from _between(text, name, start, end)


def _apart_from_fences(text: str) -> Iterator[tuple[int, int]]:
    """From where to where the text is not fenced code."""
    at = 0
    for block in fences(text):
        if not block.holds_text:
            yield at, block.start
            at = block.stop
    yield at, len(text)


def _between(text: str, name: str, at: int, end: int) -> Iterator[Directive]:
    while stop := _STOPS.search(text, at, end):
        at, line = stop.end(), text.count("\n", 0, stop.start()) + 1
        if stop["formula"] and _IN_FORMULA.search(stop["formula"]):
            instead = "end the formula before it, and begin another one after it"
            raise InputError(f"{name} line {line}", "a number stands inside a formula", instead)
        if not stop["open"]:
            continue
        kind = stop["name"]
        if kind not in KINDS:
            near = difflib.get_close_matches(kind.lower(), KINDS, n=1, cutoff=0.6)
            if near and stop["space"]:
                instead = f"did you mean {near[0]!r}? To show it as text, write \\{{{{"
                raise InputError(f"{name} line {line}: {kind!r}", "there is no such directive", instead)
            continue
        found = _parts(text, stop.start(), at, kind=kind, where=f"{name} line {line}", line=line)
        at = found.stop
        yield found


def _parts(text: str, start: int, at: int, *, kind: str, where: str, line: int) -> Directive:
    words: list[str] = []
    options: dict[str, str] = {}
    while True:
        rest = re.compile(r"\s*\}\}").match(text, at)
        if rest:
            return Directive(kind, tuple(words), MappingProxyType(options), line, start, rest.end())
        part = _PART.match(text, at, start + LONGEST)
        if part is None:
            raise _unreadable(text[at : at + LONGEST], where=where, kind=kind)
        at = part.end()
        value = part["bare"] if part["quoted"] is None else re.sub(r"\\(.)", r"\1", part["quoted"], flags=re.DOTALL)
        if any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") for sign in value):
            raise InputError(f"{where}: {part['key'] or kind}", "its text is not on one line", "write it on one line")
        if _CURLY.match(value) and part["quoted"] is None:
            raise InputError(f"{where}: {value[:40]!r}", "these quotes are part of the text", 'write "straight" ones')
        if part["key"] is None:
            if options:
                why = "a word stands after the options"
                raise InputError(f"{where}: {value[:40]!r}", why, f'write key="{value[:40]}"')
            words.append(value)
        elif part["key"] in options:
            raise InputError(f"{where}: {part['key']}", "it is given twice", "leave one of the two out")
        else:
            options[part["key"]] = value


def _unreadable(rest: str, *, where: str, kind: str) -> InputError:
    if CLOSE not in rest:
        return InputError(f"{where}: {kind}", f"it has no end within {LONGEST} characters", f"end it with {CLOSE}")
    shown = " ".join(rest.partition("\n")[0].split())[:40]
    return InputError(f"{where}: {shown!r}", "it cannot be read", f'write {OPEN} {kind} qkv key="value" {CLOSE}')
