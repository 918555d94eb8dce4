"""The scenes there are, read from their source without running it.

A scene is a class in `scenes/*.py` with the literals `name` and `beats`; listing them imports nothing of
Manim.
"""

from __future__ import annotations

import ast
import difflib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transformer_core.errors import InputError

SCENES_FOLDER = Path(__file__).resolve().parents[1] / "scenes"
PACKAGE = "scenes"


@dataclass(frozen=True)
class SceneEntry:
    """One scene: its short name, class and module, its beats in order, what it is about.

    `search` is the folder to import `module` from; `titles` the title by language, from the texts beside
    it; `poster` the beat that stands for the scene; `prompt_key` the entry of a model's card with its prompt;
    `default_claim` the claim of that card whose head the scene tells of where nobody asks for another.
    `reorders`: it compares two orders of the prompt. `companions`: the models whose cards it shows beside its own.
    """

    name: str
    class_name: str
    module: str
    search: Path
    beats: tuple[str, ...]
    titles: Mapping[str, str]
    description: str
    default_model: str
    poster: str
    prompt_key: str = "default_prompt"
    default_claim: str = ""
    reorders: bool = False
    companions: tuple[str, ...] = ()

    def require_beat(self, beat: str) -> str:
        """The beat's name as the scene writes it. Raises InputError with the nearest one."""
        return beat if beat in self.beats else closest(beat, self.beats, what=f"beat of {self.name}")


def catalogue() -> tuple[SceneEntry, ...]:
    """Every scene, by name. Raises InputError for a scene file that Python cannot read."""
    entries = [entry for path in sorted(SCENES_FOLDER.glob("*.py")) for entry in _read(path)]
    return tuple(sorted(entries, key=lambda entry: entry.name))


def find_scenes(names: Iterable[str], *, among: tuple[SceneEntry, ...] | None = None) -> tuple[SceneEntry, ...]:
    """The scenes of these names or class names, in any case, each once; `all` is every scene.

    `among`: the catalogue, where it was read already. Raises InputError with the nearest name for one that does not
    exist.
    """
    entries = catalogue() if among is None else among
    known = {key: entry for entry in entries for key in (entry.class_name.lower(), entry.name.lower())}
    found: dict[str, SceneEntry] = {}
    for name in names:
        if name.lower() == "all":
            found |= {entry.name: entry for entry in entries}
            continue
        if name.lower() not in known:
            closest(
                name,
                sorted({entry.name for entry in entries} | {e.class_name for e in entries}),
                what="scene",
            )
        entry = known[name.lower()]
        found[entry.name] = entry
    return tuple(found.values())


def closest(word: str, known: Iterable[str], *, what: str) -> str:
    """The known word that differs from `word` in case only. Raises InputError with the nearest otherwise."""
    known = list(known)
    for candidate in known:
        if candidate.lower() == word.lower():
            return candidate
    near = difflib.get_close_matches(word.lower(), [each.lower() for each in known], n=1, cutoff=0.5)
    guess = next((each for each in known if near and each.lower() == near[0]), None)
    instead = f"did you mean {guess!r}?" if guess else f"there are: {', '.join(known) or 'none yet'}"
    raise InputError(f"{what} {word!r}", "there is none of this name", instead)


def _read(path: Path) -> Iterator[SceneEntry]:
    try:
        tree = ast.parse(_text(path))
    except (SyntaxError, ValueError) as error:
        # A null character stands on no line, or is no error of syntax.
        line = getattr(error, "lineno", None)
        where = f"{path.name} line {line}" if line else path.name
        raise InputError(where, "Python cannot read it", "mend the scene file") from None
    for node in tree.body:
        literals = dict(_literals(node)) if isinstance(node, ast.ClassDef) else {}
        if not isinstance(node, ast.ClassDef) or not literals.get("name") or not literals.get("beats"):
            continue
        text = ast.get_docstring(node) or ""
        beats = tuple(literals["beats"])
        yield SceneEntry(
            name=literals["name"],
            class_name=node.name,
            module=f"{PACKAGE}.{path.stem}" if PACKAGE else path.stem,
            search=SCENES_FOLDER.parent if PACKAGE else SCENES_FOLDER,
            beats=beats,
            titles=_titles(path.with_suffix(".toml"), summary=text.split("\n", 1)[0]),
            description=text,
            default_model=literals.get("default_model", "glass"),
            poster=literals.get("poster", beats[-1]),
            reorders=literals.get("reorders", False),
            companions=tuple(literals.get("companions", ())),
            prompt_key=literals.get("prompt_key", "default_prompt"),
            default_claim=literals.get("default_claim", ""),
        )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})", "mend its permissions") from None
    except UnicodeDecodeError:
        raise InputError(path.name, "it is not UTF-8", "save it as UTF-8") from None


def _titles(texts: Path, *, summary: str) -> Mapping[str, str]:
    """The title in each language; the summary where the scene has no texts."""
    try:
        titles = tomllib.loads(_text(texts)).get("title", {}) if texts.exists() else {}
    except tomllib.TOMLDecodeError as error:
        raise InputError(texts.name, f"not TOML ({error})", "mend the texts") from None
    known = titles if isinstance(titles, dict) else {}
    return {language: known.get(language, summary) for language in ("en", "zh")}


def _literals(node: ast.ClassDef) -> Iterator[tuple[str, Any]]:
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            target, value = statement.target.id, statement.value
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            target, value = statement.targets[0].id, statement.value
        else:
            continue
        if value is not None:
            try:
                yield target, ast.literal_eval(value)
            except ValueError:
                continue
