"""What Sphinx copies into the pages that it builds, read from `conf.py` without running it, and how it reads paths."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path
from urllib.parse import quote

from pipeline.publish.embeds._element import Code
from pipeline.publish.embeds._page import Link, Page, below
from transformer_core.errors import InputError

COPIED = {"html_static_path": "_static", "html_extra_path": ""}
"""The settings that name folders to copy, and where below the built pages their files come to lie."""


def link_from(page: Page) -> Link:
    """Addresses as seen from the built page, which lies as deep as its source.

    Without a `conf.py` above the page, as seen from the source. The link raises InputError for a file that
    Sphinx would leave behind.
    """
    root = page.root("conf.py")
    if root is None:
        return page.relative
    copied = [(root / folder, target) for target, folders in _copied(root) for folder in folders]

    def link(path: Path) -> Code:
        for folder, target in copied:
            place = below(folder, path)
            if place is not None:
                up = "../" * len(page.folder.relative_to(root).parts)
                return Code(quote(f"{up}{(Path(target) / place).as_posix()}", safe="/~"))
        listed = ", ".join(f"{folder.relative_to(root)}/" for folder, _ in copied) or "nothing"
        raise InputError(
            str(path),
            f"Sphinx copies {listed} for pages, and it does not lie there",
            f"render it with -o {root.name}/_static/ and list _static in html_static_path",
        )

    return link


def argument(path: Path, page: Page) -> str:
    """A file as the argument of a directive, which is a path and no address: nothing in it is a number for a sign."""
    shown = Path(os.path.relpath(path, page.folder)).as_posix()
    return re.sub(r"[^\w./-]", r"\\\g<0>", shown)


def _copied(root: Path) -> list[tuple[str, list[str]]]:
    try:
        tree = ast.parse((root / "conf.py").read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError):
        raise InputError(str(root / "conf.py"), "Python cannot read it", "mend it, or print without --write") from None
    found = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in COPIED:
            try:
                names = ast.literal_eval(node.value)
            except ValueError:
                continue
            found.append((COPIED[node.targets[0].id], [str(name) for name in names]))
    return found
