"""A TOML file a person wrote: its data, and on which line each block and key stands."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transformer_core.errors import InputError

LARGEST = 1_000_000
_HEADER = re.compile(r"^\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"^\s*[\"']?([\w-]+)[\"']?\s*=")
_PLACE = re.compile(r"\s*\(at line (\d+), column \d+\)$")


@dataclass(frozen=True)
class TomlFile:
    """The data of a file, and its lines for messages."""

    path: Path
    data: Mapping[str, Any]
    lines: tuple[str, ...]

    def line_of(self, block: str, *, number: int = 0, key: str = "") -> int:
        """The line, from 1, of a key in the `number`-th block of a name, or else of the block; 0 for none."""
        found, seen, inside = 0, -1, False
        for place, line in enumerate(self.lines, 1):
            header = _HEADER.match(line)
            if header:
                seen += header[1] == block
                inside = header[1] == block and seen == number
                found = place if inside else found
                continue
            written = _KEY.match(line) if inside and key else None
            if written and written[1] == key:
                return place
        return found

    def place(self, block: str, *, number: int = 0, key: str = "") -> str:
        """`course.toml line 7`, for a message."""
        line = self.line_of(block, number=number, key=key)
        return f"{self.path.name} line {line}" if line else self.path.name


def read_toml(path: Path) -> TomlFile:
    """Raises InputError, with the line where there is one, for a file that cannot be read."""
    if path.exists() and not path.is_file():
        # One that is written to by another process would be waited for.
        raise InputError(str(path), "it is no file", "name a course file")
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise InputError(str(path), f"it is larger than {LARGEST // 1_000_000} MB", "name a course file")
        text = raw.decode("utf-8-sig")
        data = tomllib.loads(text)
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})", "name a course file") from None
    except UnicodeDecodeError:
        raise InputError(str(path), "it is not UTF-8", "save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        told = _PLACE.search(str(error))
        where = f"{path.name} line {told[1]}" if told else path.name
        raise InputError(where, f"not TOML ({_PLACE.sub('', str(error))})", "mend the line") from None
    except RecursionError:
        raise InputError(path.name, "it is nested too deeply", "write plain tables and lists") from None
    except ValueError as error:  # a number or a date that Python cannot hold
        raise InputError(path.name, f"not TOML ({error})", "mend the value") from None
    return TomlFile(path, data, tuple(text.splitlines()))
