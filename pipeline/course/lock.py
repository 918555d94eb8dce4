"""`course.lock`: what each asset was made from, for people and for version control.

One block for each asset, sorted by name, so that two branches that change different assets merge.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from pipeline.alone import alone
from transformer_core.errors import InputError

HEAD = """# Written by `build` and `accept`: what each asset was made from. Commit it, do not edit it.
"""


@dataclass(frozen=True, kw_only=True)
class Made:
    """One asset as it was made. `picture`, `numbers` are the components of its inputs, `fonts` the files that it used.

    `shown` is the digest of what is on screen, `digest` that of the trace. `accepted` holds, where a person
    accepted the asset as it is, the reason and the two keys that it was accepted for.
    """

    files: tuple[str, ...]
    shown: str
    digest: str
    picture: Mapping[str, str]
    numbers: Mapping[str, str]
    fonts: Mapping[str, str]
    accepted: Mapping[str, str] = field(default_factory=dict)


Lock = Mapping[str, Made]


def lock_path(course: Path) -> Path:
    """Where the lock of a course file lies."""
    return course.with_suffix(".lock")


def read_lock(path: Path) -> dict[str, Made]:
    """The assets by name; none where there is no file. Raises InputError for a file that is no lock."""
    if os.path.exists(path) and not (path.is_file() or path.is_dir()):
        # One that is written to by another process would be waited for.
        raise InputError(str(path), "it is no file, and the lock file goes there", "move it away")
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: _made(block) for name, block in data.get("asset", {}).items()}
    except FileNotFoundError:
        return {}
    except IsADirectoryError:
        raise InputError(str(path), "it is a folder, and the lock file goes there", "move it away") from None
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})", "mend its permissions") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        why = f"it is no lock file ({error})" if "<<<<" not in _start(path) else "a merge left conflict marks in it"
        raise InputError(path.name, why, "restore it from version control, or remove it and build") from None


def change_lock(path: Path, changes: Mapping[str, Made], *, keep: frozenset[str] | None = None) -> None:
    """Put assets in, and drop those not in `keep` where it is given; atomically, also against other processes.

    Raises InputError as `read_lock` does, and where the file cannot be written.
    """
    try:
        with alone(path.parent):
            before = read_lock(path)
            after = {name: made for name, made in before.items() if keep is None or name in keep} | dict(changes)
            text = HEAD + "".join(_block(name, after[name]) for name in sorted(after))
            if after == before and path.exists():
                return
            draft = path.with_name(f".{path.name}.{os.getpid()}")
            try:
                with draft.open("w", encoding="utf-8") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(draft, path)
            finally:
                draft.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(str(path), f"cannot be written ({error.strerror})", "mend its permissions") from None


def _made(block: Mapping[str, Any]) -> Made:
    known = {item.name for item in fields(Made)}
    given = {key: value for key, value in block.items() if key in known}
    made = Made(**{**given, "files": tuple(given["files"])})
    for name in ("picture", "numbers", "fonts", "accepted"):
        table = getattr(made, name)
        if not isinstance(table, dict) or not all(isinstance(each, str) for each in table.values()):
            raise ValueError(f"{name} is no table of texts")
    return made


def _block(name: str, made: Made) -> str:
    lines = [f"\n[asset.{_text(name)}]\n"]
    lines.append("files = [\n" + "".join(f"  {_text(file)},\n" for file in made.files) + "]\n")
    lines += [f"{key} = {_text(getattr(made, key))}\n" for key in ("shown", "digest")]
    for table in ("accepted", "fonts", "numbers", "picture"):
        values = getattr(made, table)
        lines += [f"{table}.{_key(key)} = {_text(values[key])}\n" for key in sorted(values)]
    return "".join(lines)


def _key(key: str) -> str:
    return key if key.replace("_", "").isalnum() and key.isascii() else _text(key)


def _text(text: str) -> str:
    # A JSON string is a TOML string, except for the one control character that JSON does not escape.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _start(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
