"""Captions, titles and alt texts: templates over Cells, no typed digits; a burnt caption is one of them."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping

from pipeline.publish.checks.declared import has_digit
from pipeline.publish.checks.numbers import difference
from pipeline.publish.checks.view import View
from scenes.kit.brief import LANGUAGES
from scenes.kit.record import ShownCell
from scenes.kit.text import Captioned
from scenes.kit.texts import Field, Template
from transformer_core.cell import Cell
from transformer_core.display import show


def templates_quote_cells(view: View) -> Iterator[str]:
    """Every digit of the beat's texts, in both languages, comes from a Cell, a count or a token."""
    scene = view.scene
    fields = scene.fields
    for kind, template in _templates(view):
        for language in LANGUAGES:
            for fault in _template_faults(getattr(template, language), fields, scene):
                yield f"{kind} ({language}) {fault}"


def _templates(view: View) -> Iterator[tuple[str, Template]]:
    texts = view.scene.texts.beats[view.beat]
    yield "title", texts.title
    yield "alt text", texts.alt
    for line in texts.captions:
        if line.holds(view.scene.facts):
            yield "caption", line


def _template_faults(template: str, fields: Mapping[str, Field], scene) -> Iterator[str]:
    known = {*scene.trace.spec.tokens, *scene.trace.spec.vocabulary, scene.trace.spec.model_name}
    for literal, name, _, _ in string.Formatter().parse(template):
        if has_digit(literal):
            yield f"{template!r} has a typed digit"
        if name is None:
            continue
        if name not in fields:
            yield f"{template!r} asks for {{{name}}}, which the scene does not give"
            continue
        value = fields[name]
        if isinstance(value, Cell):
            fault = difference(value, scene.trace)
            if fault:
                yield f"{{{name}}} {fault}"
        elif isinstance(value, str) and has_digit(value) and value not in known:
            yield f"{{{name}}} is {value!r}: digits that are neither a Cell's nor a token's"
        elif not isinstance(value, (str, int)) or isinstance(value, bool):
            yield f"{{{name}}} is a {type(value).__name__}: a number in a text is a Cell or a count"


def burnt_captions_quote_cells(view: View) -> Iterator[str]:
    """The digits of every caption on screen are those of the Cells that it quotes, or a count."""
    for run in view.runs:
        if isinstance(run.mobject, Captioned):
            left = unquoted(run.mobject.text, run.mobject.quoted)
            if left is None:
                yield f"{view.where(run)} does not hold the texts of its Cells"
            elif has_digit(left) and run.mobject.text not in _filled(view):
                yield f"{view.where(run)} has a digit that no quoted Cell gives"


def unquoted(text: str, quoted: tuple[ShownCell, ...]) -> str | None:
    """What a text says beside the quoted Cells' texts; None where one of these is missing."""
    rest = []
    for shown in quoted:
        before, found, text = text.partition(shown.text)
        if not found:
            return None
        rest.append(before)
    return " ".join([*rest, text])


def _filled(view: View) -> set[str]:
    """The beat's captions with their fields filled in here, from the trace's own Cells."""
    lines = [template for kind, template in _templates(view) if kind == "caption"]
    return {_fill(getattr(line, view.scene.language), view.scene.fields) for line in lines}


def _fill(template: str, fields: Mapping[str, Field]) -> str:
    text = ""
    for literal, name, style, _ in string.Formatter().parse(template):
        value = fields.get(name, "") if name else ""
        shown = show(value, decimals=int(style or 2)).text if isinstance(value, Cell) else str(value)
        text += literal + shown
    return text
