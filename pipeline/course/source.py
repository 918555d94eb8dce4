"""What a scene's code says: its syntax without comments and docstrings, and that of all it imports."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pipeline.course.digest import digest, digest_bytes
from transformer_core.errors import InputError

FORMAT = 1
THEMES = "THEMES"
"""The module-level table whose entries count one by one: a theme that a picture does not use is no part of it."""


@dataclass(frozen=True)
class Source:
    """One file: the digest of its syntax, the modules that it may import, and the digest of each of its themes."""

    digest: str
    imports: tuple[str, ...]
    themes: Mapping[str, str] = field(default_factory=dict)


class SourceReader:
    """Reads modules of the project without importing them; what it has parsed before, it knows by the file's bytes."""

    def __init__(self, folders: Iterable[Path], *, cache: Path | None = None) -> None:
        """`folders` are searched for modules in this order; `cache` is a file to remember in."""
        self.folders, self.cache = tuple(folders), cache
        self.known: dict[str, Source] = _load(cache) if cache else {}
        self.used: dict[str, Source] = {}
        self.modules: dict[str, Source | None] = {}

    def closure(self, roots: Iterable[str]) -> dict[str, Source]:
        """The roots and every module of these folders that they import, however far, by name."""
        found: dict[str, Source] = {}
        left = list(roots)
        while left:
            name = left.pop()
            if name in found:
                continue
            source = self.module(name)
            if source is not None:
                found[name] = source
                left += source.imports
        return found

    def module(self, name: str) -> Source | None:
        """The module of that dotted name, None where these folders have none."""
        if name not in self.modules:
            path = next((path for folder in self.folders for path in _paths(folder, name) if path.is_file()), None)
            self.modules[name] = None if path is None else self._read(path, name)
        return self.modules[name]

    def save(self) -> None:
        """Remember what was read for the next time; a folder that cannot be written is left alone."""
        if self.cache is None or self.used.keys() == self.known.keys():
            return
        draft = self.cache.with_name(f".{self.cache.name}.{os.getpid()}")
        text = json.dumps({"format": FORMAT, "files": {key: asdict(each) for key, each in self.used.items()}})
        try:
            draft.write_text(text, encoding="utf-8")
            os.replace(draft, self.cache)
        except OSError:
            return

    def _read(self, path: Path, name: str) -> Source:
        data = path.read_bytes()
        # The name counts too: relative imports mean other modules in another package.
        key = digest_bytes(name.encode() + b"\0" + data)
        source = self.known.get(key) or _parse(data, path, name)
        self.used[key] = source
        return source


def _paths(folder: Path, name: str) -> tuple[Path, Path]:
    base = folder.joinpath(*name.split("."))
    return base.with_name(f"{base.name}.py"), base / "__init__.py"


def _load(cache: Path) -> dict[str, Source]:
    try:
        data = json.loads(cache.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            return {}
        return {
            key: Source(each["digest"], tuple(each["imports"]), each["themes"]) for key, each in data["files"].items()
        }
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _parse(data: bytes, path: Path, name: str) -> Source:
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", 0) or 0
        raise InputError(f"{path.name} line {line}", "Python cannot read it", "mend the file") from None
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    imports = tuple(dict.fromkeys(_imports(tree, package)))
    themes = dict(_take_themes(tree))
    return Source(digest(_plain(tree)), imports, themes)


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield from _with_parents(each.name)
        elif isinstance(node, ast.ImportFrom):
            parent = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
            module = ".".join(filter(None, [parent, node.module])) if node.level else node.module or ""
            yield from _with_parents(module)
            yield from (f"{module}.{each.name}" for each in node.names)


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[: count + 1]) for count in range(len(parts)))


def _take_themes(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each entry of the table of themes, taken out of the tree."""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign):
            target = node.target
        else:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
        if not isinstance(target, ast.Name) or target.id != THEMES:
            continue
        for table in [each for each in ast.walk(node) if isinstance(each, ast.Dict)][:1]:
            for key, value in zip(table.keys, table.values, strict=True):
                if isinstance(key, ast.Constant):
                    yield str(key.value), digest(_plain(value))
            table.keys, table.values = [], []


def _plain(node: Any) -> Any:
    """Syntax as lists, the same in every version of Python: what is empty is left out, and so are docstrings."""
    if isinstance(node, ast.Constant):
        return ["Constant", repr(node.value)]
    if isinstance(node, ast.AST):
        parts = []
        for name in node._fields:
            value = getattr(node, name, None)
            if name == "body" and isinstance(value, list):
                value = _without_docstring(value)
            if value not in (None, []) and name not in ("ctx", "kind", "type_comment"):
                parts.append([name, _plain(value)])
        return [type(node).__name__, parts]
    if isinstance(node, list):
        return [_plain(each) for each in node]
    return node if isinstance(node, str) else repr(node)


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """A body without the texts that stand in it for nobody but the reader."""
    return [each for each in body if not (isinstance(each, ast.Expr) and _is_text(each.value))]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
