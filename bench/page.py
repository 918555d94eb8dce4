"""The sections of docs/performance.md that the commands of this folder write themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; every column but the first is of numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_section(name: str, text: str, *, page: Path = PAGE) -> None:
    """Replace what stands between `<!-- name -->` and `<!-- /name -->`. Raises ValueError where they are not there."""
    whole = page.read_text(encoding="utf-8")
    pattern = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- /{re.escape(name)} -->)", re.DOTALL)
    if not pattern.search(whole):
        raise ValueError(f"{page} has no section {name}")
    page.write_text(pattern.sub(lambda found: f"{found[1]}\n{text.strip()}\n\n{found[2]}", whole), encoding="utf-8")
