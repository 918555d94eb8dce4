"""A document replaced in one step: who reads it sees the old one or the whole of the other."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.publish.embeds import NeedsMore, Target
from transformer_core.errors import InputError

if TYPE_CHECKING:
    from pipeline.publish.embeds._asset import Embeddable
    from pipeline.publish.embeds._page import Page


def place(tool: Target, shown: Embeddable, page: Page, *, name: str) -> list[Path]:
    """Put what is shown into the page's file, and what the tool needs beside it; returns the paths of all of them.

    `name`: the target's. Raises InputError for a file of another kind, and as the target does.
    """
    if page.file.suffix.lower() not in tool.ENDINGS:
        raise InputError(str(page.file), f"{name} pages end in {' or '.join(tool.ENDINGS)}", "name such a file")
    document = read_document(page.file)
    files = {page.file: tool.put(document, shown, page)}
    if isinstance(tool, NeedsMore):
        files |= tool.beside(page)
    for path, data in files.items():
        if path != page.file or data != document:
            path.parent.mkdir(parents=path != page.file, exist_ok=True)
            write_document(path, data)
    return list(files)


def read_document(path: Path) -> bytes | None:
    """The document's bytes; None where there is no such file. Raises InputError where it cannot be read."""
    check_regular(path)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(str(path), f"cannot be read ({error.strerror})", "name the page's file") from None


def check_regular(path: Path) -> None:
    """Raises InputError for what is there and no file: a folder, or a pipe, which would be waited for."""
    if path.exists() and not path.is_file():
        raise InputError(str(path), "it is no regular file", "name a file")


def write_document(path: Path, data: bytes) -> None:
    """Write the bytes by one rename, with the rights that the file had. A link stays a link.

    Raises InputError where the folder does not let it, and for a file that nobody may write.
    """
    file = Path(os.path.realpath(path))
    if file.exists() and not file.stat().st_mode & 0o222:
        raise InputError(str(path), "it is read-only", f"let it be written: chmod u+w {shlex.quote(str(path))}")
    draft = ""
    try:
        handle, draft = tempfile.mkstemp(prefix=f".{file.name[:60]}.", dir=file.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if file.exists():
            shutil.copymode(file, draft)
        else:
            os.chmod(draft, 0o666 & ~_mask())
        os.replace(draft, file)
    except OSError as error:
        if draft and os.path.exists(draft):
            os.unlink(draft)
        raise InputError(str(path), f"cannot be written ({error.strerror})", "name another file") from None


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
