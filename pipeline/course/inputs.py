"""The two keys: what a picture's numbers are computed from, and what draws them."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pipeline.course.asset import Picture
from pipeline.course.digest import digest, digest_bytes
from pipeline.course.model_files import ModelFiles, card_digest, model_folder, read_model
from pipeline.course.source import Source, SourceReader
from pipeline.render.runtime import ROOT
from pipeline.render.semantics import RENDERER
from transformer_core.errors import InputError

FONTS = ROOT / "assets" / "fonts"
CORE = "transformer_core"
DRAWING = ("av", "manim", "manimpango", "pycairo", "typst", "uharfbuzz")
COMPUTING = ("numpy", "torch")


@dataclass(frozen=True)
class Inputs:
    """Every component by name: of the picture, of its numbers, and each font file there is.

    `details` says what a component is made of: files of code, tensors. Its keys are the components' digests.
    """

    picture: Mapping[str, str]
    numbers: Mapping[str, str]
    fonts: Mapping[str, str]
    details: Mapping[str, Mapping[str, str]]

    @property
    def picture_key(self) -> str:
        """The key of the drawing, apart from the fonts, of which only the run can say which it used."""
        return digest(dict(self.picture))

    @property
    def numbers_key(self) -> str:
        """The key of the trace and of the question that is put to it."""
        return digest(dict(self.numbers))


class InputReader:
    """Reads the inputs of a course's pictures, each file once: a reader knows the files as they were at one time."""

    def __init__(self, base: Path, *, cache: Path | None = None) -> None:
        """`base` is the course's folder, `cache` a file to remember parsed sources in."""
        self.base = base
        self.cache = cache
        self.readers: dict[Path, SourceReader] = {}
        with _reading():
            self.fonts = {path.name: digest_bytes(path.read_bytes()) for path in sorted(FONTS.glob("*.ttf"))}
        self.closures: dict[str, tuple[dict[str, Source], dict[str, Source]]] = {}
        self.digests: dict[tuple[str, ...], tuple[str, Mapping[str, str]]] = {}
        self.models: dict[str, ModelFiles] = {}
        self.cards: dict[str, str] = {}
        self.texts: dict[tuple[Path, str], str] = {}

    def drawing(self, picture: Picture) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """The components of what draws a picture, for which no model is needed, and the files of its code.

        Raises InputError for a file that cannot be read.
        """
        with _reading():
            return self._drawing(picture)

    def _drawing(self, picture: Picture) -> tuple[Mapping[str, str], Mapping[str, str]]:
        entry, spec = picture.entry, picture.spec
        drawing, _ = self._closure(picture)
        scene, files = self._digest(entry.module, "scene", drawing)
        themes = {name: each for source in drawing.values() for name, each in source.themes.items()}
        components = {
            "scene": scene,
            "texts": self._texts(entry.search / f"{entry.module.replace('.', '/')}.toml", spec.language),
            "theme": themes.get(spec.theme, ""),
            "look": _words(picture.look),
            "renderer": str(RENDERER),
            "programs": _versions(DRAWING),
        }
        return components, files

    def read(self, picture: Picture) -> Inputs:
        """The inputs of one picture. Raises InputError for a model or source that cannot be read."""
        with _reading():
            return self._inputs(picture)

    def _inputs(self, picture: Picture) -> Inputs:
        entry, spec = picture.entry, picture.spec
        components, scene_files = self._drawing(picture)
        _, core = self._closure(picture)
        model = self._model(spec.model or entry.default_model)
        code, code_files = self._digest(entry.module, "core", core)
        companions = {name: self._card(name) for name in entry.companions}
        return Inputs(
            picture=components,
            numbers={
                "model": model.name,
                "weights": model.weights,
                "config": model.config,
                "vocabulary": model.vocabulary,
                "card": digest([model.card, companions]) if companions else model.card,
                "question": _words(picture.question),
                "core": code,
                "computed_by": f"{_versions(COMPUTING)}, python {sys.version_info[0]}.{sys.version_info[1]}",
            },
            fonts=self.fonts,
            details={components["scene"]: scene_files, code: code_files, model.weights: model.tensors},
        )

    def save(self) -> None:
        """Remember the parsed sources."""
        for reader in self.readers.values():
            reader.save()

    def _model(self, reference: str) -> ModelFiles:
        if reference not in self.models:
            self.models[reference] = read_model(model_folder(reference, base=self.base))
        return self.models[reference]

    def _card(self, reference: str) -> str:
        if reference not in self.cards:
            self.cards[reference] = card_digest(model_folder(reference, base=self.base))
        return self.cards[reference]

    def _texts(self, path: Path, language: str) -> str:
        if (path, language) not in self.texts:
            self.texts[path, language] = texts_digest(path, language)
        return self.texts[path, language]

    def _closure(self, picture: Picture) -> tuple[dict[str, Source], dict[str, Source]]:
        """The modules that draw a scene, and those of the core that it and the forward pass import."""
        entry = picture.entry
        if entry.module not in self.closures:
            reader = self.readers.get(entry.search)
            if reader is None:
                reader = SourceReader(dict.fromkeys([entry.search, ROOT]), cache=self.cache)
                self.readers[entry.search] = reader
            found = reader.closure([entry.module])
            sources = sorted((ROOT / CORE / "sources").glob("*.py"))
            roots = [f"{CORE}.capture", f"{CORE}.orders", *(f"{CORE}.sources.{path.stem}" for path in sources)]
            core = reader.closure([*roots, *(name for name in found if name.split(".")[0] == CORE)])
            self.closures[entry.module] = {name: each for name, each in found.items() if name not in core}, core
        return self.closures[entry.module]

    def _digest(self, module: str, part: str, sources: Mapping[str, Source]) -> tuple[str, Mapping[str, str]]:
        if (module, part) not in self.digests:
            files = {name: source.digest for name, source in sorted(sources.items())}
            self.digests[module, part] = digest(files), files
        return self.digests[module, part]


@contextmanager
def _reading() -> Iterator[None]:
    """Raises InputError for a file that the system does not let us read, or that went away meanwhile."""
    try:
        yield
    except OSError as error:
        why = f"cannot be read ({error.strerror})"
        raise InputError(str(error.filename), why, "mend its permissions, or restore it") from None


def texts_digest(path: Path, language: str) -> str:
    """The digest of a scene's texts: both languages of what is spoken, which sets the times, and one of the labels.

    Raises InputError for texts that are not TOML.
    """
    if not path.exists():
        return ""
    try:
        texts = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(path.name, f"not TOML ({error})", "mend the texts") from None
    words = texts.get("words", {})
    own = {key: word.get(language, word) if isinstance(word, dict) else word for key, word in words.items()}
    return digest({**texts, "words": own})


def _words(data: Mapping[str, Any]) -> str:
    """Plain data as words that people can read and compare: `kind=video size=854×480`."""

    def word(value: Any) -> str:
        if isinstance(value, tuple):
            return "×".join(map(str, value))
        return repr(value) if isinstance(value, str) and not value.isalnum() else str(value)

    return " ".join(f"{key}={word(value)}" for key, value in sorted(data.items()) if value is not None)


@cache
def _versions(packages: Iterable[str]) -> str:
    """The installed versions, read without importing anything."""
    found = []
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} missing")
    return ", ".join(found)
