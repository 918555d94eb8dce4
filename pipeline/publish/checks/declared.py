"""No undeclared digit: every digit on screen is a model's number or says what else it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from manim import DecimalNumber

from pipeline.publish.checks.view import FOREIGN, View
from pipeline.publish.outlines import TOLERANCE, whole_shapes
from scenes.kit.formula import Formula
from scenes.kit.matrix import NumberMatrix
from scenes.kit.text import BoundNumber, Captioned, Constant, Glyphs, Label, Prose, Tick, TokenText
from scenes.kit.theme import THEMES

_WRITTEN = ("original_text", "text", "tex_string", "typst_code", "code_string")
_DECIMAL = re.compile(r"\d[.,]\d")


def has_digit(text: str) -> bool:
    """Whether a text has a digit or other sign for a number: subscripts, fractions and circled ones too."""
    return any(unicodedata.category(character).startswith("N") for character in text)


def words_have_no_digits(view: View) -> Iterator[str]:
    """Prose, formulas and prefixes have no digits; a label has no decimals; a token is the prompt's own."""
    spec = view.scene.trace.spec
    known = {*spec.tokens, *spec.vocabulary, spec.prompt}
    for run in view.runs:
        if isinstance(run.mobject, NumberMatrix):
            continue
        fault = _declaration(run.mobject, known, spec.model_name)
        if fault:
            yield f"{view.where(run)} {fault}"
    for formula in {id(p.owner): p.owner for p in view.parts if isinstance(p.owner, Formula)}.values():
        if has_digit(formula.source):
            yield f"formula {formula.source!r} has a digit: numbers are no part of a formula"


def _declaration(text: Glyphs, known: set[str], model: str) -> str:
    if isinstance(text, BoundNumber):
        return "has a digit in its prefix" if has_digit(text.prefix) else ""
    if isinstance(text, (Constant, Tick, Captioned)) or not has_digit(text.text):
        return ""
    if isinstance(text, TokenText):
        word = text.text.strip().removesuffix("…")
        own = any(each.startswith(word) for each in known)
        return "" if own else "is no token of the prompt or vocabulary"
    if isinstance(text, Label):
        decimal = _DECIMAL.search(text.text.replace(model, ""))
        return "has decimals: a value is a BoundNumber" if decimal else ""
    kind = "Prose" if isinstance(text, Prose) else type(text).__name__
    return f"has a digit that {kind} does not declare"


def foreign_texts_have_no_digits(view: View) -> Iterator[str]:
    """Manim's own texts, whose outlines cannot be read back, show no digit; nor does any image."""
    for mobject in {id(p.owner): p.owner for p in view.parts if isinstance(p.owner, FOREIGN)}.values():
        content = next((str(getattr(mobject, name)) for name in _WRITTEN if hasattr(mobject, name)), "")
        if isinstance(mobject, DecimalNumber):
            content = str(mobject.number)
        if has_digit(content):
            yield f"{type(mobject).__name__} {content.strip()!r} has an undeclared digit"
    for mobject, _ in view.family:
        if getattr(mobject, "pixel_array", None) is not None:
            yield f"{type(mobject).__name__} is an image: what it shows cannot be checked"


def drawings_have_no_digits(view: View) -> Iterator[str]:
    """No shape that is not declared as text, nor any letter of a formula, has the outline of a digit."""
    loose: dict[int, tuple[Any, str]] = {}
    formulas: list[Any] = []
    for part in view.parts:
        if isinstance(part.owner, Formula):
            formulas.append(part.mobject)
        elif not isinstance(part.owner, (Glyphs, *FOREIGN)):
            inside = part.owner.digits.get_family() if part.owner else []
            if not any(part.mobject is each for each in inside):
                loose[id(part.mobject)] = (part.mobject, _digits(view.glyphs[id(part.mobject)]))
    for mobject, digits in loose.values():
        if digits:
            where = f"{type(mobject).__name__} at {_place(view, mobject)}"
            yield f"{where} looks like {digits}: it is no declared number"
    if formulas:
        shapes = whole_shapes([each.points for each in formulas])
        apart = np.abs(shapes[:, None] - _formula_digits()[None]).max(axis=2).min(axis=1)
        for mobject, distance in zip(formulas, apart, strict=True):
            if distance < TOLERANCE:
                where = f"formula at {_place(view, mobject)}"
                yield f"{where} looks like a digit: numbers are no part of a formula"


def _digits(glyphs: list) -> str:
    found = [glyph.options[0].character if glyph.options else "" for glyph in glyphs]
    return "".join(found) if any(has_digit(character) for character in found) else ""


def _place(view: View, mobject: Any) -> str:
    x, y = view.placed(np.asarray(mobject.get_center()[:2])).tolist()
    return f"({x:.2f}, {y:.2f})"


@cache
def _formula_digits() -> np.ndarray:
    """The shapes of the digits of the maths face in its three sizes."""
    shapes = [
        np.asarray(part.points)
        for source in ("{}", "x_({})", "x_(y_({}))")
        for part in Formula(
            source.format(" ".join("0123456789")), size=1.0, theme=THEMES["dark"]
        ).family_members_with_points()[-10:]
    ]
    return whole_shapes(shapes)
